"""`daedal skills` 对人说的话。"""

WORDS = {
    "cli.skills.example": "daedal skills show review",
    "cli.skills.about": "列出模型在这里可载入的技能，或查看其中一个",
    "cli.skills.action": "做什么：list（默认），或 show 按模型读到的样子查看一个",
    "cli.skills.name": "用于 show：技能",
    "cli.skills.name_with_show": "show 需要技能的名称，也只有 show 需要 · daedal skills show review",
    "cli.skills.headings": "技能|来源|运行方式|模型|作用",
    "cli.skills.here": "在会话中",
    "cli.skills.apart": "作为子智能体",
    "cli.skills.how": "运行方式：{how} · 模型：{model} · 参数：{arguments}",
    "cli.skills.none": "没有技能 · 把含 SKILL.md 的目录放进 .daedal/skills/，做法见 docs/guides/skills-and-agents.md",
}
