"""/agents 对人说的话。"""

WORDS = {
    "tui.agents.about": "列出可以派任务的智能体",
    "tui.agents.title": "智能体",
    "tui.agents.headings": "名称|模型|来源|说明",
    "tui.agents.unknown": "没有智能体 {name} · /agents 列出所有智能体",
    "tui.agents.what": "作用",
    "tui.agents.tools": "工具",
    "tui.agents.all": "会话拥有的全部",
    "tui.agents.model": "模型",
    "tui.agents.same": "同会话",
    "tui.agents.from": "来源",
}
