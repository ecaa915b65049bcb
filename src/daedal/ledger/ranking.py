"""How does what somebody typed become a question to FTS5, and which of the answers are worth reading?

People and models write anything: quotes, AND, stars, other scripts, nothing at all. Every word becomes a quoted string,
which FTS5 reads as words and never as syntax. `"two words"` is a phrase, and `conf*` the beginning of a word.
"""

import re
from collections.abc import Sequence
from typing import TypeVar

TERMS_MAX = 12
QUERY_CHARACTERS_MAX = 1_000
PREFIX_CHARACTERS_MIN = 4
"""Shorter beginnings are taken for whole words: half of all entries have a word that begins so."""
FLOOR = 0.2
"""Of the best score. What only shares a common word with the question lies far below."""
_PART = re.compile(r'"([^"]*)"|([^\s"]+)')
_WORD = re.compile(r"[^\W_]+")
T = TypeVar("T")


def readings(query: str) -> list[list[str]]:
    """What may be looked for, each as FTS5 writes strings: the parts as they stand, and if those find nothing, words.

    `retry_budget` or `title:tabs` is one part, found where its words follow each other. No reading where no word is.
    """
    text = query[:QUERY_CHARACTERS_MAX].replace("\0", " ").encode("utf-8", "replace").decode()
    parts = [_term(match) for match in _PART.finditer(text) if any(map(str.isalnum, match[0]))]
    loose = [f'"{word}"' for word in words(query)]
    both = [parts] if loose == parts else [parts, loose]
    return [list(dict.fromkeys(reading))[:TERMS_MAX] for reading in both if reading]


def words(query: str) -> list[str]:
    """The bare words of a question, to be found again in a text."""
    return [word.lower() for word in _WORD.findall(query[:QUERY_CHARACTERS_MAX].encode("utf-8", "replace").decode())]


def _term(match: re.Match[str]) -> str:
    part = match[1] if match[1] is not None else match[2]
    is_prefix = match[2] is not None and part.endswith("*") and len(part) > PREFIX_CHARACTERS_MIN
    return f'"{part.lower()}"' + ("*" if is_prefix else "")


def above_floor(scored: Sequence[tuple[float, T]]) -> list[T]:
    """The best and whatever is not far worse. BM25 as SQLite gives it: the lower, the better; sorted already."""
    return [one for score, one in scored if score <= scored[0][0] * FLOOR]
