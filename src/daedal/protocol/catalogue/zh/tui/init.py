"""/init 对人说的话。"""

WORDS = {
    "tui.init.about": "查看此项目并编写 AGENTS.md，或改进已有的",
    "tui.init.begun": "正在查看项目，以编写 AGENTS.md。",
}
