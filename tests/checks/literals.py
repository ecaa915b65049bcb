"""Where is a sentence for people written outside the catalogue? In what is printed, raised, or said by `--help`.

A literal counts as a sentence when it holds a word. Line ends, separators, terminal codes, format strings without
words and the product's own name are no sentences. Names are followed to what the same module assigns to them.
"""

import ast
import re
from collections.abc import Iterator

from tests.checks.sources import Module

TERMINAL_CODE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
WORD = re.compile(r"[^\W\d_]{2,}")
NAMES = {"daedal"}
HELP = {"help", "description", "epilog"}
PARSERS = {"ArgumentParser", "Parser", "add_argument", "add_argument_group", "add_parser", "add_subparsers"}
SPEAKERS = {"ArgumentTypeError", "getpass", "input", "on_warning", "warn"}
STREAMS = {"stdout", "stderr"}
TEXT_METHODS = {"join", "format", "ljust", "rjust", "center", "strip", "rstrip", "lstrip", "upper", "lower", "title"}


def error_names(modules: list[Module], root: str = "DaedalError") -> set[str]:
    """The root error and every class below it, by name."""
    found = {root}
    bases = {
        node.name: {_last(base) for base in node.bases}
        for module in modules
        for node in module.nodes
        if isinstance(node, ast.ClassDef)
    }
    while fresh := {name for name, above in bases.items() if above & found} - found:
        found |= fresh
    return found


def stray_sentences(module: Module, errors: set[str]) -> Iterator[str]:
    """`file:line: "the literal"` for each sentence that should come from `say`."""
    assigned = _assignments(module)
    for node in module.nodes:
        if not isinstance(node, ast.Call):
            continue
        for argument in _read_by_people(node, errors):
            for text in _sentences(argument, assigned, set()):
                yield f'{module.place}:{node.lineno}: "{text.strip()}"'


def _read_by_people(call: ast.Call, errors: set[str]) -> Iterator[ast.expr]:
    """The arguments of a call that end up before a person."""
    name = _last(call.func)
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    if name == "print" and isinstance(call.func, ast.Name):
        yield from call.args
        yield from (keywords[key] for key in ("sep", "end") if key in keywords)
    elif name in ("write", "writelines") and isinstance(call.func, ast.Attribute):
        if _last(call.func.value) in STREAMS:
            yield from call.args
    elif name in errors | SPEAKERS or (name == "error" and isinstance(call.func, ast.Attribute)):
        yield from call.args
        yield from keywords.values()
    elif name in PARSERS:
        yield from (keywords[key] for key in HELP if key in keywords)


def _sentences(node: ast.expr | None, assigned: dict[str, list[ast.expr]], seen: set[str]) -> Iterator[str]:
    """The literals with words that an expression can show."""
    match node:
        case ast.Constant(value=str(text)):
            if set(map(str.lower, WORD.findall(TERMINAL_CODE.sub("", text)))) - NAMES:
                yield text
        case ast.Name(id=name):
            if name not in seen:
                for value in assigned.get(name, []):
                    yield from _sentences(value, assigned, seen | {name})
        case ast.Call(func=ast.Attribute(value=value, attr=method), args=args) if method in TEXT_METHODS:
            for below in (value, *(args if method in ("join", "format") else [])):
                yield from _sentences(below, assigned, seen)
        case _:
            for below in _shown(node):
                yield from _sentences(below, assigned, seen)


def _shown(node: ast.expr | None) -> list[ast.expr]:
    """The parts of an expression that become part of its text; conditions, keys and other calls do not."""
    match node:
        case ast.JoinedStr(values=parts) | ast.BoolOp(values=parts):
            return parts
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return parts
        case ast.FormattedValue(value=part) | ast.Starred(value=part) | ast.NamedExpr(value=part):
            return [part]
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.IfExp(body=body, orelse=orelse):
            return [body, orelse]
        case ast.GeneratorExp(elt=part) | ast.ListComp(elt=part) | ast.SetComp(elt=part):
            return [part]
        case _:
            return []


def _assignments(module: Module) -> dict[str, list[ast.expr]]:
    """What a module assigns to each plain name, wherever it does so."""
    found: dict[str, list[ast.expr]] = {}
    for node in module.nodes:
        match node:
            case ast.Assign(targets=targets, value=value):
                names = [target.id for target in targets if isinstance(target, ast.Name)]
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                names = [name]
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                names = [name]
            case _:
                continue
        for name in names:
            found.setdefault(name, []).append(value)
    return found


def _last(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
