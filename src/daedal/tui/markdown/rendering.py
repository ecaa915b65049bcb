"""How does a piece of Markdown look? Parsed by markdown-it, drawn as rows.

Everything that came from a model is made visible first: nothing in it steers the terminal.
"""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from daedal.tui.markdown.code import code_rows
from daedal.tui.markdown.inline import inline_rows, spans
from daedal.tui.markdown.tables import table_rows
from daedal.tui.terminal.visible import visible
from daedal.tui.terminal.widths import Row, row_width

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

INDENT = "  "
BULLETS = ("•", "◦", "▪")


@cache
def _parser() -> "MarkdownIt":
    """Slow to load, so not before the first word of a model."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def warm_up() -> None:
    """Loads what takes long."""
    render("a\n\n```python\n1\n```\n", 80)


def render(text: str, columns: int) -> list[Row]:
    tokens = _parser().parse(visible(text))
    return _Drawing(columns).blocks(tokens)


class _Drawing:
    def __init__(self, columns: int) -> None:
        self._columns = columns

    def blocks(self, tokens: "Sequence[Token]", depth: int = 0, *, is_tight: bool = False) -> list[Row]:
        rows: list[Row] = []
        at = 0
        while at < len(tokens):
            end = _end(tokens, at)
            drawn = self._block(tokens[at : end + 1], depth)
            if drawn and rows and not is_tight:
                rows.append([])
            rows += drawn
            at = end + 1
        return rows

    def _block(self, tokens: "Sequence[Token]", depth: int) -> list[Row]:
        token = tokens[0]
        match token.type:
            case "paragraph_open":
                return inline_rows(tokens[1], self._columns)
            case "heading_open":
                return inline_rows(tokens[1], self._columns, "heading underline" if token.tag == "h1" else "heading")
            case "fence" | "code_block":
                return code_rows(token.content, token.info, self._columns)
            case "bullet_list_open" | "ordered_list_open":
                return self._list(tokens, depth)
            case "blockquote_open":
                return self._indented([("quiet", "▎ ")], tokens[1:-1], depth, style="quote")
            case "hr":
                return [[("quiet", "─" * min(self._columns, 40))]]
            case "table_open":
                return table_rows(tokens, self._columns)
            case "inline":
                return inline_rows(token, self._columns)
            case _:
                return [spans_row(line) for line in token.content.rstrip("\n").split("\n")] if token.content else []

    def _list(self, tokens: "Sequence[Token]", depth: int) -> list[Row]:
        rows: list[Row] = []
        number = int(tokens[0].attrs.get("start", 1)) if tokens[0].type == "ordered_list_open" else None
        inner = tokens[1:-1]
        at = 0
        while at < len(inner):
            end = _end(inner, at)
            content = inner[at + 1 : end]
            is_tight = all(
                token.hidden
                for token in content
                if token.type == "paragraph_open" and token.level < inner[at].level + 2
            )
            mark = f"{number}. " if number is not None else f"{BULLETS[min(depth, 2)]} "
            number = number + 1 if number is not None else None
            rows += self._indented([("accent", mark)], content, depth + 1, is_tight=is_tight, only_first=True)
            at = end + 1
        return rows

    def _indented(
        self,
        mark: Row,
        tokens: "Sequence[Token]",
        depth: int,
        *,
        is_tight: bool = False,
        only_first: bool = False,
        style: str = "",
    ) -> list[Row]:
        taken = row_width(mark)
        inside = _Drawing(max(self._columns - taken, 10)).blocks(tokens, depth, is_tight=is_tight) or [[]]
        blank: Row = [("", " " * taken)]
        return [
            [*(mark if number == 0 or not only_first else blank if row else []), *_styled(row, style)]
            for number, row in enumerate(inside)
        ]


def _styled(row: Row, style: str) -> Row:
    return [(f"{style} {own}".strip(), text) for own, text in row] if style else row


def spans_row(text: str) -> Row:
    return [("", text)]


def _end(tokens: "Sequence[Token]", at: int) -> int:
    """Where the block that begins here ends."""
    if tokens[at].nesting <= 0:
        return at
    level = 0
    for number in range(at, len(tokens)):
        level += tokens[number].nesting
        if level == 0:
            return number
    return len(tokens) - 1


__all__ = ["render", "spans", "warm_up"]
