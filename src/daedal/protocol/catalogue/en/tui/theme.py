"""What /theme says to people."""

WORDS = {
    "tui.theme.about": "choose the colours",
    "tui.theme.choose": "Which colours?",
    "tui.theme.now": "Colours: {name}",
    "tui.theme.unknown": "there is no theme {name} · there are {known}",
}
