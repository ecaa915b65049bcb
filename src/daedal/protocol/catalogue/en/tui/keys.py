"""What /keys says to people."""

WORDS = {
    "tui.keys.about": "list the keys, as ? does",
    "tui.keys.title": "Keys",
    "tui.keys.send": "send; while the model works: queue",
    "tui.keys.newline": "a new line",
    "tui.keys.stop": "stop the model",
    "tui.keys.rewind": "clear what is written; on an empty line: go back to an earlier turn",
    "tui.keys.history": "earlier prompts; what is queued",
    "tui.keys.search": "search earlier prompts",
    "tui.keys.mode": "next mode: ask, accept edits, plan",
    "tui.keys.transcript": "everything in full: diffs, output, thoughts",
    "tui.keys.editor": "write in your own editor ($EDITOR)",
    "tui.keys.redraw": "draw the screen anew",
    "tui.keys.slash": "commands",
    "tui.keys.at": "files, folders and resources",
    "tui.keys.shell": "run a command in the shell",
    "tui.keys.remember": "remember something for later sessions",
    "tui.keys.suspend": "back to the shell; fg comes back",
    "tui.keys.leave": "leave",
}
