"""How does a thread get the tools of a server that its driver runs for it alone? At first hand, and gone with it.

The driver is the person's own program, so nothing of it is held back and nobody is asked to accept it.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from daedal.engine import Terms
from daedal.mcp import McpServers, ServerConfig, ServerState, slug_of
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError
from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import LeftTask, Tool, Toolbox
from daedal.sandbox import ProcessSpawner

REACHED_S = 30.0
"""It runs on this machine; most of that is for a slow disk to load the client."""


class Lender:
    def __init__(self, servers: McpServers) -> None:
        self._servers = servers

    @classmethod
    async def reached(cls, terms: Terms, spawner: ProcessSpawner, folder: str) -> "Lender":
        """`folder` is nobody's: what the servers offer is kept there and forgotten. Raises ConfigurationError."""
        configs = [
            ServerConfig(
                slug=slug_of(name),
                name=name,
                transport="http",
                url=server.url,
                headers=dict(server.headers),
                identity=terms.thread_id,
            )
            for name, server in terms.mcp_servers.items()
        ]
        servers = McpServers(configs, spawner=spawner, workspace=terms.workspace, home=folder)
        servers.start()
        await servers.settled(REACHED_S)
        for status in servers.status():
            if status.state is not ServerState.READY:
                await servers.close()
                raise ConfigurationError(say("app.unreached_server", name=status.name, why=status.trouble))
        return cls(servers)

    def beside(self, own: Toolbox) -> "LentToolbox":
        return LentToolbox(own, self._servers)


class LentToolbox:
    """A thread's tools, and those that it brought along. The model is told of all of these at once."""

    def __init__(self, own: Toolbox, servers: McpServers) -> None:
        self._own = own
        self._servers = servers
        self._lent: Mapping[str, Tool] = {tool.spec.name: tool for tool in servers.tools()}
        for tool in servers.tools():
            tool.spec = replace(tool.spec, is_deferred=False)

    def specs(self) -> list[ToolSpec]:
        return [*self._own.specs(), *(tool.spec for tool in self._lent.values())]

    def get(self, name: str) -> Tool | None:
        return self._lent.get(name) or self._own.get(name)

    async def close(self) -> list[LeftTask]:
        left = await self._own.close()
        await self._servers.close()
        return left
