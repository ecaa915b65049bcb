"""How many columns does text take on a terminal? Wide characters take two, marks none."""

from functools import lru_cache
from unicodedata import category, east_asian_width


@lru_cache(maxsize=4096)
def letter_width(letter: str) -> int:
    if category(letter) in ("Mn", "Me", "Cf") or letter in "\u200d":
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1


def width(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(map(letter_width, text))


def head(text: str, columns: int) -> str:
    """As much of its beginning as fits."""
    if text.isascii():
        return text[: max(columns, 0)]
    taken = 0
    for index, letter in enumerate(text):
        taken += letter_width(letter)
        if taken > columns:
            return text[:index]
    return text


def padded(text: str, columns: int) -> str:
    return text + " " * max(columns - width(text), 0)
