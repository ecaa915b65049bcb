"""How does a person log in at a remote server? In the browser, which brings the answer to a port on this machine."""

import asyncio
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from daedal.mcp.elicitation import declined
from daedal.mcp.entries import ServerConfig
from daedal.mcp.servers import Spawner
from daedal.mcp.tokens import Tokens
from daedal.mcp.trouble import Trouble, told
from daedal.protocol.catalogue import say

if TYPE_CHECKING:
    from mcp.shared.auth import AuthorizationCodeResult

WAIT_S = 300.0
PATH = "/callback"
HEAD_BYTES_MAX = 16_384
READ_S = 5.0


async def log_in(
    config: ServerConfig,
    tokens: Tokens,
    *,
    spawner: Spawner,
    workspace: str,
    show: Callable[[str], None],
    wait_s: float = WAIT_S,
) -> bool:
    """`show` gets the address that the person has to open. Returns whether the server asked at all. Raises Trouble."""
    from daedal.mcp.connection import Surroundings, connected
    from daedal.mcp.oauth import Session, Storage, has_own_header, provider
    from daedal.mcp.tokens import Login

    if config.transport == "stdio":
        raise Trouble(say("mcp.login.not_remote", name=config.name))
    if has_own_header(config):
        raise Trouble(say("mcp.login.has_header", name=config.name))
    storage = Storage(tokens)
    async with _Listener() as listener:
        # Registered anew: what was registered earlier names another port.
        tokens.write(Login(url=config.url))

        async def send(address: str) -> None:
            show(address)

        auth = provider(config, storage, listener.address, send, listener.answer)
        around = Surroundings(
            spawner=spawner,
            workspace=workspace,
            elicit=declined,
            on_message=lambda _level, _text: None,
            on_change=lambda: None,
            on_end=lambda: None,
            session=Session(auth),
        )
        try:
            async with asyncio.timeout(wait_s), connected(config, around) as connection:
                await connection.tools()
        except TimeoutError as error:
            raise Trouble(say("mcp.login.timed_out", seconds=f"{wait_s:g}", slug=config.slug)) from error
        except (
            Exception
        ) as error:  # whatever two servers do to each other in front of us is one sentence for the person
            raise Trouble(say("mcp.login.refused", reason=told(error))) from error
        return storage.is_new


class _Listener:
    """Hears one answer on a port of the loopback interface."""

    async def __aenter__(self) -> "_Listener":
        self._answer: asyncio.Future[AuthorizationCodeResult] = asyncio.get_running_loop().create_future()
        try:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=HEAD_BYTES_MAX)
        except OSError as error:
            raise Trouble(say("mcp.login.no_port", reason=error.strerror)) from error
        port = self._server.sockets[0].getsockname()[1]
        self.address = f"http://127.0.0.1:{port}{PATH}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self._answer.cancel()

    async def answer(self) -> "AuthorizationCodeResult":
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
        from mcp.shared.auth import AuthorizationCodeResult

        parts = urlsplit(line.split(" ")[1] if line.count(" ") == 2 else "")
        given = {key: values[0] for key, values in parse_qs(parts.query).items()}
        if not line.startswith("GET ") or parts.path != PATH or not given.keys() & {"code", "error"}:
            return _page("404 Not Found", "")
        if self._answer.done():
            return _page("409 Conflict", "")
        if "code" in given:
            said = AuthorizationCodeResult(code=given["code"], state=given.get("state"), iss=given.get("iss"))
            self._answer.set_result(said)
            return _page("200 OK", say("mcp.login.page_done"))
        reason = given.get("error_description") or given["error"]
        self._answer.set_exception(Trouble(reason[:300]))
        return _page("200 OK", say("mcp.login.page_failed", reason=reason[:300]))


def _page(status: str, text: str) -> bytes:
    body = f"<!doctype html><meta charset=utf-8><title>Daedal</title><p>{escape(text)}".encode()
    head = [
        f"HTTP/1.1 {status}",
        "Content-Type: text/html; charset=utf-8",
        "Content-Security-Policy: default-src 'none'",
        f"Content-Length: {len(body)}",
        "Connection: close",
    ]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body
