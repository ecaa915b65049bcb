"""Which settings are in force? Managed before flag before project before user before default.

The user's own file must be right, apart from settings marked `lenient`. A project's files may be wrong in any way: what
does not fit is left out with a warning. Managed settings must be right in every word: a machine's rules must not fall
away by a typing error.
"""

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from msgspec import Struct

from daedal.config.checking import build, check
from daedal.config.fitting import fitted
from daedal.config.home import Files
from daedal.config.keys import dotted
from daedal.config.layers import Layer, Origin, OriginKind, entry_origins, flag_layer, origins
from daedal.config.schema import Node, describe, leaves
from daedal.config.toml_file import file_layer
from daedal.config.trust import Trust, judged
from daedal.protocol.errors import ConfigurationError

T = TypeVar("T", bound=Struct)


class Loaded(Struct, Generic[T], frozen=True):
    """Settings, where they came from, and what a person should be told about them."""

    value: T
    layers: tuple[Layer, ...]
    """Weakest first: user, project, flags, managed."""
    warnings: list[str]
    trust: Trust | None = None
    """Of the project's folder, where it brings something that needs it."""

    @property
    def origins(self) -> dict[str, Origin]:
        """Who set each setting, by dotted key, defaults included. Found out anew each time."""
        root = describe(type(self.value))
        paths = [leaf.path for leaf in leaves(root, self.value)]
        return dict(zip(map(dotted, paths), origins(self.layers, paths, root), strict=True))

    @property
    def entry_origins(self) -> dict[str, list[str]]:
        """Who added each entry of each additive list."""
        return entry_origins(self.layers, describe(type(self.value)))


def load(schema: type[T], *, user_file: str, project_file: str | None, flags: Mapping[str, Any]) -> Loaded[T]:
    """The same for two files alone, in a folder that nobody trusts."""
    return load_files(schema, Files(user_file, project_file), flags)


def load_files(schema: type[T], files: Files, flags: Mapping[str, Any]) -> Loaded[T]:
    """Reads and merges. `flags` maps dotted keys to values; None means not given. Raises ConfigurationError.

    Every field of the schema outside arrays of tables needs a default: each file must be right on its own.
    """
    loaded = load_stored(schema, files)
    upper = [flag_layer(flags), managed_layer(schema, files)]
    check(describe(schema), upper[0])
    upper = [layer for layer in upper if layer.data]
    layers = (*loaded.layers, *upper)
    value = build(schema, layers) if upper else loaded.value
    return Loaded(value, layers, loaded.warnings, loaded.trust)


def load_stored(schema: type[T], files: Files) -> Loaded[T]:
    """What the user and the project say: the part that the ledger keeps a copy of."""
    root = describe(schema)
    user = fitted(root, file_layer(OriginKind.USER, files.user), everywhere=False)
    check(root, user.layer)
    project, warnings, trust = _project_layers(root, files)
    layers = (user.layer, *project)
    warnings = [*user.warnings, *warnings]
    try:
        return Loaded(build(schema, layers), layers, warnings, trust)
    except ConfigurationError as error:
        # Each value fits, but not together. Where that is the project's doing, it goes without.
        value = build(schema, [user.layer])
        return Loaded(value, (user.layer,), [*warnings, str(error)], trust)


def managed_layer(schema: type[Struct], files: Files) -> Layer:
    """What the machine's administrator decided. Raises ConfigurationError for anything that is not right."""
    layer = file_layer(OriginKind.MANAGED, files.managed)
    if not layer.data:
        return layer
    root = describe(schema)
    read = fitted(root, layer, everywhere=False)
    if read.warnings:
        raise ConfigurationError("\n".join(read.warnings))
    check(root, read.layer)
    return read.layer


def _project_layers(root: Node, files: Files) -> tuple[list[Layer], list[str], Trust | None]:
    if not any(files.brought()):
        return [], [], None
    project = judged(root, files)
    is_trusted = project.trust is not None and project.trust.is_trusted
    warnings = list(project.warnings)
    layers: list[Layer] = []
    for _, restrained in project.parts:
        part = fitted(root, restrained.trusting if is_trusted else restrained.wary, everywhere=True)
        warnings += part.warnings
        layers.append(part.layer)
    return layers, warnings, project.trust
