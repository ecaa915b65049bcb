"""Which settings does a struct describe? Its fields as a tree of nodes, without knowing what any of them means.

A nested struct is a table, `list[Struct]` an array of tables, `dict[str, X]` a table with free keys, anything else a
value. `Annotated[T, msgspec.Meta(description="…", extra={"user_only": True})]` says more about a field:

- `user_only`: a project's file may not set it; `trusted_only`: only a trusted folder's may.
- `additive`: a list that adds up over the sources instead of being replaced by the strongest.
- `keyed_by`: of an additive list: a table of lists may stand for it, whose keys go into the entries under this name.
- `lenient`: what does not fit is left out with a warning, wherever it stands, and is no reason to stop.
"""

from collections.abc import Iterator
from enum import Enum, auto
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, cast, get_args, get_origin

import msgspec
from msgspec import Struct

from daedal.config.keys import Path


class Shape(Enum):
    VALUE = auto()
    TABLE = auto()
    MAP = auto()
    TABLES = auto()


class Node(Struct, frozen=True, kw_only=True):
    """One setting, or a group of them."""

    shape: Shape
    hint: Any
    """The type as the struct declares it."""
    description: str = ""
    user_only: bool = False
    trusted_only: bool = False
    additive: bool = False
    keyed_by: str = ""
    lenient: bool = False
    required: bool = False
    fields: dict[str, "Node"] = {}
    """Of a table."""
    item: "Node | None" = None
    """What each entry of a map or of an array of tables looks like."""


@cache
def describe(schema: type[Struct]) -> Node:
    """The tree of a settings struct. Structs must not contain themselves."""
    return _node(schema, required=False)


def find(node: Node, path: Path) -> Node | None:
    """The node at a path; positions and free keys lead to the entry's node."""
    for step in path:
        below = node.item if node.shape in (Shape.MAP, Shape.TABLES) else node.fields.get(str(step))
        if below is None:
            return None
        node = below
    return node


def known_keys(node: Node, prefix: Path = ()) -> list[Path]:
    """Every named setting below a node, positions left out."""
    if node.item is not None:
        return [prefix, *known_keys(node.item, prefix)]
    if node.shape is Shape.TABLE:
        return [key for name, field in node.fields.items() for key in known_keys(field, (*prefix, name))]
    return [prefix]


def additive_keys(node: Node, prefix: Path = ()) -> list[Path]:
    """Every list that adds up, outside arrays of tables."""
    if node.additive:
        return [prefix]
    return [key for name, field in node.fields.items() for key in additive_keys(field, (*prefix, name))]


def entry_of(node: Node) -> Node:
    """What each entry of a list looks like that is no array of tables."""
    core, description, _ = _peel(node.hint)
    arguments = get_args(core) if get_origin(core) is list else ()
    return Node(shape=Shape.VALUE, hint=arguments[0] if arguments else Any, description=description)


class Leaf(Struct, frozen=True):
    """One setting with its value as plain data."""

    path: Path
    value: Any
    node: Node


def leaves(node: Node, value: Any, path: Path = ()) -> Iterator[Leaf]:
    """Every single setting in a settings struct; an empty group counts as one."""
    below: list[tuple[str | int, Node | None, Any]] = []
    if isinstance(value, Struct) and node.shape is Shape.TABLE:
        fields = msgspec.structs.fields(value)
        below = [(f.encode_name, node.fields[f.encode_name], getattr(value, f.name)) for f in fields]
    elif isinstance(value, dict) and node.shape is Shape.MAP:
        below = [(key, node.item, entry) for key, entry in cast("dict[str, Any]", value).items()]
    elif isinstance(value, list | tuple) and (node.shape is Shape.TABLES or node.additive):
        item = node.item or entry_of(node)
        below = [(index, item, entry) for index, entry in enumerate(cast("list[Any]", value))]
    for step, inner, entry in below:
        yield from leaves(cast("Node", inner), entry, (*path, step))
    if not below:
        yield Leaf(path, msgspec.to_builtins(value), node)


def _node(hint: Any, *, required: bool) -> Node:
    core, description, extra = _peel(hint)
    shape, fields, item = _shape(core)
    return Node(
        shape=shape,
        hint=hint,
        description=description,
        user_only=bool(extra.get("user_only")),
        trusted_only=bool(extra.get("trusted_only")),
        additive=bool(extra.get("additive")),
        keyed_by=str(extra.get("keyed_by", "")),
        lenient=bool(extra.get("lenient")),
        required=required,
        fields=fields,
        item=item,
    )


def _shape(core: Any) -> tuple[Shape, dict[str, Node], Node | None]:
    if isinstance(core, type) and issubclass(core, Struct):
        fields = msgspec.structs.fields(core)
        return Shape.TABLE, {f.encode_name: _node(f.type, required=f.required) for f in fields}, None
    arguments = get_args(core)
    if get_origin(core) is dict:
        return Shape.MAP, {}, _node(arguments[1], required=False)
    if get_origin(core) in (list, tuple) and arguments:
        item = _node(arguments[0], required=False)
        if item.shape is Shape.TABLE:
            return Shape.TABLES, {}, item
    return Shape.VALUE, {}, None


def _peel(hint: Any) -> tuple[Any, str, dict[str, Any]]:
    """The type without annotations and without `| None`, and what the annotations say."""
    description, extra = "", cast("dict[str, Any]", {})
    while True:
        if get_origin(hint) is Annotated:
            hint, *notes = get_args(hint)
            for note in notes:
                if isinstance(note, msgspec.Meta):
                    description = note.description or description
                    extra |= note.extra or {}
        elif get_origin(hint) in (Union, UnionType):
            members = [member for member in get_args(hint) if member is not type(None)]
            if len(members) != 1:
                return hint, description, extra
            hint = members[0]
        else:
            return hint, description, extra
