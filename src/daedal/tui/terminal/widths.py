"""How many columns does text take, and where does it break? Wide characters take two, marks none."""

from daedal.protocol.widths import head, letter_width, padded, width

__all__ = ["Row", "Span", "cut", "cut_row", "head", "padded", "row_width", "width", "wrap"]

Span = tuple[str, str]
"""A style's name, and text."""
Row = list[Span]

EMOJI_STYLE = "\ufe0f"


def row_width(row: Row) -> int:
    return sum(width(text) for _, text in row)


def cut(text: str, columns: int) -> str:
    """As much as fits; with an ellipsis where something is missing."""
    if width(text) <= columns:
        return text
    return head(text, columns - 1) + "…" if columns > 0 else ""


def cut_row(row: Row, columns: int) -> Row:
    """The row, no wider than that."""
    kept: Row = []
    left = columns
    for style, text in row:
        taken = width(text)
        if taken > left:
            kept.append((style, cut(text, left)))
            return kept
        kept.append((style, text))
        left -= taken
    return kept


def wrap(row: Row, columns: int, *, first: Row | None = None, rest: Row | None = None) -> list[Row]:
    """The row as several that fit, broken between words where possible; each begins with its prefix."""
    first, rest = first or [], rest if rest is not None else (first or [])
    rows: list[Row] = []
    current: Row = list(first)
    used, is_empty = row_width(first), True
    for style, whole in _words(row):
        word = whole
        taken = width(word)
        if used + taken > columns and not is_empty:
            if word.isspace():
                continue  # The break takes the place of the space.
            rows.append(_trimmed(current))
            current, used, is_empty = list(rest), row_width(rest), True
        if is_empty and word.isspace() and rows:
            continue
        while used + taken > columns and taken > 1:
            piece = head(word, max(columns - used, 1)) or word[0]
            current.append((style, piece))
            rows.append(current)
            word = word[len(piece) :]
            taken = width(word)
            current, used = list(rest), row_width(rest)
        if word:
            current.append((style, word))
            used += taken
            is_empty = False
    rows.append(_trimmed(current))
    return rows


def _trimmed(row: Row) -> Row:
    if row and row[-1][1].endswith(" ") and len(row) > 1:
        style, text = row[-1]
        return [*row[:-1], (style, text.rstrip(" "))]
    return row


def _words(row: Row) -> list[Span]:
    """Words and the spaces between them. Wide letters may be broken anywhere."""
    found: list[Span] = []
    for style, text in row:
        start = 0
        for index, letter in enumerate(text):
            is_space = letter == " "
            if index > start and (is_space != (text[index - 1] == " ") or letter_width(letter) == 2):
                found.append((style, text[start:index]))
                start = index
        if text:
            found.append((style, text[start:]))
    return found
