"""/login 对人说的话。"""

WORDS = {
    "tui.login.about": "在模型的提供方登录",
    "tui.login.device": "用在别处输入的代码",
    "tui.login.title": "登录",
    "tui.login.code": "在那里输入此代码：",
    "tui.login.open": "打开：",
    "tui.login.waiting": "正在等你在浏览器中登录 …",
    "tui.login.cancelled": "没有人登录。",
    "tui.login.done": "已登录。{why}",
}
