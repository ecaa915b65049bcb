"""What /exit says to people."""

WORDS = {
    "tui.exit.about": "leave the chat; daedal --continue takes it up again",
}
