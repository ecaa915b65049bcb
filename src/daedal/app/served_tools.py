"""How do the tools and resources of MCP servers stand beside a thread's own?"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

from daedal.mcp import McpServers, Trouble
from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, LeftTask, Outcome, Tool, Toolbox
from daedal.tools import Refused, Resource, ResourceContent


class Callers:
    """For which thread does a server work right now? Whoever called it last is asked what the server wants to know."""

    def __init__(self) -> None:
        self._threads: dict[str, list[str]] = {}

    def latest(self, server: str) -> str | None:
        return next(reversed(self._threads.get(server, [])), None)

    @contextmanager
    def noted(self, server: str, thread_id: str) -> Generator[None]:
        calling = self._threads.setdefault(server, [])
        calling.append(thread_id)
        try:
            yield
        finally:
            calling.remove(thread_id)


class ServedTool:
    """A server's tool, with a note of who calls it."""

    def __init__(self, tool: Tool, server: str, callers: Callers) -> None:
        self.spec = tool.spec
        self.paths = tool.paths
        self.is_confined = tool.is_confined
        self._tool = tool
        self._server = server
        self._callers = callers

    async def run(self, arguments: Mapping[str, Any], bench: Bench) -> Outcome:
        with self._callers.noted(self._server, bench.thread_id):
            return await self._tool.run(arguments, bench)


class ServedToolbox:
    """A thread's own tools, and those that servers lend."""

    def __init__(self, own: Toolbox, servers: McpServers, callers: Callers) -> None:
        self._own = own
        self._servers = servers
        self._callers = callers

    def specs(self) -> list[ToolSpec]:
        return [*self._own.specs(), *self._servers.specs()]

    def get(self, name: str) -> Tool | None:
        own = self._own.get(name)
        if own is not None:
            return own
        lent = self._servers.get(name)
        return None if lent is None else ServedTool(lent, name.split("__")[1], self._callers)

    async def close(self) -> list[LeftTask]:
        return await self._own.close()


class ServedResources:
    """The `Resources` of the tools ListMcpResources and ReadMcpResource."""

    def __init__(self, servers: McpServers) -> None:
        self._servers = servers

    def servers(self) -> list[str]:
        return self._servers.servers()

    async def listed(self, server: str) -> list[Resource]:
        try:
            found = await self._servers.listed(server)
        except Trouble as trouble:
            raise Refused(str(trouble)) from trouble
        return [
            Resource(
                name=one.name, uri=one.uri, description=one.description, mime_type=one.mime_type, server=one.server
            )
            for one in found
        ]

    async def read(self, server: str, uri: str) -> list[ResourceContent]:
        try:
            found = await self._servers.read(server, uri)
        except Trouble as trouble:
            raise Refused(str(trouble)) from trouble
        return [
            ResourceContent(uri=part.uri, mime_type=part.mime_type, text=part.text, blob=part.blob) for part in found
        ]
