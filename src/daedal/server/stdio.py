"""How does a server speak over its own standard input and output? As a child of its only client."""

import asyncio
import os
import stat

from daedal.client import LineTransport, Sink, Source, StreamSink


class FileSource:
    """A file is always ready."""

    def __init__(self, number: int) -> None:
        self._number = number

    async def read(self, n: int) -> bytes:
        await asyncio.sleep(0)
        return os.read(self._number, n)


class FileSink:
    def __init__(self, number: int) -> None:
        self._number = number
        self._waiting = b""

    def write(self, data: bytes) -> None:
        self._waiting += data

    async def drain(self) -> None:
        while self._waiting:
            self._waiting = self._waiting[os.write(self._number, self._waiting) :]
        await asyncio.sleep(0)

    async def close(self) -> None:
        await self.drain()

    def abort(self) -> None:
        self._waiting = b""


class PipeSink(StreamSink):
    """Where nobody reads any more, nothing more is heard either: the two ends belong to one client."""

    def __init__(self, writer: asyncio.StreamWriter, reader: asyncio.StreamReader | None) -> None:
        super().__init__(writer)
        self._reader = reader

    def abort(self) -> None:
        super().abort()
        if self._reader is not None and not self._reader.at_eof():
            self._reader.feed_eof()


async def stdio_wire(read: int = 0, write: int = 1) -> LineTransport:
    source, reader = await _source(read)
    return LineTransport(source, await _sink(write, reader))


async def _source(number: int) -> tuple[Source, asyncio.StreamReader | None]:
    if _is_file(number):
        return FileSource(number), None
    reader = asyncio.StreamReader()
    pipe = os.fdopen(os.dup(number), "rb", 0)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
    return reader, reader


async def _sink(number: int, reader: asyncio.StreamReader | None) -> Sink:
    if _is_file(number):
        return FileSink(number)
    loop = asyncio.get_running_loop()
    pipe = os.fdopen(os.dup(number), "wb", 0)
    transport, protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), pipe
    )
    return PipeSink(asyncio.StreamWriter(transport, protocol, None, loop), reader)


def _is_file(number: int) -> bool:
    """Also /dev/null: an event loop cannot wait for either."""
    found = os.fstat(number)
    is_null = stat.S_ISCHR(found.st_mode) and found.st_rdev == os.stat(os.devnull).st_rdev
    return stat.S_ISREG(found.st_mode) or is_null
