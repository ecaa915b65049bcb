"""What may a project's file not set? It comes with the code, so it may narrow what the user allows, never widen it.

Settings marked `user_only` count only from the user's own file and flags, and are left out with a warning. Those marked
`trusted_only` count in a trusted folder; elsewhere they are withheld, and whoever judges the folder says so once.
"""

from typing import Any, cast

import msgspec
from msgspec import Struct

from daedal.config.keys import Path, dotted
from daedal.config.layers import Layer
from daedal.config.schema import Node
from daedal.protocol.catalogue import say


class Restrained(Struct, frozen=True):
    trusting: Layer
    """What counts in a trusted folder."""
    wary: Layer
    """What counts everywhere."""
    withheld: list[Path]
    """The difference."""
    warnings: list[str]


def restrain(root: Node, layer: Layer, user_file: str) -> Restrained:
    refused: list[Path] = []
    trusting = cast("dict[str, Any]", _allowed(root, layer.data, (), refused, "user_only"))
    withheld: list[Path] = []
    wary = cast("dict[str, Any]", _allowed(root, trusting, (), withheld, "trusted_only"))
    warnings = [
        f"{origin}: " + say("config.ignored.user_only", setting=dotted(path), user_file=user_file)
        for origin, path in zip(layer.origins(refused), refused, strict=True)
    ]
    return Restrained(
        msgspec.structs.replace(layer, data=trusting), msgspec.structs.replace(layer, data=wary), withheld, warnings
    )


def _allowed(node: Node, value: Any, path: Path, refused: list[Path], mark: str) -> Any:
    """The value without keys that bear the mark. What does not fit the schema is kept: judging it comes later."""
    if isinstance(value, list) and node.item is not None:
        item, entries = node.item, cast("list[Any]", value)
        return [_allowed(item, entry, (*path, index), refused, mark) for index, entry in enumerate(entries)]
    if not isinstance(value, dict):
        return cast("Any", value)
    kept: dict[str, Any] = {}
    for key, below in cast("dict[str, Any]", value).items():
        field = node.item or node.fields.get(key)
        if field is not None and getattr(field, mark):
            refused.append((*path, key))
        else:
            kept[key] = below if field is None else _allowed(field, below, (*path, key), refused, mark)
    return kept
