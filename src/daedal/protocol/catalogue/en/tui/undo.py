"""What /undo says to people."""

WORDS = {
    "tui.undo.about": "take back the last turn and the files that it changed",
    "tui.undo.nothing": "nothing was said yet · there is nothing to undo",
    "tui.undo.question": "Take back “{text}” all the same?",
    "tui.undo.yes": "yes, take back the rest",
    "tui.undo.no": "no",
}
