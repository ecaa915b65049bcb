"""/logout 对人说的话。"""

WORDS = {
    "tui.logout.about": "退出在模型提供方的登录",
    "tui.logout.done": "已退出 {provider}。{why}",
    "tui.logout.was_not": "没有在 {provider} 登录过。{why}",
}
