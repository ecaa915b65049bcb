"""How does a server elsewhere talk to us? Streamable HTTP, or the older HTTP with a stream of events.

Whatever the server sends is bounded while it is read: a line of an event stream, a body of JSON. Compression is
declined, because a few bytes of it could become any number.
"""

import ssl
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from daedal import __version__
from daedal.mcp.ending import Ending
from daedal.mcp.entries import ServerConfig
from daedal.mcp.lines import LINE_BYTES_MAX, Lines

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

CONNECT_S = 30.0
NOT_FOUND = 404
UNAUTHORIZED = 401
SESSION = "mcp-session-id"
OTHER_BYTES_MAX = 1_048_576
"""Of a body that is neither JSON nor a stream: an error page."""


@asynccontextmanager
async def remote_streams(
    config: ServerConfig, auth: httpx2.Auth | None, ending: Ending
) -> AsyncGenerator["TransportStreams"]:
    async def heed(response: httpx2.Response) -> None:
        if response.status_code == NOT_FOUND and SESSION in response.request.headers:
            ending.is_forgotten = True
        ending.is_stranger = response.status_code == UNAUTHORIZED

    def client_of(
        headers: dict[str, str] | None = None,
        timeout: httpx2.Timeout | None = None,  # noqa: ARG001 - each call has its own
        auth: httpx2.Auth | None = None,
    ) -> httpx2.AsyncClient:
        # Reading has no limit of its own: a stream may be silent for hours, and whoever calls a tool has a deadline.
        return httpx2.AsyncClient(
            headers=headers,
            auth=auth,
            verify=_verify(config, auth),
            timeout=httpx2.Timeout(CONNECT_S, read=None),
            event_hooks={"request": [_hurry], "response": [_bound, heed]},
        )

    if config.transport == "sse":
        async with sse_client(
            config.url, headers=_headers(config), auth=auth, sse_read_timeout=86_400, httpx_client_factory=client_of
        ) as streams:
            yield streams
        return
    async with (
        client_of(headers=_headers(config), auth=auth) as client,
        streamable_http_client(config.url, http_client=client, max_sse_event_size=LINE_BYTES_MAX + 65_536) as streams,
    ):
        yield streams


def _verify(config: ServerConfig, auth: httpx2.Auth | None) -> ssl.SSLContext | bool:
    """Over plain HTTP nobody shows a certificate: no authority is trusted, and none has to be read, which is slow."""
    if auth is None and config.url.startswith("http://"):
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return True


def _headers(config: ServerConfig) -> dict[str, str]:
    return {"User-Agent": f"daedal/{__version__}", **config.headers, "Accept-Encoding": "identity"}


async def _hurry(request: httpx2.Request) -> None:
    """Saying goodbye is a courtesy that nobody waits for."""
    if request.method == "DELETE":
        request.extensions = {**request.extensions, "timeout": dict.fromkeys(("connect", "read", "write", "pool"), 2.0)}


async def _bound(response: httpx2.Response) -> None:
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise httpx2.DecodingError("it compresses its answers, although that was declined")
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    stream = response.stream
    assert isinstance(stream, httpx2.AsyncByteStream)
    response.stream = _Bounded(stream, kind)


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, kind: str) -> None:
        self._stream = stream
        self._kind = kind

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self._kind == "text/event-stream":
            lines = Lines(prefix=b"data:")
            async for chunk in self._stream:
                for line in lines.feed(chunk):
                    yield line + b"\n"
        elif self._kind == "application/json":
            async for chunk in self._body():
                yield chunk
        else:
            size = 0
            async for chunk in self._stream:
                yield chunk[: OTHER_BYTES_MAX - size]
                size += len(chunk)
                if size >= OTHER_BYTES_MAX:
                    return

    async def _body(self) -> AsyncIterator[bytes]:
        # A body has no lines: what is written over several of them is one message all the same.
        lines = Lines()
        async for chunk in self._stream:
            for _ in lines.feed(chunk.replace(b"\n", b" ")):
                pass
        for body in lines.flush():
            yield body

    async def aclose(self) -> None:
        await self._stream.aclose()
