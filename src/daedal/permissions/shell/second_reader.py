"""Does another parser find the same commands in the same places?

Any one reader of shell text has its blind spots. tree-sitter-bash reads a carriage return as a blank and cuts words at
line continuations, and the strict reader is our own work; a text that both read alike leaves much less room to hide in.
"""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Parser, Query

_COMMANDS = "[(command_name) (declaration_command) (unset_command) (test_command)] @command"


@cache
def _bash() -> "tuple[Parser, Query]":
    import tree_sitter_bash
    from tree_sitter import Language, Parser, Query

    language = Language(tree_sitter_bash.language())
    return Parser(language), Query(language, _COMMANDS)


def disagreement(text: str, starts: set[int], literal: list[tuple[int, int]]) -> str | None:
    """What the second reader sees otherwise, or None. `starts` are the places where the first found commands.

    Some correct here-documents and `$'…'` strings are errors to it. It then gets a second look at the text with those,
    as the first reader found them, blanked out."""
    found = _starts(text)
    if found is None and literal:
        found = _starts(_without(text, literal))
    if found is None:
        return "shell text that cannot be read for certain"
    return None if found == _in_bytes(text, starts) else "shell text that can be read in two ways"


def _in_bytes(text: str, places: set[int]) -> set[int]:
    if text.isascii():
        return places
    found: set[int] = set()
    at = in_bytes = 0
    for place in sorted(places):
        in_bytes += len(text[at:place].encode())
        at = place
        found.add(in_bytes)
    return found


def _starts(text: str) -> set[int] | None:
    from tree_sitter import QueryCursor

    parser, query = _bash()
    # An escaped blank at the very end is an error to it, unless a line ends behind it.
    end = "\n" if text.endswith(("\\ ", "\\\t")) else ""
    root = parser.parse(f"{text}{end}".encode()).root_node
    if root.has_error:
        return None
    return {node.start_byte for node in QueryCursor(query).captures(root).get("command", ())}


def _without(text: str, literal: list[tuple[int, int]]) -> str:
    """With as many bytes as before, so that places stay where they are."""
    pieces: list[str] = []
    at = 0
    for start, end in sorted(literal):
        if start < at:
            continue
        pieces.append(text[at:start])
        pieces.append("".join(_blank(letter, is_word=text[start] == "$") for letter in text[start:end]))
        at = end
    return "".join([*pieces, text[at:]])


def _blank(letter: str, *, is_word: bool) -> str:
    if letter == "\n" and not is_word:
        return letter
    return "x" if is_word and letter.isascii() else " " if letter.isascii() else letter
