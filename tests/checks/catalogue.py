"""Do the catalogue and those who speak from it agree? Each key that is said exists, each that exists is said.

A key may be written out, chosen by an expression of literals, or made by an f-string (`f"cli.{command}.about"`), which
then stands for every key of that form.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from string import Formatter

from tests.checks.sources import Module

KEY = re.compile(r"[a-z_]+(\.\w+)+")


@dataclass(frozen=True)
class Saying:
    """One `say(…)` in the code."""

    place: str
    keys: frozenset[str]
    """The keys it can say, where they are written out."""
    patterns: tuple[re.Pattern[str], ...]
    values: frozenset[str] | None
    """The names it fills in; None where they are not written out (`**values`)."""
    is_exact: bool
    """Whether the values belong to one key alone."""


def words_of(module: Module) -> dict[str, str]:
    """The sentences of one catalogue file."""
    for node in module.tree.body:
        targets = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [])
        if any(isinstance(target, ast.Name) and target.id == "WORDS" for target in targets):
            return ast.literal_eval(node.value)  # type: ignore[union-attr]
    return {}


def placeholders(sentence: str) -> set[str]:
    """The names that a sentence has a place for. Raises ValueError where its braces do not pair."""
    return {re.split(r"[.\[]", name)[0] for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def sayings(module: Module) -> Iterator[Saying]:
    assigned = _literals_by_name(module)
    for node in module.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say" and node.args:
            yield _saying(node, module.place, assigned)


def _saying(call: ast.Call, place: str, assigned: Mapping[str, set[str]]) -> Saying:
    key = call.args[0]
    names = [keyword.arg for keyword in call.keywords]
    written = frozenset(_keys_in(key, assigned))
    made = tuple(_pattern(node) for node in ast.walk(key) if isinstance(node, ast.JoinedStr))
    return Saying(
        place=f"{place}:{call.lineno}",
        keys=frozenset() if made else written,
        patterns=made,
        values=None if None in names else frozenset(name for name in names if name),
        is_exact=isinstance(key, ast.Constant),
    )


def _keys_in(node: ast.expr, assigned: Mapping[str, set[str]]) -> Iterator[str]:
    for below in ast.walk(node):
        if isinstance(below, ast.Constant) and isinstance(below.value, str) and KEY.fullmatch(below.value):
            yield below.value
        elif isinstance(below, ast.Name):
            yield from assigned.get(below.id, ())


def _pattern(made: ast.JoinedStr) -> re.Pattern[str]:
    return re.compile(
        "".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"\w+" for part in made.values)
    )


def _literals_by_name(module: Module) -> dict[str, set[str]]:
    """Key-like literals in what a module assigns to a name, or lets it run through."""
    found: dict[str, set[str]] = {}
    for node in module.nodes:
        match node:
            case ast.Assign(targets=targets, value=value):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                targets = [target]
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                targets = [target]
            case _:
                continue
        literals = {
            below.value
            for below in ast.walk(value)
            if isinstance(below, ast.Constant) and isinstance(below.value, str) and KEY.fullmatch(below.value)
        }
        for name in (name for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)):
            found.setdefault(name.id, set()).update(literals)
    return found


def disagreements(code: list[Module], words: Mapping[str, str]) -> Iterator[str]:
    """Sayings of what does not exist, values that do not fit, and sentences that nobody says."""
    said: set[str] = set()
    for module in code:
        said |= {text for text in _texts(module) if text in words}
        for saying in sayings(module):
            for pattern in saying.patterns:
                matching = {key for key in words if pattern.fullmatch(key)}
                said |= matching
                if not matching:
                    yield f"{saying.place}: no sentence is called {pattern.pattern}"
            for key in sorted(saying.keys):
                if key not in words:
                    yield f"{saying.place}: no sentence is called {key}"
                else:
                    yield from _misfits(saying, key, words[key])
    for key in sorted(set(words) - said):
        yield f"{key} is said by nobody"


def _misfits(saying: Saying, key: str, sentence: str) -> Iterator[str]:
    if saying.values is None:
        return
    try:
        wanted = placeholders(sentence)
    except ValueError:
        wanted = {"{"}
    if not saying.values:
        # Said without values a sentence is not filled in, so its braces are shown as they are.
        wanted = {name for name in wanted if name.isidentifier()}
        if "{{" in sentence:
            yield f"{saying.place}: {key} is said without values, so its doubled braces would be shown doubled"
    if missing := wanted - saying.values:
        yield f"{saying.place}: {key} also needs {', '.join(sorted(missing))}"
    if saying.is_exact and (idle := saying.values - wanted):
        yield f"{saying.place}: {key} has no place for {', '.join(sorted(idle))}"


def _texts(module: Module) -> Iterator[str]:
    for node in module.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
