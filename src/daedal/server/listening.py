"""Where does a server listen? At its standard input and output, at a unix socket, or at a websocket of this machine."""

import asyncio
import os
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from ipaddress import ip_address
from urllib.parse import urlsplit

from msgspec import Struct

from daedal.protocol.abilities import Wire
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError, UsageError
from daedal.protocol.wire import OVERLOADED, Response, WireError

TOKEN_CHARACTERS_MIN = 16
CLIENTS_MAX = 256
"""At once. Each holds a descriptor, and may hold what it does not read."""


class Address(Struct, frozen=True, kw_only=True):
    scheme: str
    """`stdio`, `unix` or `ws`."""
    path: str = ""
    host: str = ""
    port: int = 0


def address_of(text: str) -> Address:
    """Raises UsageError where it is none, or would be open to other machines."""
    try:
        parts = urlsplit(text)
        port = parts.port or 0
    except ValueError as error:
        raise UsageError(say("server.listen_address", address=text)) from error
    match parts.scheme:
        case "stdio":
            return Address(scheme="stdio")
        case "unix" if parts.netloc or parts.path:
            return Address(scheme="unix", path=f"{parts.netloc}{parts.path}")
        case "ws" if parts.hostname and parts.path in ("", "/"):
            host = "127.0.0.1" if parts.hostname == "localhost" else parts.hostname
            if not _is_loopback(host):
                raise UsageError(say("server.not_loopback", host=host))
            return Address(scheme="ws", host=host, port=port)
        case _:
            raise UsageError(say("server.listen_address", address=text))


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def listen(
    address: Address, serve: Callable[[Wire], Awaitable[None]], *, token: str = "", origins: Collection[str] = ()
) -> AbstractAsyncContextManager[str]:
    """Serves every client that comes, until it is left. Gives the address under which it can be reached."""
    clients = Clients(serve)
    if address.scheme == "unix":
        from daedal.server.unix import unix_listening

        return _ending(unix_listening(address.path, clients.serve), clients)
    from daedal.server.websocket import websocket_listening

    return _ending(
        websocket_listening(address.host, address.port, clients.serve, token=token, origins=origins), clients
    )


class Clients:
    """Those that are being served, so that they can be let go in the end."""

    def __init__(self, serve: Callable[[Wire], Awaitable[None]]) -> None:
        self._serve = serve
        self._tasks: set[asyncio.Future[None]] = set()

    async def serve(self, wire: Wire) -> None:
        if len(self._tasks) >= CLIENTS_MAX:
            error = WireError(code=OVERLOADED, message=say("server.too_many_clients", count=CLIENTS_MAX))
            wire.push(Response(id=None, error=error))
            wire.close()
            return
        task = asyncio.ensure_future(self._serve(wire))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        await asyncio.wait([task])

    async def end(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)


@asynccontextmanager
async def _ending(listening: AbstractAsyncContextManager[str], clients: Clients) -> AsyncGenerator[str]:
    async with listening as address:
        try:
            yield address
        finally:
            await clients.end()


def token_in(path: str) -> str:
    """The token in this file, which nobody else may read; made where it is missing."""
    try:
        with open(path, encoding="ascii") as file:
            token = file.read().strip()
    except FileNotFoundError:
        return _made(path)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(say("server.token_unreadable", path=path, error=error)) from error
    if len(token) < TOKEN_CHARACTERS_MIN:
        raise ConfigurationError(say("server.token_short", source=path, length=TOKEN_CHARACTERS_MIN))
    return token


def _made(path: str) -> str:
    token = secrets.token_urlsafe(32)
    try:
        os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise ConfigurationError(say("server.token_unreadable", path=path, error=error)) from error
    with os.fdopen(number, "w", encoding="ascii") as file:
        file.write(token + "\n")
    return token
