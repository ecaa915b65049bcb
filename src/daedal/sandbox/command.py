"""How does one process live, from its start until it and everything it started are gone or handed over?"""

import asyncio
from collections.abc import Callable
from typing import Protocol

from daedal.protocol.seams import Job
from daedal.sandbox.errors import SpawnFailed
from daedal.sandbox.pipes import Pipe


class Body(Protocol):
    """A started process, wherever it runs."""

    @property
    def pid(self) -> int:
        """As it is called where it runs."""
        ...

    def watch(self, on_exit: Callable[[], None]) -> None:
        """Calls back once, when it has exited or can no longer be heard of."""
        ...

    async def end(self) -> None:
        """Ends it with everything it started, wherever that went. A cancellation only makes it less polite."""
        ...

    def settle(self) -> int:
        """The wait is over: lets go of it and tells how it ended, as `Popen.returncode`. Raises SpawnFailed."""
        ...


class Launcher(Protocol):
    """Where processes are started, and what has to be looked after there."""

    def launch(self, job: Job, *, stdout: int, stderr: int) -> Body:
        """Starts it. The descriptors stay the caller's. Raises SpawnFailed."""
        ...

    def settled(self, body: Body) -> None: ...

    async def close(self) -> None:
        """Ends everything that was ever started there and still runs."""
        ...

    def kill_now(self) -> None:
        """The same without grace and without the event loop; any thread may call it."""
        ...


class Command:
    """A running process. Whoever makes one awaits `attend`, which returns only when its end is settled."""

    def __init__(self, body: Body, on_settled: Callable[["Command"], None]) -> None:
        self.pid = body.pid
        self.body = body
        self.pipes: list[Pipe] = []
        self.exit_code = 0
        """As shells say it: 128 + N for signal N. Known once `attend` has returned."""
        self._on_settled = on_settled
        self._done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._has_exited = False
        body.watch(self._exited)

    def leave(self) -> None:
        """Nobody needs the rest of it: `attend` ends it now, if it has not ended already."""
        if not self._done.done():
            self._done.set_result(None)

    async def attend(self, timeout_s: float | None) -> bool:
        """Waits for its exit; returns whether time ran out. Ended any other way, nothing of it stays behind.

        Raises SpawnFailed where the place in which it ran is gone, so that nobody knows how it ended.
        """
        timed_out = False
        ended_by_itself = False
        try:
            async with asyncio.timeout(timeout_s):
                await self._done
            ended_by_itself = self._has_exited
        except TimeoutError:
            timed_out = True
        finally:
            try:
                if not ended_by_itself:
                    await self.end()
            finally:
                self._settle(keep_pipes=ended_by_itself)
        return timed_out

    async def end(self) -> None:
        """Ends it with everything it started, wherever that went. A cancellation only makes it less polite."""
        await self.body.end()

    def _exited(self) -> None:
        self._has_exited = True
        self.leave()

    def _settle(self, *, keep_pipes: bool) -> None:
        """Takes what is left in the pipes and waits for the process, which by now has exited."""
        for pipe in self.pipes:
            pipe.drain()
            if not keep_pipes:
                pipe.close()
        code = 0
        try:
            code = self.body.settle()
        except SpawnFailed:
            code = -9
            raise
        finally:
            self.exit_code = code if code >= 0 else 128 - code
            self._on_settled(self)
