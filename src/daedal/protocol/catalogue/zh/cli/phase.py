"""`daedal phase` 对人说的话。"""

WORDS = {
    "cli.phase.example": "daedal phase",
    "cli.phase.about": "工作进行到哪里：阶段、计划，以及接下来可以做什么",
    "cli.phase.conversation": "此 id 或其开头所指的对话（默认：这里最新的）",
    "cli.phase.all": "所有目录最近的对话",
    "cli.phase.limit": "配合 --all：多少个（默认：20）",
    "cli.phase.none": "这里还没有对话。",
    "cli.phase.no_plan": "无",
    "cli.phase.line": "{id}  {phase}  （计划：{plan}；{project_dir}）",
    "cli.phase.open": "  → {phase}",
    "cli.phase.blocked": "  ✗ {phase}：{reason}",
}
