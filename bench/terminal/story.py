"""What does the model of these measurements say? Paragraphs, lists and code, a word or two at a time."""

from collections.abc import Iterator

PARAGRAPH = (
    "The **ledger** keeps every call before the world moves on, so `resume` finds what was meant and what was done, "
    "and nothing runs twice. Most of the time nobody looks at it, which is how it should be.\n\n"
)
LIST = (
    "- a first point that is short\n- a second one with `code` in it\n- a third, somewhat longer, for good measure\n\n"
)
CODE = (
    "```python\n"
    "def settle(calls: list[Call]) -> dict[str, int]:\n"
    '    """Adds up what each of them took."""\n'
    "    total = {}\n"
    "    for call in calls:\n"
    "        total[call.name] = total.get(call.name, 0) + call.taken\n"
    "    return total\n"
    "```\n\n"
)
END = "\n\nThat-is-all."
"""The last words, which nothing before them contains."""


def deltas(count: int) -> Iterator[str]:
    """So many pieces of about six letters."""
    story = PARAGRAPH + LIST + CODE + PARAGRAPH
    at = 0
    for _ in range(count - 1):
        yield (story * 2)[at : at + 6]
        at = (at + 6) % len(story)
    yield END
