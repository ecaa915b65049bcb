"""What /diff says to people."""

WORDS = {
    "tui.diff.about": "show what this session changed, or what git has not committed",
    "tui.diff.unknown": "/diff takes session or git, not {wanted}",
    "tui.diff.none": "Nothing is changed.",
    "tui.diff.none_session": "This session has changed no file.",
    "tui.diff.session": "all that this session changed",
    "tui.diff.git": "what is not committed yet",
    "tui.diff.title_session": "Changed by this session: {count} files · /diff git shows what is not committed",
    "tui.diff.title_git": "Not committed yet: {count} files",
    "tui.diff.cut": "… and more than can be shown here",
}
