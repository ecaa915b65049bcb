"""/context 对人说的话。"""

WORDS = {
    "tui.context.about": "显示什么占用了模型的窗口",
    "tui.context.title": "上下文",
    "tui.context.used": "已用 {used} token",
    "tui.context.used_of": "已用 {used} / {window} token（{percent} %）",
    "tui.context.count": "×{count}",
    "tui.context.cached": "上次有 {tokens} 来自缓存",
    "tui.context.folds_at": "到 {tokens} 时自动压缩 · /compact 立即压缩",
    "tui.context.folded": "至今压缩 {count} 次",
    "tui.context.part_systemPrompt": "系统提示词",
    "tui.context.part_tools": "工具",
    "tui.context.part_instructions": "说明文件",
    "tui.context.part_userTurns": "你说的话",
    "tui.context.part_digests": "摘要",
    "tui.context.part_pinned": "固定事实",
    "tui.context.part_replies": "回复",
    "tui.context.part_toolCalls": "工具调用",
    "tui.context.part_toolResults": "工具结果",
    "tui.context.part_free": "空闲",
}
