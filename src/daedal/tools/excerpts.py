"""Which part of a long text is worth showing? The part that speaks of what was looked for."""

from collections.abc import Sequence

_STEM_MIN = 4


def excerpt(text: str, words: Sequence[str], length_max: int) -> str:
    """At most so many characters on one line, around the first place where one of the words stands."""
    flat = " ".join(text.split())
    if len(flat) <= length_max:
        return flat
    at = _place(flat.lower(), words)
    start = max(0, min(at - length_max // 3, len(flat) - length_max))
    cut = flat[start : start + length_max]
    return f"{'…' if start else ''}{cut}{'…' if start + length_max < len(flat) else ''}"


def shortened(text: str, length_max: int) -> str:
    """Its beginning, with its lines, and how much more there is."""
    if len(text) <= length_max:
        return text
    return f"{text[:length_max]}… ({len(text) - length_max} more characters)"


def _place(text: str, words: Sequence[str]) -> int:
    """The longest words first: they say most. The index found stems, so the ending may be another."""
    for word in sorted(words, key=len, reverse=True):
        for part in (word, word[: max(_STEM_MIN, len(word) - 3)]):
            at = text.find(part)
            if at >= 0:
                return at
    return 0
