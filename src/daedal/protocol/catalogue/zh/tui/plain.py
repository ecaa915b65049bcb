"""在什么都不会的终端上，聊天说的话。"""

WORDS = {
    "tui.plain.welcome": "{model} · 请写提示词，或 /exit",
    "tui.plain.may_it": "允许吗？y：一次 · s：本会话 · a：始终 · n：拒绝 · 或说明为什么不行：",
    "tui.plain.session": "s 还允许 {rule}，直到本会话结束",
    "tui.plain.always": "a 还把 {rule} 写入你自己的设置",
}
