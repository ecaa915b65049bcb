"""/cost 对人说的话。"""

WORDS = {
    "tui.cost.about": "此会话的用量：token、缓存命中、美元，按模型列出",
    "tui.cost.title": "此会话的用量",
    "tui.cost.headings": "模型|调用|输入|缓存|写缓存|输出|费用",
    "tui.cost.nothing": "还没有任何用量。",
    "tui.cost.total": "合计",
    "tui.cost.subagent": "{model}，子智能体",
    "tui.cost.subagents": "有 {count} 个子智能体为此会话工作过。",
    "tui.cost.cache": "读取的内容有 {percent} % 来自缓存。",
    "tui.cost.unpriced": "有模型价格未知，因此费用也未知 · 提供方的价格写在设置中。",
}
