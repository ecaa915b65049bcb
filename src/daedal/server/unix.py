"""How do clients of the same user reach a server? By a socket in the file system that nobody else may open."""

import asyncio
import os
import socket
import stat
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from daedal.client import LineTransport, StreamSink
from daedal.protocol.abilities import Wire
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError, UsageError


@asynccontextmanager
async def unix_listening(path: str, serve: Callable[[Wire], Awaitable[None]]) -> AsyncGenerator[str]:
    """Serves until it is left. Gives the address."""
    path = os.path.abspath(os.path.expanduser(path))
    _make_room(path)

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await serve(LineTransport(reader, StreamSink(writer)))

    listener = _listener(path)
    server = await asyncio.start_unix_server(connected, sock=listener)
    made = os.stat(path)
    try:
        yield f"unix://{path}"
    finally:
        server.close()
        _tidy(path, made)


def _listener(path: str) -> socket.socket:
    """Nobody else can open it, not even in the moment when it is made."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        listener.bind(path)
    except OSError as error:
        listener.close()
        raise ConfigurationError(say("server.cannot_listen", address=f"unix://{path}", error=error)) from error
    finally:
        os.umask(before)
    return listener


def _make_room(path: str) -> None:
    """Removes what a server that was killed has left behind; nothing else."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise ConfigurationError(say("server.cannot_listen", address=f"unix://{path}", error=error)) from error
    if not stat.S_ISSOCK(found.st_mode):
        raise UsageError(say("server.not_a_socket", path=path))
    probe = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    probe.settimeout(1)
    try:
        probe.connect(path)
    except ConnectionRefusedError:
        os.unlink(path)
        return
    except OSError as error:
        raise ConfigurationError(say("server.cannot_listen", address=f"unix://{path}", error=error)) from error
    finally:
        probe.close()
    raise UsageError(say("server.socket_taken", path=path))


def _tidy(path: str, made: os.stat_result) -> None:
    try:
        found = os.lstat(path)
        if (found.st_dev, found.st_ino) == (made.st_dev, made.st_ino):
            os.unlink(path)
    except OSError:
        return  # Somebody has tidied up already.
