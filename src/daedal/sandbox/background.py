"""How does a command run on while the turn goes on without it?"""

import asyncio
from collections.abc import Callable

from daedal.sandbox.command import Command
from daedal.sandbox.errors import SpawnFailed
from daedal.sandbox.spool import Excerpt, Spool

ENDED_WITH_US = "ended with the session"


class BackgroundCommand:
    """A command whose output goes to a file. The file tells in a line of its own how it ended."""

    def __init__(self, command: Command, spool: Spool, timeout_s: float | None) -> None:
        self.pid = command.pid
        self.exit_code: int | None = None
        """None while it runs."""
        self.ending = ""
        """How it ended, where it did not simply exit."""
        self._command = command
        self._spool = spool
        self._unwanted = ""
        self._task = asyncio.create_task(self._attend(timeout_s))

    async def wait(self) -> int:
        return await asyncio.shield(self._task)

    def when_done(self, callback: Callable[["BackgroundCommand"], object]) -> None:
        self._task.add_done_callback(lambda _: callback(self))

    def read(self, since: int, bytes_max: int) -> Excerpt:
        """What it has printed after the position, the newest of it where that is too much."""
        return self._spool.read(since, bytes_max)

    async def end(self, why: str = ENDED_WITH_US) -> None:
        if self._task.done():
            await self._command.end()
        else:
            self._unwanted = why
            self._command.leave()
            await asyncio.wait((self._task,))

    def forget(self) -> None:
        """Nobody is going to read it here any more; the file stays."""
        self._spool.close()

    async def _attend(self, timeout_s: float | None) -> int:
        try:
            if await self._command.attend(timeout_s):
                self.ending = f"timed out after {timeout_s:g} s"
        except SpawnFailed as failure:
            self.ending = str(failure)
        self.exit_code = self._command.exit_code
        self.ending = self._unwanted or self.ending
        self._spool(f"\n[{self.ending or f'exit code {self.exit_code}'}]\n".encode())
        return self.exit_code
