"""What does a paragraph say while it is being read? Words, with marks and links around some of them."""

import re

from msgspec import Struct

OPEN_MAX = 16
"""Deeper nesting of marks says nothing more."""

ANCHORS = frozenset(("#", "¶", "§", "🔗"))
"""What a link says that only names the heading it stands in."""

_BLANKS = re.compile(r"[ \t\n\r\f\v]+")
_BLANKS_BETWEEN = re.compile(r" {2,}")
_AROUND_BREAKS = re.compile(r" *\n *")


class _Mark(Struct, frozen=True):
    name: str
    sign: str
    link: str
    start: int
    """Which of the parts is its first."""


class Phrase:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._open: list[_Mark] = []

    def add(self, text: str) -> None:
        self._parts.append(_BLANKS.sub(" ", text))

    def break_line(self) -> None:
        self._parts.append("\n")

    def open(self, name: str, sign: str, link: str = "") -> None:
        if len(self._open) < OPEN_MAX:
            self._open.append(_Mark(name, sign, link, len(self._parts)))

    def close(self, name: str) -> None:
        """Also closes what was opened within it and forgotten."""
        if any(mark.name == name for mark in self._open):
            while self._close_last().name != name:
                pass

    def take(self) -> str:
        """All of it, with every mark closed; the next paragraph starts anew. A link without words waits for them."""
        waiting = [mark for mark in self._open if mark.link and not "".join(self._parts[mark.start :]).strip()]
        while self._open:
            self._close_last()
        text = _AROUND_BREAKS.sub("\n", _BLANKS_BETWEEN.sub(" ", "".join(self._parts))).strip()
        self._parts.clear()
        self._open = [_Mark(mark.name, mark.sign, mark.link, 0) for mark in waiting]
        return text

    def _close_last(self) -> _Mark:
        mark = self._open.pop()
        inner = "".join(self._parts[mark.start :])
        del self._parts[mark.start :]
        words = inner.strip()
        if words and not (mark.name == "a" and words in ANCHORS):
            before = " " if inner[0].isspace() else ""
            after = " " if inner[-1].isspace() else ""
            self._parts.append(f"{before}{_marked(words, mark)}{after}")
        elif inner and not words:
            self._parts.append(" ")
        return mark


def _marked(words: str, mark: _Mark) -> str:
    if mark.name == "a":
        return f"[{' '.join(words.split())}]({mark.link})" if mark.link else words
    if mark.sign == "`" and "`" in words:
        return f"`` {words} ``"
    return f"{mark.sign}{words}{mark.sign}"
