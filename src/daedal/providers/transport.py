"""How does a request reach an endpoint and its answer come back? By POST, over connections kept for the next one."""

import asyncio
from collections.abc import Mapping, Sequence

from daedal.providers.address import Address
from daedal.providers.connection import Connection
from daedal.providers.dial import USER_AGENT, Route, Trust, dial
from daedal.providers.failures import Failure
from daedal.providers.http1 import Body, Head, read_head
from daedal.providers.proxies import authorization, proxy_for
from daedal.providers.settings import NetworkSettings

IDLE_CONNECTIONS_MAX = 8
IDLE_S_MAX = 60.0
"""Routers forget silent connections without telling; an older one is not worth the risk."""


class Response:
    """The answer to one request. Whoever got it must `leave` it."""

    def __init__(self, transport: "Transport", connection: Connection, head: Head) -> None:
        self.status = head.status
        self.headers = head.headers
        self._transport = transport
        self._connection = connection
        self._reusable = head.keep_alive
        self._body = Body(connection, head)

    async def read(self, timeout_s: float) -> bytes:
        """All bytes of the body that have arrived, at least one; empty at the end."""
        return await self._body.read(timeout_s)

    async def read_up_to(self, size: int, timeout_s: float) -> bytes:
        """The beginning of the body. A body that breaks off or falls silent is simply shorter."""
        read = bytearray()
        try:
            while len(read) < size and (data := await self.read(timeout_s)):
                read += data
        except Failure:
            pass
        return bytes(read[:size])

    def leave(self, *, whole: bool) -> None:
        """Closes the connection, or keeps it where the reply was whole.

        Whole means that the last event was read; the last few bytes of the body come after it, maybe a little later.
        """
        if whole and self._reusable:
            self._transport.keep(self._connection, self._body)
        else:
            self._connection.abort()


class Transport:
    """The way to one endpoint, with a few open connections. Knows the credential; nobody above needs to."""

    def __init__(
        self, target: Address, headers: Mapping[str, str], network: NetworkSettings, env: Mapping[str, str]
    ) -> None:
        self._network = network
        self._route = Route(target=target, proxy=proxy_for(target, network.proxy, env))
        self._trust = Trust(network.ca_file)
        if network.ca_file is not None and target.secure:
            self._trust.context()  # an unreadable file is a mistake to hear about before any network I/O
        self._idle: list[tuple[Connection, Body]] = []
        """Each with the body that was read from it last."""
        self._head = self._request_head(headers)

    def _request_head(self, headers: Mapping[str, str]) -> bytes:
        target, proxy = self._route.target, self._route.proxy
        handed_over = proxy is not None and not target.secure
        lines = [
            f"POST {target if handed_over else target.path or '/'} HTTP/1.1",
            f"Host: {target.host_header}",
            f"User-Agent: {USER_AGENT}",
            "Accept: text/event-stream",
            "Accept-Encoding: identity",
            "Content-Type: application/json",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        if proxy is not None and handed_over and (login := authorization(proxy)):
            lines.append(f"Proxy-Authorization: {login}")
        return ("\r\n".join(lines) + "\r\nContent-Length: ").encode("latin-1")

    async def post(self, body: Sequence[bytes], further: bytes = b"") -> Response:
        """Sends the body, which comes in pieces, and waits for the head of the answer. Raises Failure.

        `further` are lines of the head for this request alone, each with its end.
        """
        while (kept := self._take()) is not None:
            try:
                return await self._exchange(kept, body, further)
            except Failure as failure:
                if not failure.lost:
                    raise
                # The server had closed the connection while nobody looked: that is no failed attempt.
        connection = await dial(self._route, self._trust, self._network.connect_timeout_s)
        return await self._exchange(connection, body, further)

    async def _exchange(self, connection: Connection, body: Sequence[bytes], further: bytes) -> Response:
        try:
            connection.write_all([b"%b%d\r\n%b\r\n" % (self._head, sum(map(len, body)), further), *body])
            head = await read_head(connection, self._network.idle_timeout_s)
        except BaseException:
            connection.abort()
            raise
        return Response(self, connection, head)

    def _take(self) -> Connection | None:
        """A connection that is open and quiet, the latest first."""
        oldest = asyncio.get_running_loop().time() - IDLE_S_MAX
        while self._idle:
            connection, body = self._idle.pop()
            if connection.idle_since > oldest and _is_quiet(connection, body):
                return connection
            connection.abort()
        return None

    def keep(self, connection: Connection, body: Body) -> None:
        if connection.ended or len(self._idle) >= IDLE_CONNECTIONS_MAX:
            connection.abort()
            return
        connection.idle_since = asyncio.get_running_loop().time()
        self._idle.append((connection, body))

    def close(self) -> None:
        while self._idle:
            self._idle.pop()[0].abort()


def _is_quiet(connection: Connection, body: Body) -> bool:
    """The last body has arrived to its end, and nothing after it."""
    try:
        body.arrived()
    except Failure:
        return False
    return body.finished and not connection.buffer and not connection.ended
