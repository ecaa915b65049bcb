"""Does a source of settings fit the schema? If not: which key, where, why, and what was probably meant."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar, cast

import msgspec
from msgspec import Struct

from daedal.config.keys import Path, dotted
from daedal.config.later import LATER
from daedal.config.layers import Layer, combine, place
from daedal.config.schema import Node, Shape, describe, find, known_keys
from daedal.config.wording import expected, fits, found
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

PROBLEMS_MAX = 10
T = TypeVar("T", bound=Struct)


class Problem(Struct, frozen=True):
    path: Path
    text: str


def check(root: Node, layer: Layer) -> None:
    """Raises ConfigurationError that names every key of the layer that does not fit, up to a sensible number."""
    problems = list(islice(_problems(root, root, layer.data, ()), PROBLEMS_MAX))
    if problems:
        origins = layer.origins([problem.path for problem in problems])
        lines = [f"{origin}: {problem.text}" for origin, problem in zip(origins, problems, strict=True)]
        raise ConfigurationError("\n".join(lines))


def build(schema: type[T], layers: Sequence[Layer]) -> T:
    """The settings that checked layers make together. Raises ConfigurationError where a struct's own check fails."""
    root = describe(schema)
    try:
        return msgspec.convert(combine(layers, root), schema)
    except msgspec.ValidationError as error:
        reason, _, where_in = str(error).partition(" - at `$")
        path = _path(where_in)
        around = (path[:depth] for depth in range(len(path), 0, -1))
        decider = next((found for part in around if (found := place(layers, part, root))), None)
        where = f"{decider.layer.origins([decider.path])[0]}: " if decider else ""
        raise ConfigurationError(say("config.invalid", where=where, setting=dotted(path), reason=reason)) from error


def unknown_key(root: Node, path: Path) -> str:
    """What to say about a key that the schema does not have."""
    feature = LATER.get(".".join(step for step in path if isinstance(step, str)))
    if feature is not None:
        return say("config.later", setting=dotted(path), feature=say(f"config.feature.{feature}"))
    near = _nearest(root, path)
    if near is None:
        return say("config.unknown", setting=dotted(path))
    return say("config.unknown_near", setting=dotted(path), near=near)


def mismatch(node: Node, value: Any, path: Path) -> Problem:
    """A value that is not of the node's type."""
    return Problem(
        path, say("config.mismatch", setting=dotted(path), expected=expected(node), found=found(value, node))
    )


def _problems(root: Node, node: Node, value: Any, path: Path) -> Iterator[Problem]:
    wanted = {Shape.TABLE: dict, Shape.MAP: dict, Shape.TABLES: list}.get(node.shape)
    if wanted is None:
        if not fits(value, node):
            yield mismatch(node, value, path)
    elif not isinstance(value, wanted):
        yield mismatch(node, value, path)
    elif node.shape is Shape.TABLE:
        yield from _table_problems(root, node, cast("dict[str, Any]", value), path)
    else:
        for key, entry in _entries(value):
            yield from _problems(root, cast("Node", node.item), entry, (*path, key))


def _table_problems(root: Node, node: Node, table: dict[str, Any], path: Path) -> Iterator[Problem]:
    for key, value in table.items():
        field = node.fields.get(key)
        if field is None:
            yield Problem((*path, key), unknown_key(root, (*path, key)))
        else:
            yield from _problems(root, field, value, (*path, key))
    for key, field in node.fields.items():
        if field.required and key not in table:
            yield Problem(path, say("config.missing", setting=dotted((*path, key)), expected=expected(field)))


def _entries(value: Any) -> Iterable[tuple[str | int, Any]]:
    if isinstance(value, dict):
        return cast("dict[str, Any]", value).items()
    return enumerate(cast("list[Any]", value))


def _nearest(root: Node, path: Path) -> str | None:
    """A key beside the unknown one that is spelt alike, else one of that name elsewhere, else one spelt alike."""
    from difflib import get_close_matches

    parent = find(root, path[:-1])
    beside = get_close_matches(str(path[-1]), parent.fields if parent else (), n=1)
    if beside:
        return dotted((*path[:-1], beside[0]))
    known = [dotted(key) for key in known_keys(root)]
    elsewhere = [key for key in known if key.rpartition(".")[2] == path[-1]]
    alike = elsewhere or get_close_matches(dotted(path), known, n=1)
    return alike[0] if alike else None


def _path(place: str) -> Path:
    """The path in msgspec's words: `.providers[0].name`, with `[...]` for a free key that it does not name."""
    steps = re.findall(r"\.([^.\[\]`]+)|\[(\d+)\]", place.partition("[...]")[0])
    return tuple(name or int(index) for name, index in steps)
