"""How does a browser bring an answer back to a program? To a port on the loopback interface that hears one answer.

What belongs to no login that is waited for (another path, another state, a second answer) is turned away and changes
nothing: any page in the browser can send requests here.
"""

import asyncio
import secrets
from collections.abc import Callable
from html import escape
from urllib.parse import parse_qs, urlsplit

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

PATH = "/callback"
HEAD_BYTES_MAX = 16_384
READ_S = 5.0
REASON_LENGTH_MAX = 300


def _unheard() -> None:
    pass


class Loopback:
    """Listens until it is left. `address` is where the browser has to be sent, to the letter."""

    def __init__(self, *, state: str | None = None, port: int = 0, on_stranger: Callable[[], None] = _unheard) -> None:
        """`state` is what an answer to us must carry; None where somebody else checks it. Port 0: any free one."""
        self._state = state
        self._port = port
        self._on_stranger = on_stranger
        self.address = ""

    async def __aenter__(self) -> "Loopback":
        self._answer: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()
        try:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._port, limit=HEAD_BYTES_MAX)
        except OSError as error:
            raise ConfigurationError(say("config.loopback.no_port", reason=error.strerror)) from error
        port = self._server.sockets[0].getsockname()[1]
        self.address = f"http://127.0.0.1:{port}{PATH}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self._answer.cancel()

    async def answer(self) -> dict[str, str]:
        """What the browser brought: a `code`, or an `error`."""
        return await self._answer

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(READ_S):
                head = await reader.readuntil(b"\r\n\r\n")
                writer.write(self._heard(head.split(b"\r\n", 1)[0].decode("latin-1")))
                await writer.drain()
        except (TimeoutError, ValueError, EOFError, OSError):
            pass  # no browser: whoever it was may go
        finally:
            writer.close()

    def _heard(self, line: str) -> bytes:
        """The page that is shown. What is no answer to us is not found here."""
        parts = urlsplit(line.split(" ")[1] if line.count(" ") == 2 else "")
        given = {key: values[0] for key, values in parse_qs(parts.query).items()}
        if not line.startswith("GET ") or parts.path != PATH or not given.keys() & {"code", "error"}:
            return _page("404 Not Found", "")
        if self._state is not None and not secrets.compare_digest(
            given.get("state", "").encode(), self._state.encode()
        ):
            self._on_stranger()
            return _page("400 Bad Request", say("config.loopback.page_stranger"))
        if self._answer.done():
            return _page("409 Conflict", "")
        self._answer.set_result(given)
        if "code" in given:
            return _page("200 OK", say("config.loopback.page_done"))
        return _page("200 OK", say("config.loopback.page_failed", reason=told_reason(given)))


def told_reason(given: dict[str, str]) -> str:
    """Why there is no code, as the server said it."""
    return (given.get("error_description") or given.get("error", ""))[:REASON_LENGTH_MAX]


def _page(status: str, text: str) -> bytes:
    body = f"<!doctype html><meta charset=utf-8><title>Daedal</title><p>{escape(text)}".encode()
    head = [
        f"HTTP/1.1 {status}",
        "Content-Type: text/html; charset=utf-8",
        "Content-Security-Policy: default-src 'none'",
        "Referrer-Policy: no-referrer",
        f"Content-Length: {len(body)}",
        "Connection: close",
    ]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body
