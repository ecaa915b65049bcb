"""What /fork says to people."""

WORDS = {
    "tui.fork.about": "go on in a copy of this session; the session itself stays as it is",
    "tui.fork.nothing": "nothing was said yet · there is nothing to copy",
    "tui.fork.done": "This is a copy. The session that it was made from: daedal resume {id}",
}
