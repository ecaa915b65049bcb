"""What does one source of settings say, and what do several say together?"""

from collections.abc import Mapping, Sequence
from enum import StrEnum, auto
from typing import Any, cast

from msgspec import Struct

from daedal.config.keys import MISSING, Path, at, dotted, nest
from daedal.config.schema import Node, additive_keys, find
from daedal.protocol.catalogue import say


class OriginKind(StrEnum):
    DEFAULT = auto()
    USER = auto()
    PROJECT = auto()
    SNAPSHOT = auto()
    """The ledger's own copy, where an operator changed it."""
    FLAG = auto()
    MANAGED = auto()
    """What whoever administers the machine decided; stronger than flags."""


class Origin(Struct, frozen=True):
    """Who set a setting."""

    kind: OriginKind
    file: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        if self.file is None:
            return say(f"config.origin.{self.kind}")
        return self.file if self.line is None else f"{self.file}:{self.line}"


class Layer(Struct, frozen=True):
    """One source of settings as plain data; for a file also its name and text."""

    kind: OriginKind
    data: dict[str, Any]
    file: str | None = None
    text: str = ""
    moved: dict[Path, Path] = {}
    """Where list entries stand in the text that have another position in the data."""

    def origins(self, paths: Sequence[Path]) -> list[Origin]:
        """Where this layer sets each of the paths, or the closest table around it."""
        from daedal.config.lines import line_of, lines_of

        if self.file is None or not paths:
            return [Origin(self.kind)] * len(paths)
        known = lines_of(self.text, self.file)
        return [Origin(self.kind, self.file, line_of(known, self._written(path))) for path in paths]

    def _written(self, path: Path) -> Path:
        for depth in range(len(path), 0, -1):
            if path[:depth] in self.moved:
                return self.moved[path[:depth]] + path[depth:]
        return path


def flag_layer(flags: Mapping[str, Any]) -> Layer:
    """Dotted keys and their values; None means that the flag was not given."""
    data: dict[str, Any] = {}
    for key, value in flags.items():
        if value is not None:
            data = merge(data, nest(tuple(key.split(".")), value))
    return Layer(OriginKind.FLAG, data)


def merge(lower: Mapping[str, Any], upper: Mapping[str, Any], node: Node | None = None) -> dict[str, Any]:
    """Tables merge key by key; lists that the node calls additive add up; anything else in `upper` replaces."""
    merged = dict(lower)
    for key, value in upper.items():
        below = merged.get(key)
        field = None if node is None else node.item or node.fields.get(key)
        if isinstance(value, Mapping) and isinstance(below, Mapping):
            merged[key] = merge(cast("Mapping[str, Any]", below), cast("Mapping[str, Any]", value), field)
        elif field is not None and field.additive and isinstance(value, list) and isinstance(below, list):
            merged[key] = [*cast("list[Any]", below), *cast("list[Any]", value)]
        else:
            merged[key] = value
    return merged


def combine(layers: Sequence[Layer], root: Node | None = None) -> dict[str, Any]:
    """What all layers say together, the last one being the strongest."""
    data: dict[str, Any] = {}
    for layer in layers:
        data = merge(data, layer.data, root)
    return data


class Place(Struct, frozen=True):
    """Where a path of the combined data comes from."""

    layer: Layer
    path: Path
    """In that layer: entries of an additive list are counted from its own first."""


def place(layers: Sequence[Layer], path: Path, root: Node) -> Place | None:
    """The layer whose word counts for a path; None where it is left to the default."""
    for depth in range(1, len(path)):
        node = find(root, path[:depth])
        if node is not None and node.additive:
            return _place_of_entry(layers, path, depth)
    for layer in reversed(layers):
        if at(layer.data, path) is not MISSING:
            return Place(layer, path)
        if _replaces_the_list_around(layer, path):
            return None
    return None


def origins(layers: Sequence[Layer], paths: Sequence[Path], root: Node) -> list[Origin]:
    """Who set each path. A file is scanned once, however many of its keys are asked for."""
    found: dict[Path, Origin] = {}
    places = {path: place(layers, path, root) for path in paths}
    for layer in layers:
        own = {path: known.path for path, known in places.items() if known is not None and known.layer is layer}
        found.update(zip(own, layer.origins(list(own.values())), strict=True))
    return [found.get(path, Origin(OriginKind.DEFAULT)) for path in paths]


def entry_origins(layers: Sequence[Layer], root: Node) -> dict[str, list[str]]:
    """Who added each entry of each additive list, by the list's dotted key; lists without entries are left out."""
    data = combine(layers, root)
    found: dict[str, list[str]] = {}
    for key in additive_keys(root):
        entries = at(data, key)
        if isinstance(entries, list) and entries:
            paths: list[Path] = [(*key, index) for index in range(len(cast("list[Any]", entries)))]
            found[dotted(key)] = [str(origin) for origin in origins(layers, paths, root)]
    return found


def _place_of_entry(layers: Sequence[Layer], path: Path, depth: int) -> Place | None:
    key, index = path[:depth], path[depth]
    for layer in layers:
        own = at(layer.data, key)
        size = len(cast("list[Any]", own)) if isinstance(own, list) else 0
        if isinstance(index, int) and index < size:
            return Place(layer, (*key, index, *path[depth + 1 :]))
        index = index - size if isinstance(index, int) else index
    return None


def _replaces_the_list_around(layer: Layer, path: Path) -> bool:
    return any(isinstance(step, int) and at(layer.data, path[:depth]) is not MISSING for depth, step in enumerate(path))
