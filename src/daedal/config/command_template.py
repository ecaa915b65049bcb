"""What does a custom command say once its arguments are filled in?

One pass over the body: what is filled in is never looked at again. And it is kept which parts the person typed, because
a reference that came with a repository may reach less than one that the person wrote.
"""

import re

from msgspec import Struct

from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError

RENDERED_CHARS_MAX = 1_048_576
"""A body can say `$ARGUMENTS` many times."""

_PLACE = re.compile(r"\$(?:\$|ARGUMENTS(?!\w)|[1-9][0-9]*)")
_WORD = re.compile(r'@?"[^"\n]*"(?!\S)|\S+')
_DIGITS_MAX = 6


class Rendered(Struct, frozen=True):
    """A text of which the person typed some."""

    text: str
    typed: list[tuple[int, int]]
    """The parts that the person typed, from and to; the rest came from a command's file."""

    def is_typed(self, start: int, end: int) -> bool:
        return any(first <= start and end <= last for first, last in self.typed)


def as_typed(text: str) -> Rendered:
    return Rendered(text, [(0, len(text))])


def words_of(arguments: str) -> list[str]:
    """Separated by blanks; `"several words"` are one, without the quotes."""
    found: list[str] = _WORD.findall(arguments)
    return [word[1:-1] if len(word) > 1 and word[0] == word[-1] == '"' else word for word in found]


def render(body: str, arguments: str) -> Rendered:
    """Raises UsageError where that becomes too long."""
    pieces = _Pieces()
    words = words_of(arguments)
    end, is_asked = 0, False
    for place in _PLACE.finditer(body):
        pieces.add(body[end : place.start()])
        end = place.end()
        if place[0] == "$$":
            pieces.add("$")
        else:
            is_asked = True
            pieces.add(_filled(place[0][1:], arguments, words), is_typed=True)
    pieces.add(body[end:])
    if arguments and not is_asked:
        pieces.add("\n\nARGUMENTS: ")
        pieces.add(arguments, is_typed=True)
    return Rendered("".join(pieces.texts), pieces.typed)


def _filled(name: str, arguments: str, words: list[str]) -> str:
    if name == "ARGUMENTS":
        return arguments
    number = int(name) if len(name) <= _DIGITS_MAX else len(words) + 1
    return words[number - 1] if number <= len(words) else ""


class _Pieces:
    def __init__(self) -> None:
        self.texts: list[str] = []
        self.typed: list[tuple[int, int]] = []
        self._length = 0

    def add(self, text: str, *, is_typed: bool = False) -> None:
        start = self._length
        self._length += len(text)
        if self._length > RENDERED_CHARS_MAX:
            raise UsageError(say("config.command.too_long", limit=RENDERED_CHARS_MAX))
        self.texts.append(text)
        if is_typed and text:
            self.typed.append((start, self._length))
