"""How do cells become columns? Each as wide as it needs; where there is no room for that, the widest ones break."""

from daedal.tui.listing import Listing
from daedal.tui.terminal.widths import Row, Span, row_width, width, wrap

INDENT = 2
GAP = 2
NARROWEST = 8


def rows(body: Listing, columns: int) -> list[Row]:
    found: list[Row] = wrap([("heading", body.title)], columns) if body.title else []
    if body.rows:
        lines = [[("quiet", heading) for heading in body.headings], *body.rows]
        widths = _widths(lines, columns - INDENT)
        found += [row for line in lines for row in _laid_out(line, widths, body.numbers)]
    for note in body.notes:
        found += wrap([("quiet", note)], columns, first=[("", " " * INDENT)])
    return found


def _widths(lines: list[list[Span]], room: int) -> list[int]:
    widths = [max(width(line[at][1]) for line in lines) for at in range(len(lines[0]))]
    over = sum(widths) + GAP * (len(widths) - 1) - room
    while over > 0 and max(widths) > NARROWEST:
        widest = widths.index(max(widths))
        rest = max([one for at, one in enumerate(widths) if at != widest], default=NARROWEST)
        step = min(over, max(widths[widest] - max(rest, NARROWEST), 1))
        widths[widest] -= step
        over -= step
    return widths


def _laid_out(line: list[Span], widths: list[int], numbers: tuple[int, ...]) -> list[Row]:
    cells = [wrap([cell], max(room, 1)) for cell, room in zip(line, widths, strict=True)]
    made: list[Row] = []
    for number in range(max(len(cell) for cell in cells)):
        row: Row = [("", " " * INDENT)]
        for at, (cell, room) in enumerate(zip(cells, widths, strict=True)):
            part = cell[number] if number < len(cell) else []
            space = " " * (room - row_width(part))
            row += [("", space), *part, ("", " " * GAP)] if at in numbers else [*part, ("", space + " " * GAP)]
        made.append(row[:-1])
    return made
