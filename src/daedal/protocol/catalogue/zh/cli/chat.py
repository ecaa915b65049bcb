"""还没有聊天界面时 `daedal` 对人说的话。"""

WORDS = {
    "cli.chat.example": 'daedal "测试为什么失败？"',
    "cli.chat.about": "打开聊天",
    "cli.chat.prompt": "首先要说的话",
    "cli.chat.resume": "继续会话 ID（前几个字符即可）",
    "cli.chat.fork": "在副本中继续：--resume 的会话的副本，或此目录最新会话的副本",
    "cli.chat.connect": "连接正在运行的 daedal app-server：unix://PATH 或 ws://HOST:PORT",
    "cli.chat.token_file": "该服务器的令牌（默认：Daedal 主目录中的 app-server.token）",
    "cli.chat.no_terminal": '聊天需要终端 · 没有终端时，单条提示词可用：daedal exec "…"',
}
