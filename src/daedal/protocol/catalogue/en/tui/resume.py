"""What /resume says to people."""

WORDS = {
    "tui.resume.about": "go on with another session of this folder: search, look, choose",
    "tui.resume.here": "This session is the one you are in.",
}
