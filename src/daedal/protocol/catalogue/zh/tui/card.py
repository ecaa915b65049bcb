"""卡片对人说的话。"""

WORDS = {
    "tui.card.keys": "按字母，或 ↑↓ 加 Enter · Ctrl+O 全屏 · Esc：拒绝并停止",
    "tui.card.where": "第 {first}–{last} 行，共 {count} 行 · PgUp PgDn",
    "tui.card.more": "此后还有 {count} 项要答复",
}
