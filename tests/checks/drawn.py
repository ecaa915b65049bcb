"""Where does the chat draw a sentence that is not in the catalogue? In spans of a row, and in texts of several words.

A single word that reaches the screen by another way than a span is not seen by this check.
"""

import ast
import re
from collections.abc import Iterator

from daedal.tui.terminal.styles import ATTRIBUTES
from daedal.tui.themes.dark import THEME
from tests.checks.sources import Module

WORD = re.compile(r"[A-Za-z]{2,}")
SEVERAL = re.compile(r"[A-Za-z]{2,}[,:;]? [A-Za-z]{2,}")
STYLES = {*THEME, *ATTRIBUTES}
NO_SENTENCES = re.compile(r"([a-z]+(\+[a-z])? )+ctrl\+[a-z].*|.*\[.*\]")
"""Lists of keys, and what stands in brackets: types, and the arguments of a command."""
ITERATING = ast.For | ast.comprehension
NAMES = {"Daedal", "Esc", "Ctrl", "Tab", "Enter"}
FOR_THE_MODEL = {"daedal.tui.commands.init"}
"""Modules with texts that a model reads."""


def drawn_sentences(module: Module) -> Iterator[str]:
    """`file:line: "the literal"` for each."""
    if module.room != "tui" or module.name.startswith("daedal.tui.themes") or module.name in FOR_THE_MODEL:
        return
    loose = {id(node.value) for node in module.nodes if isinstance(node, ast.Expr)}
    choices = {
        id(choice)
        for node in module.nodes
        for choice in (
            node.comparators if isinstance(node, ast.Compare) else [node.iter] if isinstance(node, ITERATING) else []
        )
    }
    for node in module.nodes:
        match node:
            case ast.Tuple(elts=[ast.Constant(value=str(style)), text]) if _is_style(style) and id(node) not in choices:
                texts = [part for part in _literals(text) if set(WORD.findall(part)) - NAMES]
            case ast.Constant(value=str(text)) if id(node) not in loose:
                is_sentence = SEVERAL.search(text) and not NO_SENTENCES.fullmatch(text) and not _is_style(text)
                texts = [text] if is_sentence and set(WORD.findall(text)) - NAMES else []
            case _:
                continue
        for text in texts:
            yield f'{module.place}:{node.lineno}: "{text.strip()}"'


def _is_style(text: str) -> bool:
    return set(text.split()) <= STYLES


def _literals(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            for part in parts:
                yield from _literals(part)
        case ast.IfExp(body=body, orelse=orelse):
            yield from _literals(body)
            yield from _literals(orelse)
        case ast.BinOp(left=left, right=right):
            yield from _literals(left)
            yield from _literals(right)
        case _:
            return
