"""Where does something that is looked for stand? In what entries say, and in rows as they are drawn."""

from collections.abc import Iterator
from typing import Any, cast

from msgspec import to_builtins
from msgspec.json import encode

from daedal.tui.terminal.widths import Row

FOUND = "selected"


def says(body: Any, wanted: str) -> bool:
    """Whether it has the words, in small letters, anywhere in it. Quicker than to draw it."""
    # As one text it is looked through at once; what is no part of what it says may be in there too.
    if encode(wanted).decode()[1:-1] not in encode(body).decode().lower():
        return False
    return any(wanted in text.lower() for text in _texts(to_builtins(body, str_keys=True)))


def _texts(told: Any) -> Iterator[str]:
    if isinstance(told, str):
        yield told
    elif isinstance(told, dict):
        yield from _texts(list(cast("dict[str, Any]", told).values()))
    elif isinstance(told, list):
        for part in cast("list[Any]", told):
            yield from _texts(part)


def row_with(rows: list[Row], wanted: str) -> list[int]:
    return [number for number, row in enumerate(rows) if wanted in _plain(row)]


def _plain(row: Row) -> str:
    return "".join(text for _, text in row).lower()


def marked(row: Row, wanted: str) -> Row:
    """The row, with what was looked for standing out."""
    plain = _plain(row)
    if not wanted or wanted not in plain or len(plain) != sum(len(text) for _, text in row):
        return row
    inside: set[int] = set()
    at = plain.find(wanted)
    while at >= 0:
        inside.update(range(at, at + len(wanted)))
        at = plain.find(wanted, at + len(wanted))
    found: Row = []
    number = 0
    for style, text in row:
        for letter in text:
            look = FOUND if number in inside else style
            if found and found[-1][0] == look:
                found[-1] = (look, found[-1][1] + letter)
            else:
                found.append((look, letter))
            number += 1
    return found
