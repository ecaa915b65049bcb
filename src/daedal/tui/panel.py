"""What does a command of the chat show? Rows that it drew itself, or pairs in two columns."""

from collections.abc import Sequence

from msgspec import Struct

from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row, padded, width


class Panel(Struct, frozen=True):
    rows: list[Row]
    """Made visible already."""
    wraps: bool = True
    hanging: int = 2
    """How far further rows of the same are indented."""


def pairs(title: str, told: Sequence[tuple[str, str]], *, style: str = "accent") -> Panel:
    """Names on the left, what is said about them on the right."""
    first = max((width(name) for name, _ in told), default=0) + 2
    rows: list[Row] = [[("heading", title)]] if title else []
    rows += [[(style, padded(f"  {flat(name)}", first + 2)), ("", flat(text))] for name, text in told]
    return Panel(rows, hanging=first + 2)
