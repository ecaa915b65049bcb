"""What /logout says to people."""

WORDS = {
    "tui.logout.about": "log out at the model's provider",
    "tui.logout.done": "Logged out at {provider}. {why}",
    "tui.logout.was_not": "Nobody was logged in at {provider}. {why}",
}
