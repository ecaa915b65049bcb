"""How do rows look that somebody has drawn already? As they are: what a command of the chat shows."""

from daedal.tui.panel import Panel
from daedal.tui.terminal.widths import Row, cut_row, wrap


def rows(body: Panel, columns: int) -> list[Row]:
    found: list[Row] = []
    for row in body.rows:
        found += wrap(row, columns, rest=[("", " " * body.hanging)]) if body.wraps else [cut_row(row, columns)]
    return found
