"""What /compact says to people."""

WORDS = {
    "tui.compact.about": "fold what was said so far into a summary, minding what you name",
    "tui.compact.done": "Folded: {before} tokens became {after}.",
}
