"""Which resources do MCP servers offer to be read?"""

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.tools.errors import TRUNCATED, Refused
from daedal.tools.tool import BuiltinTool
from daedal.tools.worlds import Resource, Resources

LISTED_MAX = 500
CHARACTERS_MAX = 100_000
"""A server may say far more about its resources than a model can take."""


class ListMcpResourcesInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    server: str | None = None


class ListMcpResources(BuiltinTool[ListMcpResourcesInput]):
    def __init__(self, spec: ToolSpec, resources: Resources) -> None:
        super().__init__(spec, ListMcpResourcesInput)
        self._resources = resources

    def names(self, arguments: Mapping[str, Any]) -> list[str]:  # noqa: ARG002 - a server is no path
        return []

    async def act(self, call: ListMcpResourcesInput, bench: Bench) -> Outcome:  # noqa: ARG002 - no file is touched
        if call.server is not None:
            return _told(await self._resources.listed(known_server(self._resources, call.server)), [])
        async with asyncio.TaskGroup() as group:
            asked = [group.create_task(self._ask(server)) for server in self._resources.servers()]
        found = [resource for task in asked for resource in task.result()[0]]
        return _told(found, [task.result()[1] for task in asked if task.result()[1]])

    async def _ask(self, server: str) -> tuple[list[Resource], str]:
        """What it offers, or why it did not answer: one that is silent hides nothing of the others."""
        try:
            return await self._resources.listed(server), ""
        except Refused as refusal:
            return [], f"{server}: {refusal}"


def known_server(resources: Resources, name: str) -> str:
    """Raises Refused with the names there are."""
    known = resources.servers()
    if name not in known:
        raise Refused(f"There is no MCP server {name!r} here. Available: {', '.join(known) or 'none'}.")
    return name


def _told(found: list[Resource], silent: list[str]) -> Outcome:
    listed = msgspec.json.encode(found[:LISTED_MAX]).decode()
    lines = [listed if len(listed) <= CHARACTERS_MAX else f"{listed[:CHARACTERS_MAX]}{TRUNCATED}"]
    if len(found) > LISTED_MAX:
        lines.append(f"(the first {LISTED_MAX} of {len(found)}; name a `server` to see fewer)")
    lines += [f"(not answered by {trouble})" for trouble in silent]
    return Outcome(content="\n".join(lines), is_error=bool(silent) and not found)
