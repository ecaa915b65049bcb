"""/copy 对人说的话。"""

WORDS = {
    "tui.copy.about": "复制上一个回答，或按编号复制其中的代码块",
    "tui.copy.nothing": "还没有可复制的回答",
    "tui.copy.no_block": "上一个回答中没有代码块 {wanted} · 共有 {count} 个",
    "tui.copy.by_program": "已复制 {count} 个字符（{program}）",
    "tui.copy.by_terminal": "已把 {count} 个字符交给终端的剪贴板 · 若终端拒绝，内容在 {path}",
    "tui.copy.too_long": "{count} 个字符超出终端剪贴板的容量 · 内容在 {path}",
}
