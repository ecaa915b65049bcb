"""What the card about a lost server says to people."""

WORDS = {
    "tui.reconnect.question": "Look for the server again?",
    "tui.reconnect.again": "yes, reconnect",
    "tui.reconnect.leave": "no, leave",
}
