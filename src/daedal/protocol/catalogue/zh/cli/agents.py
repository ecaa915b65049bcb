"""`daedal agents` 对人说的话。"""

WORDS = {
    "cli.agents.example": "daedal agents show Explore",
    "cli.agents.about": "列出这里可以派任务的智能体类型，或查看其中一个",
    "cli.agents.action": "做什么：list（默认），或 show 查看一个及其系统提示词",
    "cli.agents.name": "用于 show：智能体的类型",
    "cli.agents.name_with_show": "show 需要智能体的名称，也只有 show 需要 · daedal agents show Explore",
    "cli.agents.headings": "智能体|来源|工具|模型|用途",
    "cli.agents.all_tools": "全部",
    "cli.agents.all_but": "{tools}，除了 {others}",
    "cli.agents.how": "工具：{tools} · 模型：{model} · 最多轮数：{turns} · 隔离：{isolation}",
}
