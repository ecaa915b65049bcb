"""Why is a setting what it is? Every one with its value, who set it and what it is for."""

from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from daedal.config.checking import unknown_key
from daedal.config.keys import MISSING, at, dotted, parse_key
from daedal.config.layers import Origin, OriginKind
from daedal.config.loading import Loaded
from daedal.config.schema import describe, find, leaves
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

T = TypeVar("T", bound=Struct)


class Row(Struct, frozen=True):
    key: str
    value: Any
    """Plain data: text, numbers, lists."""
    origin: Origin
    description: str


def explain(loaded: Loaded[T], in_force: T | None = None) -> list[Row]:
    """Every setting, in the schema's order.

    `in_force` is what `effective` answered: where that differs from the files, an operator changed the snapshot.
    """
    root = describe(type(loaded.value))
    known, origins = to_plain(loaded.value), loaded.origins
    rows: list[Row] = []
    for leaf in leaves(root, loaded.value if in_force is None else in_force):
        key = dotted(leaf.path)
        if at(known, leaf.path) == leaf.value:
            origin = origins.get(key, Origin(OriginKind.DEFAULT))
        else:
            origin = Origin(OriginKind.SNAPSHOT)
        rows.append(Row(key, leaf.value, origin, leaf.node.description))
    return rows


def get_value(settings: Struct, key: str) -> Any:
    """One setting, or a whole table, as plain data. Raises ConfigurationError for a key that is not there."""
    path = parse_key(key)
    value = at(to_plain(settings), path)
    if value is MISSING:
        root = describe(type(settings))
        is_known = find(root, path) is not None
        raise ConfigurationError(say("config.absent", setting=key) if is_known else unknown_key(root, path))
    return value


def to_plain(settings: Struct) -> dict[str, Any]:
    return msgspec.to_builtins(settings)
