"""What does the web look like in a test? Sites on loopback that answer byte for byte what a test says."""

import asyncio
import gzip
import ssl
from collections.abc import Awaitable, Callable, Coroutine
from types import TracebackType
from typing import Any, TypeVar

from msgspec import Raw, Struct

from daedal.protocol.model import ToolSpec

T = TypeVar("T")
Answer = bytes | Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Asked(Struct, frozen=True):
    method: str
    target: str
    headers: dict[str, str]
    body: bytes = b""


class Site:
    """Open while its `async with` runs. `pages` are whole answers, by path; what is missing is a 404."""

    def __init__(self, pages: dict[str, Answer], *, tls: ssl.SSLContext | None = None) -> None:
        self._pages = pages
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._tasks: list[asyncio.Task[Any]] = []
        self._writers: list[asyncio.StreamWriter] = []
        self.asked: list[Asked] = []
        self.reached = asyncio.Event()
        """A request is there."""
        self.hung_up = asyncio.Event()
        """A client has closed its connection."""
        self.port = 0

    async def __aenter__(self) -> "Site":
        self._server = await asyncio.start_server(self._let_in, "127.0.0.1", 0, ssl=self._tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        assert self._server is not None
        self._server.close()
        for _ in range(5):  # who was let in just now, and who was let go, is seen to in the loop's next rounds
            await asyncio.sleep(0)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        for _ in range(5):
            await asyncio.sleep(0)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"{'https' if self._tls else 'http'}://{host}:{self.port}{path}"

    def _let_in(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        self._tasks.append(asyncio.create_task(self._serve(reader, writer)))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            asked = await _request(reader)
            self.asked.append(asked)
            self.reached.set()
            answer = self._pages.get(asked.target.partition("?")[0], reply(b"nothing here", status="404 Not Found"))
            if isinstance(answer, bytes):
                writer.write(answer)
                await writer.drain()
                writer.write_eof() if self._tls is None else None
            else:
                await answer(reader, writer)
            await reader.read()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            self.hung_up.set()
            writer.transport.abort()


async def _request(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, target, _ = head[0].split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
    return Asked(method, target, headers, await reader.readexactly(int(headers.get("content-length", "0"))))


def reply(body: bytes, content_type: str = "text/plain", *, status: str = "200 OK", **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {content_type}", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join((*lines, "", "")).encode("latin-1") + body


def moved(target: str, status: str = "302 Found") -> bytes:
    return reply(b"", status=status, Location=target)


def endless(piece: bytes, content_type: str, **headers: str) -> Answer:
    """Says the same again and again, for as long as somebody listens."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = [f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join((*lines, "", "")).encode())
        while True:
            writer.write(piece)
            await writer.drain()

    return answer


async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Takes the request and never answers."""


def bomb(size: int) -> bytes:
    return gzip.compress(b"0" * size)


def spec(name: str) -> ToolSpec:
    return ToolSpec(name=name, description="", input_schema=Raw(b"{}"), read_only=True)


def run(scenario: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(scenario)
