"""/help 对人说的话。"""

WORDS = {
    "tui.help.about": "查找命令，或说明其中一个",
    "tui.help.title": "命令：",
    "tui.help.custom": "你的和此项目的",
    "tui.help.mcp": "MCP 服务器的",
}
