"""What does one source of settings say, and what do several say together?"""

from collections.abc import Mapping, Sequence
from enum import StrEnum, auto
from typing import Any, cast

from msgspec import Struct

from daedal.config.keys import MISSING, Path, at, nest
from daedal.protocol.catalogue import say


class OriginKind(StrEnum):
    DEFAULT = auto()
    USER = auto()
    PROJECT = auto()
    SNAPSHOT = auto()
    """The ledger's own copy, where an operator changed it."""
    FLAG = auto()


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

    def origins(self, paths: Sequence[Path]) -> list[Origin]:
        """Where this layer sets each of the paths, or the closest table around it."""
        from daedal.config.lines import line_of, lines

        if self.file is None:
            return [Origin(self.kind)] * len(paths)
        known = lines(self.text)
        return [Origin(self.kind, self.file, line_of(known, path)) for path in paths]


def flag_layer(flags: Mapping[str, Any]) -> Layer:
    """Dotted keys and their values; None means that the flag was not given."""
    data: dict[str, Any] = {}
    for key, value in flags.items():
        if value is not None:
            data = merge(data, nest(tuple(key.split(".")), value))
    return Layer(OriginKind.FLAG, data)


def merge(lower: Mapping[str, Any], upper: Mapping[str, Any]) -> dict[str, Any]:
    """Tables merge key by key; anything else in `upper`, lists included, replaces what `lower` has."""
    merged = dict(lower)
    for key, value in upper.items():
        below = merged.get(key)
        if isinstance(value, Mapping) and isinstance(below, Mapping):
            merged[key] = merge(cast("Mapping[str, Any]", below), cast("Mapping[str, Any]", value))
        else:
            merged[key] = value
    return merged


def combine(layers: Sequence[Layer]) -> dict[str, Any]:
    """What all layers say together, the last one being the strongest."""
    data: dict[str, Any] = {}
    for layer in layers:
        data = merge(data, layer.data)
    return data


def deciding(layers: Sequence[Layer], path: Path) -> Layer | None:
    """The layer whose word counts for a path; None where it is left to the default."""
    for layer in reversed(layers):
        if at(layer.data, path) is not MISSING:
            return layer
        if _replaces_the_list_around(layer, path):
            return None
    return None


def origins(layers: Sequence[Layer], paths: Sequence[Path]) -> list[Origin]:
    """Who set each path. A file is scanned once, however many of its keys are asked for."""
    found: dict[Path, Origin] = {}
    deciders = [(path, deciding(layers, path)) for path in paths]
    for layer in layers:
        own = [path for path, decider in deciders if decider is layer]
        found.update(zip(own, layer.origins(own), strict=True))
    return [found.get(path, Origin(OriginKind.DEFAULT)) for path in paths]


def _replaces_the_list_around(layer: Layer, path: Path) -> bool:
    return any(isinstance(step, int) and at(layer.data, path[:depth]) is not MISSING for depth, step in enumerate(path))
