"""How is a process talked to while it runs? Its standard input stays open, its output comes piece by piece.

Whoever starts processes knows only input that is complete beforehand; so a shell puts a pipe of ours in place of it.
"""

import asyncio
import os
from collections.abc import Callable
from typing import Protocol

from msgspec.structs import replace

from daedal.protocol.seams import Finish, Job

SCRIPT = 'input=$1; shift; exec "$@" <"/dev/fd/$input"'


class Feeder(Protocol):
    """Starts processes, within walls or without."""

    async def feed(self, job: Job, take: Callable[[bytes], bool]) -> Finish: ...


class Piped:
    """A running process with an open input."""

    def __init__(self, writer: asyncio.StreamWriter, running: "asyncio.Task[Finish]") -> None:
        self._writer = writer
        self.running = running
        """Ends with the process, or with SpawnFailed."""

    @classmethod
    async def start(cls, feeder: Feeder, job: Job, take: Callable[[bytes], bool]) -> "Piped":
        """`take` gets the output, until it answers False: then the process is ended at once."""
        child_end, our_end = os.pipe()
        try:
            writer = await _writer(our_end)
        except BaseException:
            os.close(child_end)
            raise
        wrapped = replace(
            job,
            argv=["/bin/sh", "-c", SCRIPT, "sh", str(child_end), *job.argv],
            pass_fds=(*job.pass_fds, child_end),
        )
        running = asyncio.create_task(feeder.feed(wrapped, take))
        running.add_done_callback(lambda _: os.close(child_end))
        return cls(writer, running)

    async def send(self, data: bytes) -> None:
        """Waits while the process is slow to read. Raises ConnectionError where it reads no more."""
        if self.running.done():
            raise ConnectionError("the process has ended")
        self._writer.write(data)
        await self._writer.drain()

    def close_input(self) -> None:
        """It can read to the end of what was sent, and then knows that nothing more comes."""
        self._writer.close()

    async def end(self, *, grace_s: float) -> None:
        """Closes the input, and ends what has not left by itself after that, with everything it started."""
        self._writer.close()
        await asyncio.wait([self.running], timeout=grace_s)
        self.running.cancel()
        await asyncio.wait([self.running])


async def _writer(descriptor: int) -> asyncio.StreamWriter:
    loop = asyncio.get_running_loop()
    file = os.fdopen(descriptor, "wb", 0)
    protocol = asyncio.StreamReaderProtocol(asyncio.StreamReader())
    transport, _ = await loop.connect_write_pipe(lambda: protocol, file)
    return asyncio.StreamWriter(transport, protocol, None, loop)
