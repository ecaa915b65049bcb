"""How does the Agent SDK reach Claude? Over a process that the sandbox starts, not one that the SDK starts itself."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Protocol

import msgspec
from claude_agent_sdk import CLIConnectionError, Transport

from daedal.protocol.seams import Finish, Job
from daedal.sandbox import Piped, SpawnFailed

LINE_BYTES_MAX = 64 * 1_048_576
PENDING_MAX = 50_000
GRACE_S = 2.0


class Feeder(Protocol):
    async def feed(self, job: Job, take: Callable[[bytes], bool]) -> Finish: ...


class PipedTransport(Transport):
    def __init__(self, feeder: Feeder, job: Job, descriptors: Sequence[int]) -> None:
        """`descriptors` are those that the process is given; they are closed here once it has them."""
        self._feeder = feeder
        self._job = job
        self._descriptors = descriptors
        self._process: Piped | None = None
        self._rest = b""
        self._messages: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue(PENDING_MAX)

    async def connect(self) -> None:
        self._process = await Piped.start(self._feeder, self._job, self._take)
        self._process.running.add_done_callback(self._ended)

    async def write(self, data: str) -> None:
        if self._process is None:
            raise CLIConnectionError("not started")
        try:
            await self._process.send(data.encode("utf-8", "replace"))
        except ConnectionError as error:
            raise CLIConnectionError(self.last_words() or "the process has ended") from error

    async def read_messages(self) -> AsyncIterator[dict[str, Any]]:
        while (message := await self._messages.get()) is not None:
            yield message
        if words := self.last_words():
            raise CLIConnectionError(words)

    async def close(self) -> None:
        if self._process is not None:
            await self._process.end(grace_s=GRACE_S)

    def is_ready(self) -> bool:
        return self._process is not None and not self._process.running.done()

    async def end_input(self) -> None:
        if self._process is not None:
            self._process.close_input()

    def last_words(self) -> str:
        """Why it ended, where it has and not well."""
        if self._process is None or not self._process.running.done() or self._process.running.cancelled():
            return ""
        error = self._process.running.exception()
        if error is not None:
            return str(error) if isinstance(error, SpawnFailed) else f"{type(error).__name__}: {error}"
        finish = self._process.running.result()
        said = finish.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        words = f"exit code {finish.exit_code}{''.join(f': {line.strip()[-500:]}' for line in said)}"
        return words if finish.exit_code else ""

    def _take(self, chunk: bytes) -> bool:
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            if not line.lstrip().startswith(b"{"):
                continue  # Programs print all kinds of things.
            try:
                self._messages.put_nowait(msgspec.json.decode(line))
            except (msgspec.DecodeError, RecursionError):
                continue
            except asyncio.QueueFull:
                return False
        return len(self._rest) <= LINE_BYTES_MAX

    def _ended(self, running: "asyncio.Task[Finish]") -> None:
        del running
        for descriptor in self._descriptors:
            os.close(descriptor)
        if self._messages.full():
            self._messages.get_nowait()
        self._messages.put_nowait(None)
