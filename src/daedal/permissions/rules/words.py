"""What would the words of a simple command be? As far as the line itself tells, with what it assigned before."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from daedal.permissions.shell import Script, Word, parse

Words = Sequence[str | None]
"""None stands for what only the shell could know."""


@lru_cache(maxsize=512)
def rule_words(specifier: str) -> tuple[str, ...]:
    """The words of a rule, read as the shell reads a command."""
    script = parse(specifier)
    # What a wrapper would start comes after it, and is not what the rule says.
    said = [command for command in script.commands if not any(map(_is_wrapper, command.within))]
    is_plain = len(said) == 1 and not (script.doubts or said[0].assignments or said[0].redirects)
    told = [word.text for word in said[0].words] if is_plain else []
    if not told or None in told:
        return tuple(specifier.split())
    return tuple(text for text in told if text is not None)


def _is_wrapper(around: str) -> bool:
    return around.startswith("wrapper:")


def assigned(script: Script, home: str) -> dict[str, str]:
    """Variables whose one value stands in the line."""
    values: dict[str, set[str | None]] = {"HOME": {home}}
    for command in script.commands:
        for name, value in command.assignments:
            values.setdefault(name, set()).add(value.text)
    return {name: text for name, (text, *others) in values.items() if text is not None and not others}


def texts(words: Sequence[Word], known: Mapping[str, str]) -> list[str | None]:
    """Each word's text. A variable that stands alone may become several words."""
    found: list[str | None] = []
    for word in words:
        text = expanded(word, known)
        is_loose = word.text is None and any(piece.variable and not piece.is_quoted for piece in word.pieces)
        found += text.split() if text is not None and is_loose else [text]
    return found


def expanded(word: Word, known: Mapping[str, str]) -> str | None:
    if word.text is not None:
        return word.text
    if not word.pieces:
        return None
    parts = [piece.text if piece.text is not None else known.get(piece.variable or "") for piece in word.pieces]
    return None if None in parts else "".join(part for part in parts if part is not None)
