"""What /memory says to people."""

WORDS = {
    "tui.memory.about": "list, search, show, edit or forget what is remembered",
    "tui.memory.title": "Remembered here",
    "tui.memory.headings": "ID|CHANGED|KIND|WHERE|TITLE",
    "tui.memory.none": "Nothing is remembered yet · a line that begins with # is.",
    "tui.memory.no_match": "Nothing remembered fits.",
    "tui.memory.usage": "/memory search WORDS · show ID · edit ID · forget ID",
    "tui.memory.everywhere": "everywhere",
    "tui.memory.here": "here",
    "tui.memory.about_search": "find by words",
    "tui.memory.about_show": "read one",
    "tui.memory.about_edit": "mend one in your editor",
    "tui.memory.about_forget": "put one away",
    "tui.memory.unchanged": "Nothing was changed.",
    "tui.memory.edited": "Changed: {title}",
    "tui.memory.question": "Shall this be forgotten? It goes to the archive.",
    "tui.memory.yes": "forget it",
    "tui.memory.no": "keep it",
    "tui.memory.forgotten": "Forgotten: {title}",
}
