"""What does a command show that has several things of one kind? Rows of cells under headings."""

from collections.abc import Sequence

from msgspec import Struct

from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Span


class Listing(Struct, frozen=True):
    """Laid out when it is drawn, for the terminal as wide as it is then."""

    title: str
    headings: list[str]
    rows: list[list[Span]]
    """Made visible already."""
    notes: list[str] = []
    """Below it, quietly."""
    numbers: tuple[int, ...] = ()
    """Columns whose cells stand at the right."""


def listing(
    title: str,
    headings: str,
    rows: Sequence[Sequence[str | Span]],
    *,
    notes: Sequence[str] = (),
    numbers: tuple[int, ...] = (),
) -> Listing:
    """`headings` are parted by bars; a cell is text, or a style and text."""
    cells = [[("", flat(cell)) if isinstance(cell, str) else (cell[0], flat(cell[1])) for cell in row] for row in rows]
    return Listing(title, headings.split("|"), cells, [flat(note) for note in notes], numbers)
