"""How does a screen become a picture? Each run of equal letters as text in an SVG, for people to look at."""

from html import escape
from itertools import groupby

import pyte

CELL, LINE, MARGIN = 8.4, 18, 16
GROUND, INK = "#1c1e26", "#d5d8e0"
COLOURS = {
    "black": "#5c6370",
    "red": "#d75f5f",
    "green": "#87af5f",
    "brown": "#d7af5f",
    "blue": "#5f87d7",
    "magenta": "#af87d7",
    "cyan": "#5fafd7",
    "white": "#d5d8e0",
}


def svg(screen: pyte.Screen, title: str) -> str:
    width = screen.columns * CELL + 2 * MARGIN
    height = screen.lines * LINE + 2 * MARGIN
    texts = [text for row in range(screen.lines) for text in _row(screen, row)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img">',
            f"<title>{escape(title)}</title>",
            f'<rect width="100%" height="100%" rx="8" fill="{GROUND}"/>',
            '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="14"'
            ' xml:space="preserve">',
            *texts,
            "</g>",
            "</svg>",
            "",
        ]
    )


def _row(screen: pyte.Screen, row: int) -> list[str]:
    cells = [(column, screen.buffer[row][column]) for column in range(screen.columns)]
    found: list[str] = []
    for look, run in groupby(cells, key=lambda cell: _look(cell[1])):
        told = list(run)
        text = "".join(cell.data for _, cell in told)
        if not text.strip():
            continue
        x, y = MARGIN + told[0][0] * CELL, MARGIN + (row + 0.75) * LINE
        length = len(told) * CELL
        found.append(f'<text x="{x:.1f}" y="{y:.1f}" textLength="{length:.1f}"{look}>{escape(text)}</text>')
    return found


def _look(cell: pyte.screens.Char) -> str:
    ink = COLOURS.get(cell.fg) or (f"#{cell.fg}" if len(cell.fg) == 6 else INK)
    looks = f' fill="{ink}"'
    if cell.bold:
        looks += ' font-weight="bold"'
    if cell.italics:
        looks += ' font-style="italic"'
    if cell.underscore:
        looks += ' text-decoration="underline"'
    return looks
