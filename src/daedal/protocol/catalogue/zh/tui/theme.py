"""/theme 对人说的话。"""

WORDS = {
    "tui.theme.about": "选择配色",
    "tui.theme.choose": "用哪种配色？",
    "tui.theme.now": "配色：{name}",
    "tui.theme.unknown": "没有主题 {name} · 现有 {known}",
}
