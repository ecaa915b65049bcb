"""What shape does text take before a person sees it? Harmless, on one line, or in columns."""

import os
import sys
from collections.abc import Sequence
from typing import TextIO

STEERING = (
    *range(0x80, 0xA0),
    *(0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x180E, 0x200B, 0x200E, 0x200F, 0x3164, 0xFEFF, 0xFFA0),
    *range(0x2028, 0x202F),
    *range(0x2060, 0x2070),
    *range(0xFFF9, 0xFFFC),
    *range(0xE0000, 0xE0080),
)
"""Beyond ASCII: what a terminal obeys, what turns the way that text runs, and what nobody sees."""
ESCAPED = {code: f"\\u{code:04x}" if code < 0x10000 else f"\\udb40\\u{0xDC00 + code % 1024:04x}" for code in STEERING}
"""As JSON writes it, where it means the same, and everybody can see it."""
CONTROL = {**dict.fromkeys([*range(9), *range(11, 32), 127], "�"), **ESCAPED}
"""Characters that a terminal might obey. What a model, a file or a command says is shown, never obeyed."""


def visible(text: str) -> str:
    return text.translate(CONTROL)


def for_reader(text: str) -> str:
    """For standard output: harmless on a terminal, as it is for a file or another program."""
    return visible(text) if sys.stdout.isatty() else text


def obeys(stream: TextIO) -> bool:
    """Whether there is a terminal at the other end that moves its cursor and shows colours."""
    return stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def dimmed(text: str) -> str:
    return f"\x1b[2m{text}\x1b[0m"


def one_line(text: str, length_max: int) -> str:
    """The text on one line, shortened where it is long, with nothing in it that a terminal would obey."""
    flat = visible(" ".join(text[: length_max * 4].split()))
    if flat.isascii() and len(flat) <= length_max:
        return flat
    from daedal.protocol.widths import head, width

    return flat if width(flat) <= length_max else head(flat, length_max - 1) + "…"


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as they need to be, two spaces apart; the last one runs free."""
    from daedal.protocol.widths import padded, width

    lines = [list(headings), *[list(row) for row in rows]]
    widths = [max(width(line[column]) for line in lines) for column in range(len(headings) - 1)]
    cells = [[padded(cell, columns) for cell, columns in zip(line, [*widths, 0], strict=True)] for line in lines]
    return "\n".join("  ".join(line).rstrip() for line in cells)
