"""What /help says to people."""

WORDS = {
    "tui.help.about": "find a command, or tell about one",
    "tui.help.title": "Commands:",
    "tui.help.custom": "Yours and this project’s",
    "tui.help.mcp": "Of MCP servers",
}
