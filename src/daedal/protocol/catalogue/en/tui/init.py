"""What /init says to people."""

WORDS = {
    "tui.init.about": "look at this project and write AGENTS.md, or make the one that is there better",
    "tui.init.begun": "Looking at the project to write AGENTS.md.",
}
