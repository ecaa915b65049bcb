"""Which tools of a server has the person accepted? One file per server in `~/.daedal/mcp/tools/`.

A server's first use accepts what it offers. From then on a tool that is new or says something else about itself is held
back, until the person has seen the difference.
"""

import os
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from daedal.config import read_text, replace_file
from daedal.mcp.definitions import Definition
from daedal.mcp.entries import ServerConfig
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

KEPT_BYTES_MAX = 524_288
"""Of definitions in full; beyond, a tool is known by its digest alone."""


class _Accepted(Struct, frozen=True, omit_defaults=True):
    digest: str
    definition: Definition | None = None


class _Contents(Struct, frozen=True):
    version: int = 1
    tools: dict[str, _Accepted] = {}


class Approvals:
    """What was accepted of one server. Raises ConfigurationError where the file says nothing sensible."""

    def __init__(self, home: str, config: ServerConfig) -> None:
        self.path = os.path.join(home, "mcp", "tools", f"{config.slug}-{config.identity}.json")

    def digests(self) -> dict[str, str] | None:
        """By the tool's name; None before the server's first use."""
        contents = self._read()
        return None if contents is None else {name: tool.digest for name, tool in contents.tools.items()}

    def definitions(self) -> list[Definition]:
        """What the server offered and the person accepted, as far as it was kept in full."""
        contents = self._read() or _Contents()
        return [
            tool.definition
            for tool in contents.tools.values()
            if tool.definition is not None and tool.definition.digest == tool.digest
        ]

    def accept(self, tools: Sequence[Definition]) -> None:
        """These and no others."""
        kept: dict[str, _Accepted] = {}
        room = KEPT_BYTES_MAX
        for tool in tools:
            room -= len(tool.canonical)
            kept[tool.name] = _Accepted(tool.digest, tool if room >= 0 else None)
        replace_file(self.path, msgspec.json.format(msgspec.json.encode(_Contents(tools=kept))) + b"\n")

    def _read(self) -> _Contents | None:
        text = read_text(self.path)
        try:
            return None if text is None else msgspec.json.decode(text, type=_Contents)
        except (msgspec.DecodeError, RecursionError) as error:
            raise ConfigurationError(say("mcp.approvals_unreadable", path=self.path, reason=error)) from error
