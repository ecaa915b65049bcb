"""What is a server's tool, as the server describes it, and when is it another one than before?"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Raw, Struct

from daedal.protocol.model import ToolSpec

DESCRIPTION_MAX = 16_384
SCHEMA_BYTES_MAX = 262_144
TRUNCATED = "[SDLC_TRUNCATED]"


class Definition(Struct, frozen=True, kw_only=True):
    """Everything about a tool that a person would judge it by, and a model does."""

    name: str
    """As the server calls it."""
    description: str = ""
    input_schema: dict[str, Any] = {}
    annotations: dict[str, Any] = {}

    @property
    def canonical(self) -> bytes:
        return msgspec.json.encode(self, order="deterministic")

    @property
    def digest(self) -> str:
        from hashlib import sha256

        return sha256(self.canonical).hexdigest()

    @property
    def is_usable(self) -> bool:
        """Whether a model could be told about it."""
        return bool(self.name) and len(msgspec.json.encode(self.input_schema)) <= SCHEMA_BYTES_MAX


class Difference(Struct, frozen=True):
    before: Definition | None
    """None where it is new, or was not kept."""
    after: Definition

    def lines(self) -> list[str]:
        """As a diff, for a person."""
        from difflib import unified_diff

        before = _written(self.before) if self.before else []
        return list(unified_diff(before, _written(self.after), lineterm="", n=1))[2:]


class Sifted(Struct, frozen=True):
    allowed: list[Definition]
    withheld: list[Definition]
    """New or changed since the person accepted what the server offers."""


def sift(offered: Sequence[Definition], accepted: dict[str, str]) -> Sifted:
    """`accepted` are digests by the tool's name."""
    allowed = [tool for tool in offered if accepted.get(tool.name) == tool.digest]
    return Sifted(allowed, [tool for tool in offered if accepted.get(tool.name) != tool.digest])


def spec_of(tool: Definition, name: str, *, read_only: bool) -> ToolSpec:
    schema: dict[str, Any] = {"properties": {}, **tool.input_schema, "type": "object"}
    text = tool.description
    if len(text) > DESCRIPTION_MAX:
        text = f"{text[:DESCRIPTION_MAX]}\n{TRUNCATED}"
    return ToolSpec(
        name=name,
        description=text.encode("utf-8", "replace").decode(),
        input_schema=Raw(msgspec.json.encode(schema)),
        read_only=read_only,
        is_deferred=True,
    )


def _written(tool: Definition) -> list[str]:
    """A definition as lines, its description not hidden in one of them."""
    plain = msgspec.to_builtins(tool)
    rest = msgspec.json.format(msgspec.json.encode({**plain, "description": ""}, order="sorted")).decode()
    return [*tool.description.splitlines(), *rest.splitlines()]
