"""How is a type said in words? For the message about a value that does not fit."""

import math
from typing import Any, cast

import msgspec
from msgspec import inspect

from daedal.config.keys import quoted
from daedal.config.schema import Node, Shape
from daedal.protocol.catalogue import say

_BOUNDS = ("gt", "ge", "lt", "le", "multiple_of", "pattern", "min_length", "max_length")
_NAMES: dict[type[inspect.Type], str] = {
    inspect.BoolType: "bool",
    inspect.IntType: "int",
    inspect.FloatType: "float",
    inspect.StrType: "str",
    inspect.DictType: "table",
    inspect.StructType: "table",
    inspect.AnyType: "any",
}


def expected(node: Node) -> str:
    if node.shape in (Shape.TABLE, Shape.MAP):
        return say("config.type.table")
    if node.shape is Shape.TABLES:
        return say("config.type.tables")
    return _type(inspect.type_info(node.hint))


def found(value: object, node: Node) -> str:
    """What kind of thing is there. Text is not repeated: a key may have been pasted into the wrong line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, str):
        return say("config.found.other_text" if _takes_text(node) else "config.found.str")
    return say("config.found.list" if isinstance(value, list) else "config.found.table")


def _takes_text(node: Node) -> bool:
    info = inspect.type_info(node.hint)
    while isinstance(info, inspect.Metadata):
        info = info.type
    return isinstance(info, inspect.StrType | inspect.LiteralType | inspect.EnumType)


def fits(value: object, node: Node) -> bool:
    """Whether the value is of the node's type and survives being stored as JSON."""
    try:
        msgspec.convert(value, node.hint)
    except msgspec.ValidationError:
        return False
    return _storable(value)


def _type(info: inspect.Type) -> str:
    if isinstance(info, inspect.Metadata):
        return _type(info.type)
    if isinstance(info, inspect.UnionType):
        members = [_type(member) for member in info.types if not isinstance(member, inspect.NoneType)]
        return say("config.type.or").join(members)
    if isinstance(info, inspect.LiteralType | inspect.EnumType):
        values = info.values if isinstance(info, inspect.LiteralType) else [member.value for member in info.cls]
        return say("config.type.choice", choices=", ".join(_literal(value) for value in values))
    if isinstance(info, inspect.CollectionType):
        return say("config.type.list", item=_type(info.item_type)) + _bounds(info)
    name = _NAMES.get(type(info))
    return (say(f"config.type.{name}") if name else type(info).__name__.removesuffix("Type").lower()) + _bounds(info)


def _literal(value: object) -> str:
    return quoted(value) if isinstance(value, str) else str(value)


def _bounds(info: inspect.Type) -> str:
    limits = {name: getattr(info, name, None) for name in _BOUNDS}
    return "".join(
        " " + say(f"config.bound.{name}", limit=limit) for name, limit in limits.items() if limit is not None
    )


def _storable(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, int):
        return -(2**63) <= value < 2**63
    if isinstance(value, dict):
        return all(_storable(below) for below in cast("dict[str, Any]", value).values())
    if isinstance(value, list):
        return all(_storable(below) for below in cast("list[Any]", value))
    return True
