"""What /login says to people."""

WORDS = {
    "tui.login.about": "log in at the model's provider",
    "tui.login.device": "with a code that is typed in elsewhere",
    "tui.login.title": "Log in",
    "tui.login.code": "type this code there:",
    "tui.login.open": "open:",
    "tui.login.waiting": "Waiting until you have logged in in the browser …",
    "tui.login.cancelled": "Nobody logged in.",
    "tui.login.done": "Logged in. {why}",
}
