"""What may a project's file not set? It comes with the code, so it may narrow what the user allows, never widen it.

Settings marked `user_only` count only from the user's own file and flags. Those marked `trusted_only` would count in
a trusted folder; no folder is trusted yet. Both are left out with a warning, never obeyed and never an error.
"""

from typing import Any, cast

import msgspec

from daedal.config.keys import Path, dotted
from daedal.config.layers import Layer
from daedal.config.schema import Node
from daedal.protocol.catalogue import say


def restrain(root: Node, layer: Layer, user_file: str) -> tuple[Layer, list[str]]:
    """The layer without what a project may not set, and one warning for each key left out."""
    refused: list[tuple[Path, str]] = []
    data = _allowed(root, layer.data, (), refused)
    origins = layer.origins([path for path, _ in refused])
    warnings = [
        f"{origin}: " + say(f"config.ignored.{mark}", setting=dotted(path), user_file=user_file)
        for origin, (path, mark) in zip(origins, refused, strict=True)
    ]
    return msgspec.structs.replace(layer, data=data), warnings


def _allowed(node: Node, value: Any, path: Path, refused: list[tuple[Path, str]]) -> Any:
    """The value without refused keys. What does not fit the schema is kept: checking it comes later."""
    if isinstance(value, list) and node.item is not None:
        item, entries = node.item, cast("list[Any]", value)
        return [_allowed(item, entry, (*path, index), refused) for index, entry in enumerate(entries)]
    if not isinstance(value, dict):
        return cast("Any", value)
    kept: dict[str, Any] = {}
    for key, below in cast("dict[str, Any]", value).items():
        field = node.item or node.fields.get(key)
        mark = _mark(field)
        if mark is not None:
            refused.append(((*path, key), mark))
        else:
            kept[key] = below if field is None else _allowed(field, below, (*path, key), refused)
    return kept


def _mark(node: Node | None) -> str | None:
    if node is None:
        return None
    return "user_only" if node.user_only else "trusted_only" if node.trusted_only else None
