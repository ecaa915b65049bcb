"""/report 对人说的话。"""

WORDS = {
    "tui.report.about": "把用于查错的报告写到本地文件，不含机密",
    "tui.report.done": "报告：{path}",
    "tui.report.look": "没有发送到任何地方。已知的密钥和疑似机密的内容都已去掉；提示词和结果在其中，转交之前请通读一遍。",
}
