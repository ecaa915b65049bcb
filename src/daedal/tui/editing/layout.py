"""How does a text break into rows, and where in them is the cursor? Rows of a fixed width, the cursor among them."""

from typing import NamedTuple

from daedal.tui.terminal.visible import visible
from daedal.tui.terminal.widths import head, width


class Piece(NamedTuple):
    start: int
    """Of the text."""
    end: int
    """Behind the last character; a line feed after it belongs to it."""


def pieces(text: str, columns: int) -> list[Piece]:
    """At least one, also of nothing. A row leaves room for the cursor behind its last character."""
    found: list[Piece] = []
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        at = start
        while True:
            taken = _fitting(text[at:end], columns)
            found.append(Piece(at, at + taken))
            at += taken
            if at >= end:
                break
        start = end + 1
    return found


def _fitting(text: str, columns: int) -> int:
    """How many characters go onto one row, broken behind a blank where there is one."""
    most = len(head(text, columns - 1))
    if most >= len(text):
        return len(text)
    most = max(most, 1)
    blank = text.rfind(" ", 0, most + 1)
    return blank + 1 if 0 < blank < most else most


def place(text: str, found: list[Piece], at: int) -> tuple[int, int]:
    """Row and column of a position."""
    row = next((number for number in range(len(found) - 1, -1, -1) if found[number].start <= at), 0)
    return row, width(visible(text[found[row].start : at]))


def position(text: str, piece: Piece, column: int) -> int:
    """The position in a row that is nearest to a column."""
    return piece.start + min(len(head(text[piece.start : piece.end], column)), piece.end - piece.start)
