"""How does code look? Indented by nothing, so that it can be copied, in the colours of its language."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from daedal.tui.markdown.splitting import GOES_ON
from daedal.tui.terminal.widths import Row

if TYPE_CHECKING:
    from pygments.lexer import Lexer

HIGHLIGHTED_MAX = 100_000
KINDS = (
    ("Token.Comment", "token-comment"),
    ("Token.Keyword", "token-keyword"),
    ("Token.Literal.String", "token-string"),
    ("Token.Literal.Number", "token-number"),
    ("Token.Name.Function", "token-name"),
    ("Token.Name.Class", "token-name"),
    ("Token.Name.Tag", "token-keyword"),
    ("Token.Name.Attribute", "token-name"),
    ("Token.Name.Builtin", "token-name"),
    ("Token.Name.Decorator", "token-name"),
    ("Token.Generic.Inserted", "added"),
    ("Token.Generic.Deleted", "removed"),
    ("Token.Generic.Subheading", "hunk"),
)
EDGE = ("quiet", "  ")


def code_rows(code: str, info: str, columns: int) -> list[Row]:
    """Long lines are left to the terminal to break: whoever copies them gets them whole."""
    del columns
    language = info.replace(GOES_ON, "").strip().split(" ")[0].split(",")[0]
    return [[EDGE, *row] if row else [] for row in highlighted(code.rstrip("\n"), language)]


def highlighted(code: str, language: str) -> list[Row]:
    lexer = _lexer(language.lower()) if language and len(code) <= HIGHLIGHTED_MAX else None
    if lexer is None:
        return [[("code", line)] if line else [] for line in code.split("\n")]
    rows: list[Row] = [[]]
    for kind, text in lexer.get_tokens(code):
        style = _style(kind)
        for number, part in enumerate(text.split("\n")):
            if number:
                rows.append([])
            if part:
                rows[-1].append((style, part))
    # A lexer ends with a line feed of its own.
    return rows[: code.count("\n") + 1]


@lru_cache(maxsize=32)
def _lexer(language: str) -> "Lexer | None":
    from pygments.lexers import get_lexer_by_name  # pyright: ignore[reportUnknownVariableType]
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False)  # pyright: ignore[reportUnknownVariableType]
    except ClassNotFound:
        return None


@lru_cache(maxsize=256)
def _style(kind: Any) -> str:
    name = str(kind)
    return next((style for prefix, style in KINDS if name.startswith(prefix)), "")


def language_of(path: str) -> str:
    """By a file's name; empty where nobody knows."""
    from pygments.lexers import find_lexer_class_for_filename

    found = find_lexer_class_for_filename(path.rpartition("/")[2])
    return found.aliases[0] if found is not None and found.aliases else ""
