"""/clear 对人说的话。"""

WORDS = {
    "tui.clear.about": "在同一对话中开始新会话；账本保留当前会话",
    "tui.clear.already": "这已是新会话。",
    "tui.clear.done": "已开始新会话。之前的会话：daedal resume {id}",
}
