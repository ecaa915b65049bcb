"""How do clients on this machine reach a server over the network stack? By a websocket, with a token.

Any program and any web page on the machine can open a connection to 127.0.0.1. So the token is asked for before
anything else, pages are refused by their Origin, and a name that only pretends to be this machine by its Host.
"""

import hmac
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from http import HTTPStatus
from ipaddress import ip_address
from typing import TYPE_CHECKING

from daedal.client import LINE_BYTES_MAX, FrameSink, FrameSource, LineTransport
from daedal.protocol.abilities import Wire
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection
    from websockets.http11 import Request, Response

HEALTH = ("/healthz", "/readyz")


@asynccontextmanager
async def websocket_listening(
    host: str, port: int, serve: Callable[[Wire], Awaitable[None]], *, token: str, origins: Collection[str] = ()
) -> AsyncGenerator[str]:
    """Serves until it is left. Gives the address, with the port that was chosen where it was 0."""
    from websockets.asyncio.server import serve as serve_websocket

    async def connected(peer: "ServerConnection") -> None:
        await serve(LineTransport(FrameSource(peer), FrameSink(peer)))

    def check(peer: "ServerConnection", request: "Request") -> "Response | None":
        status = _verdict(request, token, origins)
        return None if status is None else peer.respond(status, f"{status.phrase}\n")

    try:
        server = await serve_websocket(
            connected, host, port, process_request=check, max_size=LINE_BYTES_MAX, compression=None
        )
    except OSError as error:
        raise ConfigurationError(say("server.cannot_listen", address=f"ws://{host}:{port}", error=error)) from error
    async with server:
        bound = next(iter(server.sockets)).getsockname()[1]
        yield f"ws://{host}:{bound}"


def _verdict(request: "Request", token: str, origins: Collection[str]) -> HTTPStatus | None:
    """What to say instead of opening the connection; None opens it."""
    told = {name: request.headers.get_all(name) for name in ("Host", "Origin", "Authorization")}
    if any(len(values) > 1 for values in told.values()):
        return HTTPStatus.BAD_REQUEST
    host, origin, authorization = (next(iter(values), None) for values in told.values())
    if not _is_local(host or ""):
        return HTTPStatus.MISDIRECTED_REQUEST
    if request.path in HEALTH:
        return HTTPStatus.OK
    if origin is not None and origin not in origins:
        return HTTPStatus.FORBIDDEN
    given = (authorization or "").removeprefix("Bearer ")
    if not hmac.compare_digest(given.encode(), token.encode()):
        return HTTPStatus.UNAUTHORIZED
    return None


def _is_local(host: str) -> bool:
    """Whether it names this machine by its number, or as every machine calls itself: other names lead anywhere."""
    name = (host if host.endswith("]") else host.rpartition(":")[0]) or host
    if name == "localhost":
        return True
    try:
        return ip_address(name.removeprefix("[").removesuffix("]")).is_loopback
    except ValueError:
        return False
