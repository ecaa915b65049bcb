"""How does one server stay with us? One task owns its connection: it starts it, looks after it and starts it again.

A server that does not start, dies or says nonsense is tried again a few times, ever more slowly; then it rests until
somebody needs it. What was asked when it died is never asked again by itself: nobody knows whether it was done.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, TypeVar

from daedal.mcp.approvals import Approvals
from daedal.mcp.clocks import Clocks, Questions
from daedal.mcp.definitions import Definition
from daedal.mcp.elicitation import Elicit
from daedal.mcp.entries import ServerConfig
from daedal.mcp.offers import Prompt, Resource, ResourcePart
from daedal.mcp.status import ServerState, ServerStatus
from daedal.mcp.stock import Stock
from daedal.mcp.trouble import Broken, Forgotten, Gone, LoginNeeded, Trouble, innermost, told

if TYPE_CHECKING:
    from mcp.shared.dispatcher import ProgressFnT

    from daedal.mcp.connection import Connection

START_S = 60.0
"""How long a server may take until it has said what it offers. Some install themselves first."""
TRIES_MAX = 4
STABLE_S = 10.0
"""What lived so long may be started again at once."""
PAUSE_S = 0.5
PAUSE_S_MAX = 30.0
CLOSE_S = 5.0
T = TypeVar("T")
Opener = Callable[["Link"], Awaitable[AbstractAsyncContextManager["Connection"]]]
"""Makes the context in which there is a connection."""


class Link:
    def __init__(
        self,
        config: ServerConfig,
        approvals: Approvals,
        open_connection: Opener,
        *,
        elicit: Elicit,
        on_change: Callable[["Link"], None],
        on_trouble: Callable[["Link"], None],
        start_s: float = START_S,
        pause_s: float = PAUSE_S,
    ) -> None:
        """`open_connection` is called for every try."""
        self.config = config
        self.stock = Stock(approvals)
        self.state = ServerState.STARTING
        self.trouble = ""
        self.version = ""
        self._open = open_connection
        self._on_change = on_change
        self._on_trouble = on_trouble
        self._start_s = start_s
        self._pause_s = pause_s
        self._connection: Connection | None = None
        self._task: asyncio.Task[None] | None = None
        self._needed = asyncio.Event()
        self._settled = asyncio.Event()
        """It is ready, or has failed for now."""
        self._stirred = asyncio.Event()
        """Something happened that the owner should look at."""
        self._is_lost = False
        self._is_changed = False
        self._told_trouble = ""
        self._clocks = Clocks()
        self.questions = Questions(elicit, self._clocks)

    def start(self) -> None:
        if self._task is None:
            self._task = asyncio.create_task(self._live(), name=f"mcp {self.config.slug}")

    async def close(self) -> None:
        await self._stop()
        self.state = ServerState.CLOSED
        self._settled.set()

    async def restart(self) -> None:
        """Waits until it is ready or has failed for now."""
        await self._stop()
        self._task, self.state, self.trouble, self._told_trouble = None, ServerState.STARTING, "", ""
        for event in (self._settled, self._needed, self._stirred):
            event.clear()
        self.start()
        await self.settled()

    async def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task], timeout=CLOSE_S)
            # A second time for a remote server that does not let us say goodbye.
            self._task.cancel()
            await asyncio.wait([self._task], timeout=CLOSE_S)
            if self._task.done() and not self._task.cancelled():
                self._task.exception()  # looked at, so that nobody complains that it was not

    async def settled(self) -> None:
        """Waits until it is ready or has failed for now."""
        await self._settled.wait()

    def changed(self) -> None:
        """The server says that it offers something else now."""
        self._is_changed = True
        self._stirred.set()

    def lost(self) -> None:
        """The connection is no use any more. Whoever asks from now on waits for the next one."""
        self._is_lost = True
        if self._connection is not None:
            self._connection = None
            self.state = ServerState.STARTING
            self._settled.clear()
        self._stirred.set()

    def accept(self) -> None:
        """All that it offers now. Raises ConfigurationError."""
        self.stock.accept()
        self._on_change(self)

    def status(self) -> ServerStatus:
        return ServerStatus(
            slug=self.config.slug,
            name=self.config.name,
            transport=self.config.transport,
            state=self.state,
            trouble=self.trouble,
            version=self.version,
            tools=[tool.name for tool in self.stock.tools],
            withheld=[tool.name for tool in self.stock.withheld],
            prompts=len(self.stock.prompts),
            resources=len(self.stock.resources),
            origin=self.config.origin,
        )

    async def call(
        self, tool: Definition, arguments: Mapping[str, Any], progress: "ProgressFnT | None"
    ) -> dict[str, Any]:
        """Raises Trouble, also where the tool is not what the model was told about."""

        async def ask(connection: "Connection") -> dict[str, Any]:
            self.stock.require(tool)
            return await connection.call(tool.name, arguments, progress)

        return await self._ask(ask, self.config.timeout_s(tool.name))

    async def known_prompts(self) -> list[Prompt]:
        """What it offers, once it is connected. Raises Trouble."""
        await self._ask(lambda _: _nothing(), self.config.call_timeout_s)
        return self.stock.prompts

    async def prompt(self, raw: str, arguments: Mapping[str, str]) -> dict[str, Any]:
        return await self._ask(lambda connection: connection.prompt(raw, arguments), self.config.call_timeout_s)

    async def read(self, uri: str) -> list[ResourcePart]:
        return await self._ask(lambda connection: connection.read(uri), self.config.call_timeout_s)

    async def listed(self) -> list[Resource]:
        return await self._ask(lambda connection: connection.resources(), self.config.call_timeout_s)

    async def _ask(self, what: "Callable[[Connection], Awaitable[T]]", timeout_s: float) -> T:
        try:
            async with self._clocks.running(timeout_s):
                try:
                    return await what(await self._ready())
                except Forgotten:
                    # The one case in which it is known that nothing was done.
                    self.lost()
                    return await what(await self._ready())
        except TimeoutError as error:
            raise Broken(f"the MCP server {self.config.name} did not answer within {timeout_s:g} s") from error
        except Gone:
            self.lost()
            raise

    async def _ready(self) -> "Connection":
        """Raises Trouble where there is none to be had."""
        if self.state is ServerState.CLOSED:
            raise Trouble(f"the MCP server {self.config.name} is closed")
        self.start()
        if self._connection is None:
            if self.state is not ServerState.STARTING:
                self._settled.clear()
                self.state = ServerState.STARTING
                self._needed.set()
            await self._settled.wait()
        if self._connection is None:
            kind = LoginNeeded if self.state is ServerState.LOGIN_NEEDED else Trouble
            raise kind(f"the MCP server {self.config.name} cannot be used: {self.trouble}")
        return self._connection

    async def _live(self) -> None:
        tries = 0
        while True:
            began = asyncio.get_running_loop().time()
            was_ready = await self._try()
            lived_s = asyncio.get_running_loop().time() - began
            tries = 1 if was_ready and lived_s > STABLE_S else tries + 1
            if was_ready and tries == 1:
                continue
            self._tell_trouble()
            if self.state is ServerState.LOGIN_NEEDED or tries >= TRIES_MAX:
                # A resting server is woken by whoever needs it.
                self._settled.set()
                await self._needed.wait()
                tries = 0
            else:
                await self._pause(min(self._pause_s * 2 ** (tries - 1), PAUSE_S_MAX))
            self._needed.clear()

    async def _pause(self, seconds: float) -> None:
        self._settled.set()
        try:
            async with asyncio.timeout(seconds):
                await self._needed.wait()
        except TimeoutError:
            pass

    async def _try(self) -> bool:
        """One connection from its start to its end. Returns whether it was ever ready."""
        was_ready = False
        self._is_lost = self._is_changed = False
        self.state = ServerState.STARTING
        try:
            async with asyncio.timeout(self._start_s) as clock, await self._open(self) as connection:
                await self._look(connection)
                clock.reschedule(None)
                was_ready = True
                self._connected(connection)
                await self._attend(connection)
            self._failed(Gone("the connection broke"))
        except TimeoutError:
            self._failed(Broken(f"it was not ready within {self._start_s:g} s"))
        except Exception as error:  # the top of a task: whatever a server does to us ends here, as its trouble
            self._failed(innermost(error))
        finally:
            self._connection = None
        return was_ready

    async def _attend(self, connection: "Connection") -> None:
        while not self._is_lost:
            await self._stirred.wait()
            self._stirred.clear()
            if self._is_changed and not self._is_lost:
                self._is_changed = False
                async with asyncio.timeout(self._start_s):
                    await self._look(connection)
                self._on_change(self)

    async def _look(self, connection: "Connection") -> None:
        if await self.stock.look(connection):
            self._on_trouble(self)

    def _connected(self, connection: "Connection") -> None:
        self._connection = connection
        self.version = connection.version
        self.state, self.trouble = ServerState.READY, ""
        self._settled.set()
        self._on_change(self)

    def _failed(self, error: BaseException) -> None:
        self.trouble = told(error)
        self.state = ServerState.LOGIN_NEEDED if isinstance(error, LoginNeeded) else ServerState.FAILED

    def _tell_trouble(self) -> None:
        if self.trouble != self._told_trouble:
            self._told_trouble = self.trouble
            self._on_trouble(self)


async def _nothing() -> None:
    return
