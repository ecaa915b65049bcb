"""Where in a TOML text is a key? The standard parser does not say, so the text is scanned once more.

Used only for messages, for `explain` and for editing, and only on text that `tomllib` accepted: the scan follows
the grammar but checks nothing. Every position counts characters of the text, every line counts from one.
"""

import re
from bisect import bisect_right
from enum import Enum, auto
from typing import cast

from msgspec import Struct

from daedal.config.keys import Path

_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_BLANK_OR_COMMA = re.compile(r"(?:[ \t\r\n,]+|#[^\n]*)*")
_KEY_PART = re.compile(r"""[ \t]*([A-Za-z0-9_-]+|"(?:\\.|[^"\\])*"|'[^']*')[ \t]*""")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"""(?:"{0,2})' + r"|'''.*?'''(?:'{0,2})" + r'|"(?:\\.|[^"\\])*"' + r"|'[^']*'", re.DOTALL
)
_PLAIN = re.compile(r"\d{4}-\d\d-\d\d [0-9:.Zz+-]+|[^\s,\]}#]+")


class MarkKind(Enum):
    HEADER = auto()
    """`[table]` or `[[array]]`."""
    KEY = auto()
    """`key = value` on its own line."""
    INNER = auto()
    """A key of an inline table, or an entry of an array."""


class Mark(Struct, frozen=True):
    """One place where the text names a path."""

    kind: MarkKind
    path: Path
    section: Path
    """The path of the header that it stands under."""
    line: int
    start: int
    value_start: int
    value_end: int
    """Of a header: where it ends."""


def marks(text: str) -> list[Mark]:
    """Every header, key and array entry, in the order of the text."""
    return _Scan(text).run()


def lines(text: str) -> dict[Path, int]:
    """The line that first names each path, also where it only names something below it."""
    found: dict[Path, int] = {}
    for mark in marks(text):
        for length in range(1, len(mark.path) + 1):
            found.setdefault(mark.path[:length], mark.line)
    return found


def lines_of(text: str, file: str) -> dict[Path, int]:
    """The same for whichever of the two languages the file is written in."""
    if file.endswith(".json"):
        from daedal.config.json_lines import json_lines

        return json_lines(text)
    return lines(text)


def line_of(known: dict[Path, int], path: Path) -> int | None:
    """The path's line, else that of the closest table around it."""
    return next((known[path[:n]] for n in range(len(path), 0, -1) if path[:n] in known), None)


class _Scan:
    def __init__(self, text: str) -> None:
        self._text = text
        self._line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._array_sizes: dict[Path, int] = {}
        self._section: Path = ()
        self._marks: list[Mark] = []

    def run(self) -> list[Mark]:
        position = self._skip(_BLANK, 0)
        while position < len(self._text):
            if self._text[position] == "[":
                position = self._header(position)
            else:
                position = self._pair(MarkKind.KEY, position, self._section)
            position = self._skip(_BLANK, position)
        return sorted(self._marks, key=lambda mark: mark.start)

    def _header(self, start: int) -> int:
        is_array = self._text.startswith("[[", start)
        names, position = self._key(start + (2 if is_array else 1))
        path: Path = ()
        for depth, name in enumerate(names, 1):
            path = (*path, name)
            if is_array and depth == len(names):
                self._array_sizes[path] = self._array_sizes.get(path, 0) + 1
            if path in self._array_sizes:
                # A name below an array of tables means the array's latest entry.
                path = (*path, self._array_sizes[path] - 1)
        end = position + (2 if is_array else 1)
        self._section = path
        self._mark(MarkKind.HEADER, path, start, end, end)
        return end

    def _pair(self, kind: MarkKind, start: int, base: Path) -> int:
        names, position = self._key(start)
        path = base + names
        value_start = self._skip(_BLANK, position + 1)
        end = self._value(value_start, path)
        self._mark(kind, path, start, value_start, end)
        return end

    def _key(self, position: int) -> tuple[Path, int]:
        """The names of a dotted key and where it ends, the blanks behind it included."""
        names: list[str] = []
        while match := _KEY_PART.match(self._text, position):
            names.append(_unquoted(match[1]))
            position = match.end()
            if not self._text.startswith(".", position):
                break
            position += 1
        return tuple(names), position

    def _value(self, start: int, path: Path) -> int:
        """Where the value ends."""
        opening = self._text[start]
        if opening == "{":
            position = self._skip(_BLANK_OR_COMMA, start + 1)
            while self._text[position] != "}":
                position = self._skip(_BLANK_OR_COMMA, self._pair(MarkKind.INNER, position, path))
            return position + 1
        if opening == "[":
            return self._array(start, path)
        match = (_STRING if opening in "\"'" else _PLAIN).match(self._text, start)
        return cast("re.Match[str]", match).end()

    def _array(self, start: int, path: Path) -> int:
        position = self._skip(_BLANK_OR_COMMA, start + 1)
        index = 0
        while self._text[position] != "]":
            end = self._value(position, (*path, index))
            self._mark(MarkKind.INNER, (*path, index), position, position, end)
            position = self._skip(_BLANK_OR_COMMA, end)
            index += 1
        return position + 1

    def _mark(self, kind: MarkKind, path: Path, start: int, value_start: int, value_end: int) -> None:
        line = bisect_right(self._line_starts, start)
        self._marks.append(Mark(kind, path, self._section, line, start, value_start, value_end))

    def _skip(self, pattern: re.Pattern[str], position: int) -> int:
        match = pattern.match(self._text, position)
        return match.end() if match else position


def _unquoted(token: str) -> str:
    if token[0] != '"':
        return token.strip("'")
    if "\\" not in token:
        return token[1:-1]
    import tomllib

    return tomllib.loads(f"name = {token}")["name"]
