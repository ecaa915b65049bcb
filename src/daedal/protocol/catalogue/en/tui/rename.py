"""What /rename says to people."""

WORDS = {
    "tui.rename.about": "give this session a name under which it is found again",
    "tui.rename.nothing": "nothing was said yet · a session is named once there is something in it",
    "tui.rename.question": "What shall this session be called?",
    "tui.rename.done": "This session is called “{name}” now.",
}
