"""How does a command run on while the turn goes on without it?"""

import asyncio
import os
from collections.abc import Callable

from daedal.sandbox.command import Command
from daedal.sandbox.errors import SpawnFailed


class BackgroundCommand:
    """A command whose output goes to a file. The file's last line tells how it ended."""

    def __init__(self, command: Command, output_path: str, timeout_s: float | None) -> None:
        self.pid = command.pid
        self.output_path = output_path
        self.exit_code: int | None = None
        """None while it runs."""
        self._command = command
        self._is_unwanted = False
        self._task = asyncio.create_task(self._attend(timeout_s))

    async def wait(self) -> int:
        return await asyncio.shield(self._task)

    def when_done(self, callback: Callable[["BackgroundCommand"], None]) -> None:
        self._task.add_done_callback(lambda _: callback(self))

    async def end(self) -> None:
        if self._task.done():
            await self._command.end()
        else:
            self._is_unwanted = True
            self._command.leave()
            await asyncio.wait((self._task,))

    async def _attend(self, timeout_s: float | None) -> int:
        note = ""
        try:
            if await self._command.attend(timeout_s):
                note = f"timed out after {timeout_s:g} s"
        except SpawnFailed as failure:
            note = str(failure)
        self.exit_code = self._command.exit_code
        if self._is_unwanted:
            note = "ended with the session"
        _append(self.output_path, f"\n[{note or f'exit code {self.exit_code}'}]\n")
        return self.exit_code


def _append(path: str, text: str) -> None:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
    except OSError:
        return  # the file was removed: nobody is going to read it
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
