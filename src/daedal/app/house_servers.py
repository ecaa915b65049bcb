"""How does a person look after the MCP servers of a running house? Accepts what changed, reconnects, logs in."""

import asyncio
import hashlib
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from daedal.app.credentials import secret_names
from daedal.app.startup import Startup
from daedal.config import home
from daedal.protocol.catalogue import say
from daedal.protocol.errors import DaedalError, UsageError
from daedal.protocol.events import McpLoginCompleted
from daedal.protocol.housekeeping import (
    ServerChange,
    ServerChangesResponse,
    ServerLoginResponse,
    ServerReconnectResponse,
)

if TYPE_CHECKING:
    from daedal.mcp import McpServers


class HouseServers:
    def __init__(self, startup: Startup, servers: "McpServers | None") -> None:
        self._startup = startup
        self._found = servers
        self._logins: dict[str, asyncio.Task[bool]] = {}

    @property
    def _servers(self) -> "McpServers":
        if self._found is None:
            raise UsageError(say("app.servers.none"))
        return self._found

    async def changes(self, name: str) -> ServerChangesResponse:
        from daedal.mcp import tool_name

        with _translated():
            differences = self._servers.differences(name)
        data = [
            ServerChange(
                tool=tool_name(name, difference.after.name),
                is_new=difference.before is None,
                diff=difference.lines(),
            )
            for difference in differences
        ]
        told = "\0".join(difference.after.digest for difference in differences)
        return ServerChangesResponse(data=data, digest=hashlib.sha256(told.encode()).hexdigest())

    async def accept(self, name: str, digest: str) -> int:
        """What somebody looked at, and nothing else. Raises UsageError."""
        changes = await self.changes(name)
        if changes.digest != digest:
            raise UsageError(say("app.servers.not_as_seen", name=name))
        with _translated():
            self._servers.accept(name)
        return len(changes.data)

    async def reconnect(self, name: str) -> ServerReconnectResponse:
        with _translated():
            await self._servers.reconnect(name)
        status = next(status for status in self._servers.status() if status.slug == name)
        return ServerReconnectResponse(state=status.state, trouble=status.trouble)

    async def start_login(self, name: str) -> ServerLoginResponse:
        from daedal.mcp import Tokens, log_in
        from daedal.sandbox import ProcessSpawner

        with _translated():
            config = self._servers.config(name)
        shown: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        spawner = ProcessSpawner(secret_names(self._startup.settings))

        async def work() -> bool:
            try:
                with _translated():
                    return await log_in(
                        config,
                        Tokens(home(), config),
                        spawner=spawner,
                        workspace=self._startup.files.root or home(),
                        show=shown.set_result,
                    )
            finally:
                await spawner.close()

        if (earlier := self._logins.pop(name, None)) is not None:
            earlier.cancel()
        task = self._logins[name] = asyncio.create_task(work())
        await asyncio.wait([task, shown], return_when=asyncio.FIRST_COMPLETED)
        if not shown.done():
            shown.cancel()
            task.result()  # raises why nobody can be sent anywhere
            return ServerLoginResponse(authorization_url="")
        return ServerLoginResponse(authorization_url=shown.result())

    async def finish_login(self, name: str) -> McpLoginCompleted:
        task = self._logins.get(name)
        if task is None:
            return McpLoginCompleted(name=name, success=False, error=say("app.account.no_such_login"))
        try:
            await asyncio.shield(task)
            await self.reconnect(name)
        except DaedalError as trouble:
            return McpLoginCompleted(name=name, success=False, error=str(trouble))
        except asyncio.CancelledError:
            if not task.cancelled():
                task.cancel()  # The house closes, and nobody is left to hear of it.
                raise
            return McpLoginCompleted(name=name, success=False, error=say("app.account.cancelled"))
        finally:
            if self._logins.get(name) is task:
                del self._logins[name]
        return McpLoginCompleted(name=name, success=True)


@contextmanager
def _translated() -> Generator[None]:
    """What is wrong with a server is told as an answer to whoever asked."""
    from daedal.mcp import Trouble

    try:
        yield
    except Trouble as trouble:
        raise UsageError(str(trouble)) from trouble
