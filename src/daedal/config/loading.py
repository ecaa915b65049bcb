"""Which settings are in force? Flag before project file before user file before default, each checked on its own."""

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from msgspec import Struct

from daedal.config.checking import build, check
from daedal.config.keys import dotted
from daedal.config.layers import Layer, Origin, OriginKind, flag_layer, origins
from daedal.config.project import restrain
from daedal.config.schema import describe, leaves
from daedal.config.toml_file import file_layer

T = TypeVar("T", bound=Struct)


class Loaded(Struct, Generic[T], frozen=True):
    """Settings, where they came from, and what a person should be told about them."""

    value: T
    layers: tuple[Layer, ...]
    """Weakest first: user file, project file, flags."""
    warnings: list[str]

    @property
    def origins(self) -> dict[str, Origin]:
        """Who set each setting, by dotted key, defaults included. Found out anew each time."""
        paths = [leaf.path for leaf in leaves(describe(type(self.value)), self.value)]
        return dict(zip(map(dotted, paths), origins(self.layers, paths), strict=True))


def load(schema: type[T], *, user_file: str, project_file: str | None, flags: Mapping[str, Any]) -> Loaded[T]:
    """Reads and merges. `flags` maps dotted keys to values; None means not given. Raises ConfigurationError.

    Every field of the schema outside arrays of tables needs a default: each file must be right on its own.
    """
    root = describe(schema)
    user = file_layer(OriginKind.USER, user_file)
    project, warnings = restrain(root, file_layer(OriginKind.PROJECT, project_file), user_file)
    layers = (user, project, flag_layer(flags))
    for layer in layers:
        check(root, layer)
    return Loaded(build(schema, layers), layers, warnings)
