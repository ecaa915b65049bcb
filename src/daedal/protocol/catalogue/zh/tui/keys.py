"""/keys 对人说的话。"""

WORDS = {
    "tui.keys.about": "列出按键，同 ?",
    "tui.keys.title": "按键",
    "tui.keys.send": "发送；模型工作时：排队",
    "tui.keys.newline": "换行",
    "tui.keys.stop": "停止模型",
    "tui.keys.rewind": "清空输入；空行时：回到以前的轮次",
    "tui.keys.history": "以前的提示词；排队的内容",
    "tui.keys.search": "搜索以前的提示词",
    "tui.keys.mode": "下一个模式：询问、接受编辑、计划",
    "tui.keys.transcript": "查看全部：差异、输出、思考",
    "tui.keys.editor": "在自己的编辑器中写（$EDITOR）",
    "tui.keys.redraw": "重绘屏幕",
    "tui.keys.slash": "命令",
    "tui.keys.at": "文件、目录和资源",
    "tui.keys.shell": "在 shell 中运行命令",
    "tui.keys.remember": "为以后的会话记住一件事",
    "tui.keys.suspend": "回到 shell；fg 返回",
    "tui.keys.leave": "离开",
}
