"""How is one request made, and its answer read as it comes? HTTP/1.1, framed by h11, on a connection of its own.

Below is `dialling`, above are pages and searches. No redirect is followed here, and nothing is kept open: whoever
leaves the `async with`, by whatever way, has closed the connection.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager

import h11
from msgspec import Struct

from daedal import __version__
from daedal.tools.dialling import Line, dial
from daedal.tools.errors import Refused
from daedal.tools.inflating import ACCEPTED, Inflater
from daedal.tools.way_out import Route, WayOut

HEAD_BYTES_MAX = 65_536
READ_BYTES = 65_536


class Request(Struct, frozen=True, kw_only=True):
    method: str = "GET"
    headers: Sequence[tuple[str, str]] = ()
    body: bytes = b""


class Response:
    """An answer whose body is still to come."""

    def __init__(self, line: Line, framing: h11.Connection, head: h11.Response, where: str) -> None:
        self.status = head.status_code
        self._headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in head.headers}
        self._line = line
        self._framing = framing
        self._where = where

    def header(self, name: str) -> str:
        """By its name in lower case; empty where it is missing."""
        return self._headers.get(name, "")

    async def pieces(self, bytes_max: int) -> AsyncIterator[bytes]:
        """The body, unpacked, as it comes. Of an endless one a byte more than `bytes_max`, so that the cut shows."""
        inflater = Inflater(self.header("content-encoding"))
        room = bytes_max + 1
        while room > 0 and isinstance(event := await next_event(self._line, self._framing, self._where), h11.Data):
            piece = inflater.take(bytes(event.data), room)
            room -= len(piece)
            if piece:
                yield piece

    async def read(self, bytes_max: int) -> bytes:
        """The body, up to `bytes_max` bytes and one."""
        return b"".join([piece async for piece in self.pieces(bytes_max)])


@asynccontextmanager
async def exchange(route: Route, request: Request, way: WayOut) -> AsyncGenerator[Response]:
    """Asks, and gives the answer as soon as its head is there. Raises Refused. The caller sets the deadline."""
    line = await dial(route, way)
    try:
        framing = h11.Connection(h11.CLIENT, max_incomplete_event_size=HEAD_BYTES_MAX)
        line.writer.write(_asked(framing, route, request))
        head = await next_event(line, framing, route.url.authority)
        while isinstance(head, h11.InformationalResponse):
            head = await next_event(line, framing, route.url.authority)
        if not isinstance(head, h11.Response):
            raise _broken_off(route.url.authority)
        yield Response(line, framing, head, route.url.authority)
    finally:
        line.hang_up()


async def next_event(line: Line, framing: h11.Connection, where: str) -> h11.Event:
    """What comes next. Raises Refused where the connection ends too early or what it says is no HTTP."""
    try:
        while (event := framing.next_event()) is h11.NEED_DATA:
            framing.receive_data(await line.reader.read(READ_BYTES))
    except h11.RemoteProtocolError as error:
        if framing.their_state is h11.ERROR and line.reader.at_eof():
            raise _broken_off(where) from error
        raise Refused(f"{where} does not answer in HTTP/1.1: {error}.") from error
    except OSError as error:
        raise Refused(f"The connection to {where} broke off: {error.strerror or error}.") from error
    if isinstance(event, h11.Event):
        return event
    raise _broken_off(where)


def _broken_off(where: str) -> Refused:
    return Refused(f"The connection to {where} ended in the middle of the answer.")


def _asked(framing: h11.Connection, route: Route, request: Request) -> bytes:
    headers = [
        ("Host", route.url.host_header),
        ("User-Agent", f"daedal/{__version__}"),
        ("Accept-Encoding", ACCEPTED),
        ("Connection", "close"),
        *request.headers,
    ]
    target = route.url.target
    if route.proxy is not None and not route.url.is_secure:
        target = str(route.url)
        if route.proxy.authorization:
            headers.append(("Proxy-Authorization", route.proxy.authorization))
    if request.body:
        headers.append(("Content-Length", str(len(request.body))))
    parts = [framing.send(h11.Request(method=request.method, target=target, headers=headers))]
    if request.body:
        parts.append(framing.send(h11.Data(data=request.body)))
    return b"".join(part for part in (*parts, framing.send(h11.EndOfMessage())) if part)
