"""服务器断开的卡片对人说的话。"""

WORDS = {
    "tui.reconnect.question": "重新连接服务器吗？",
    "tui.reconnect.again": "重新连接",
    "tui.reconnect.leave": "离开",
}
