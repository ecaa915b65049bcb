"""Where does a line of help break? Between words, and between wide letters, which stand without spaces."""

from collections.abc import Iterator

from daedal.protocol.widths import head, letter_width, width

CLINGING = frozenset("，。、；：？！）》”’…·")
"""What never begins a line."""


def wrapped(text: str, columns: int) -> list[str]:
    """The text as lines that take no more columns than that."""
    lines: list[str] = []
    line = ""
    for piece in _pieces(text):
        if line and width(line) + width(piece.rstrip()) > columns:
            lines.append(line.rstrip())
            line = ""
        line += piece
        while width(line.rstrip()) > columns:
            beginning = head(line, columns) or line[0]
            lines.append(beginning)
            line = line[len(beginning) :]
    return [*lines, line.rstrip()]


def _pieces(text: str) -> Iterator[str]:
    """What stays together: words with the space behind them, and wide letters one by one."""
    start = 0
    for index in range(1, len(text)):
        before, letter = text[index - 1], text[index]
        if letter == " " or letter in CLINGING:
            continue
        if before == " " or letter_width(before) == 2 or letter_width(letter) == 2:
            yield text[start:index]
            start = index
    yield text[start:]
