"""How does a jail reach listed domains, and nothing else? Through this HTTP proxy, which runs outside of it.

The jail's network has no way out; the proxy accepts connections on a listener that lives in there. It resolves names
and connects itself, so what a command believes an address to be does not matter. What it turned away it remembers.
"""

import asyncio
import socket
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING

from daedal.sandbox.requests import Request, read_request

if TYPE_CHECKING:
    from daedal.sandbox.domains import Domains

HEAD_BYTES_MAX = 65_536
HEAD_S = 30.0
CONNECT_S = 30.0
IDLE_S = 900.0
CONNECTIONS_MAX = 256
CHUNK_BYTES = 65_536
REFUSALS_MAX = 100


class Proxy:
    def __init__(self, domains: Sequence[str]) -> None:
        self._listed = list(domains)
        self._domains: Domains | None = None
        self._doors: dict[object, socket.socket] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self._refusals: deque[tuple[int, str]] = deque(maxlen=REFUSALS_MAX)
        self._count = 0

    @property
    def count(self) -> int:
        """How many requests were turned away up to now."""
        return self._count

    def refused_since(self, count: int) -> list[str]:
        """The hosts that were turned away after the count stood there."""
        return list(dict.fromkeys(host for number, host in self._refusals if number > count))

    def attend(self, owner: object, door: socket.socket) -> None:
        """Serves whoever comes through the door, which from now on is the proxy's, until `leave`."""
        door.settimeout(0.0)
        self._doors[owner] = door
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(door.fileno(), self._accept, door)

    def leave(self, owner: object) -> None:
        door = self._doors.pop(owner, None)
        if door is not None:
            if self._loop is not None and not self._loop.is_closed():
                self._loop.remove_reader(door.fileno())
            door.close()

    async def close(self) -> None:
        for owner in list(self._doors):
            self.leave(owner)
        for task in list(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    def _accept(self, door: socket.socket) -> None:
        try:
            connection, _ = door.accept()
        except OSError:
            return  # whoever came has left again
        if len(self._connections) >= CONNECTIONS_MAX:
            connection.close()
            return
        connection.settimeout(0.0)
        task = asyncio.get_running_loop().create_task(self._serve(connection))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)
        # Not left to the task: cancelled at once, it would never begin.
        task.add_done_callback(lambda _: connection.close())

    async def _serve(self, connection: socket.socket) -> None:
        reader, writer = await asyncio.open_connection(sock=connection, limit=HEAD_BYTES_MAX)
        try:
            await self._answer(reader, writer)
            writer.close()
            async with asyncio.timeout(HEAD_S):
                await writer.wait_closed()
        except (OSError, TimeoutError, EOFError, ValueError, asyncio.LimitOverrunError):
            pass  # either side went away, or said nothing that could be understood
        finally:
            writer.transport.abort()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(HEAD_S):
            request = await read_request(reader)
        if request is None:
            await _say(writer, 400, "this proxy understands CONNECT and absolute http:// addresses only")
            return
        if not self._rules().has(request.host, request.port):
            await self._refuse(writer, request.host, "is not among the domains that may be reached from this sandbox")
            return
        addresses = await self._addresses(request)
        if addresses is None:
            await _say(writer, 502, f"{request.host} cannot be resolved")
        elif not addresses:
            await self._refuse(writer, request.host, "leads to an address inside this network, which is not listed")
        else:
            await self._relay(request, addresses, reader, writer)

    async def _refuse(self, writer: asyncio.StreamWriter, host: str, why: str) -> None:
        self._count += 1
        self._refusals.append((self._count, host))
        await _say(writer, 403, f"{host} {why}")

    async def _addresses(self, request: Request) -> list[str] | None:
        """Those behind the name that may be reached; None where there are none at all."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(CONNECT_S):
                found = await loop.getaddrinfo(request.host, request.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError, TimeoutError):
            return None
        addresses = dict.fromkeys(str(place[0]) for *_, place in found)
        return [address for address in addresses if self._rules().may_lead_to(request.host, request.port, address)]

    async def _relay(
        self, request: Request, addresses: list[str], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        there = await _connect(addresses, request.port)
        if there is None:
            await _say(writer, 502, f"{request.host} does not answer")
            return
        far_reader, far_writer = there
        try:
            if request.head:
                far_writer.write(request.head)
            else:
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            async with asyncio.TaskGroup() as group:
                group.create_task(_copy(reader, far_writer))
                group.create_task(_copy(far_reader, writer))
        except* (OSError, TimeoutError):
            pass  # one side hung up, which ends the other
        finally:
            far_writer.transport.abort()

    def _rules(self) -> "Domains":
        if self._domains is None:
            from daedal.sandbox.domains import Domains

            self._domains = Domains(self._listed)
        return self._domains


async def _connect(addresses: list[str], port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
    for address in addresses:
        try:
            async with asyncio.timeout(CONNECT_S):
                return await asyncio.open_connection(address, port)
        except (OSError, TimeoutError):
            continue
    return None


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while True:
        async with asyncio.timeout(IDLE_S):
            chunk = await source.read(CHUNK_BYTES)
            if not chunk:
                break
            target.write(chunk)
            await target.drain()
    if target.can_write_eof():
        target.write_eof()


async def _say(writer: asyncio.StreamWriter, status: int, text: str) -> None:
    phrase = {400: "Bad Request", 403: "Forbidden", 502: "Bad Gateway"}[status]
    body = f"Daedal's sandbox: {text}\n".encode("utf-8", "replace")
    head = f"HTTP/1.1 {status} {phrase}\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}\r\n"
    writer.write(head.encode("ascii") + b"X-Daedal-Sandbox: refused\r\nConnection: close\r\n\r\n" + body)
    async with asyncio.timeout(HEAD_S):
        await writer.drain()
