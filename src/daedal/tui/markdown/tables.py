"""How does a table look? Columns as wide as they need to be; where the screen is narrow, they share it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from daedal.tui.markdown.inline import spans
from daedal.tui.terminal.widths import Row, row_width, wrap

if TYPE_CHECKING:
    from markdown_it.token import Token

GAP = 2
COLUMN_MIN = 6


def table_rows(tokens: "Sequence[Token]", columns: int) -> list[Row]:
    lines = _cells(tokens)
    if not lines:
        return []
    count = max(map(len, lines))
    lines = [[*line, *([[]] * (count - len(line)))] for line in lines]
    widths = _fitted([max(row_width(line[number]) for line in lines) for number in range(count)], columns)
    rows: list[Row] = []
    for index, line in enumerate(lines):
        cells = [wrap(cell, widths[number]) for number, cell in enumerate(line)]
        for height in range(max(map(len, cells))):
            row: Row = []
            for number, cell in enumerate(cells):
                part = cell[height] if height < len(cell) else []
                row += [(f"heading {style}".strip(), text) for style, text in part] if index == 0 else part
                if number + 1 < count:
                    row.append(("", " " * (widths[number] - row_width(part) + GAP)))
            rows.append(row)
        if index == 0:
            rows.append([("quiet", (" " * GAP).join("─" * taken for taken in widths))])
    return rows


def _cells(tokens: "Sequence[Token]") -> list[list[Row]]:
    lines: list[list[Row]] = []
    for number, token in enumerate(tokens):
        if token.type == "tr_open":
            lines.append([])
        elif token.type in ("th_open", "td_open"):
            found = spans(tokens[number + 1])
            lines[-1].append([span for line in found for span in line])
    return lines


def _fitted(widths: list[int], columns: int) -> list[int]:
    """The widest gives way until they fit."""
    room = columns - GAP * (len(widths) - 1)
    widths = [max(taken, 1) for taken in widths]
    while sum(widths) > room and max(widths) > COLUMN_MIN:
        widest = widths.index(max(widths))
        widths[widest] -= 1
    return widths
