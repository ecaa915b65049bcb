"""How does a borrower that did not start us talk to us? Streamable HTTP on this machine, with a token.

Whoever has no token learns nothing, and a page in a browser has no business here even if it had one. Each borrower
has a session of its own, which ends when it says so, or when nothing was heard of it for long.
"""

import asyncio
import hmac
from collections.abc import Callable, Generator
from contextlib import AbstractAsyncContextManager, contextmanager
from socket import socket
from typing import TYPE_CHECKING
from uuid import uuid4

import anyio
import uvicorn
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER, StreamableHTTPServerTransport
from mcp.server.transport_security import (
    RequestBodyLimitMiddleware,
    TransportSecurityMiddleware,
    TransportSecuritySettings,
)
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp_types import INTERNAL_ERROR, INVALID_REQUEST, UNSUPPORTED_PROTOCOL_VERSION, ErrorData, JSONRPCError
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.requests import Request
from starlette.responses import Response

from daedal.protocol.errors import DaedalError

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send

    from daedal.mcp.lending.loan import Loan

PATH = "/mcp"
BODY_BYTES_MAX = 16 * 1_048_576
SESSIONS_MAX = 32
IDLE_S = 30 * 60.0
"""After so long without a request or an open stream a borrower counts as gone."""
FAREWELL_S = 2

Open = Callable[[], AbstractAsyncContextManager["Loan"]]
"""Makes what one borrower gets. Raises DaedalError where that cannot be."""


class Door:
    """The ASGI application. `close` ends all sessions."""

    def __init__(self, open_loan: Open, *, token: str, hosts: list[str], say_trouble: Callable[[str], None]) -> None:
        """`hosts` are our own names, with the port: a request for anybody else was meant for somebody else."""
        self._open = open_loan
        self._token = token.encode()
        self._say_trouble = say_trouble
        origins = [f"http://{host}" for host in hosts]
        self._etiquette = TransportSecurityMiddleware(
            TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)
        )
        self._sessions: dict[str, Session] = {}
        self._inside = RequestBodyLimitMiddleware(self._route, BODY_BYTES_MAX)

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        request = Request(scope, receive)
        answer = await self._etiquette.validate_request(request) or self._known(request)
        await (answer or self._inside)(scope, receive, send)

    async def close(self) -> None:
        for session in list(self._sessions.values()):
            await session.end()

    def _known(self, request: Request) -> Response | None:
        """None for whoever may come in."""
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        # Compared in a time that tells nothing about how much of it was right.
        is_right = hmac.compare_digest(token.strip().encode("utf-8", "replace"), self._token)
        if kind.lower() != "bearer" or not is_right:
            return Response("A token is needed", 401, {"WWW-Authenticate": "Bearer"})
        return None if request.url.path == PATH else Response("Not found", 404)

    async def _route(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        headers = Request(scope).headers
        version = headers.get(MCP_PROTOCOL_VERSION_HEADER)
        name = headers.get(MCP_SESSION_ID_HEADER)
        if version is not None and version not in HANDSHAKE_PROTOCOL_VERSIONS:
            # Revisions without sessions: a client that knows an older one as well takes that.
            data = {"supported": list(HANDSHAKE_PROTOCOL_VERSIONS), "requested": version[:40]}
            await _error(400, UNSUPPORTED_PROTOCOL_VERSION, "sessions are needed", data)(scope, receive, send)
        elif name is None:
            await self._admit(scope, receive, send)
        elif name in self._sessions:
            await self._sessions[name].transport.handle_request(scope, receive, send)
        else:
            await _error(404, INVALID_REQUEST, "Session not found")(scope, receive, send)

    async def _admit(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if len(self._sessions) >= SESSIONS_MAX:
            await _error(503, INTERNAL_ERROR, "Too many open sessions")(scope, receive, send)
            return
        session = Session(self._open, self._sessions)
        status = 0

        async def heed(message: "Message") -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await session.begun()
            await session.transport.handle_request(scope, receive, heed)
        except DaedalError as trouble:
            self._say_trouble(str(trouble))
            await _error(500, INTERNAL_ERROR, str(trouble))(scope, receive, heed)
        finally:
            if not 200 <= status < 300:
                await session.end()


class Session:
    """One borrower's, with a task of its own."""

    def __init__(self, open_loan: Open, among: "dict[str, Session]") -> None:
        self.name = uuid4().hex
        self.transport = StreamableHTTPServerTransport(mcp_session_id=self.name, idle_timeout=IDLE_S)
        self._among = among
        among[self.name] = self
        self._begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._live(open_loan), name=f"mcp session {self.name}")

    async def begun(self) -> None:
        """Returns when it can take requests. Raises DaedalError."""
        await asyncio.wait([self._begun, self._task], return_when=asyncio.FIRST_COMPLETED)
        if self._begun.done():
            return
        self._task.result()

    async def end(self) -> None:
        """With everything that was started on the borrower's behalf."""
        self._task.cancel()
        await asyncio.wait([self._task])
        if not self._task.cancelled():
            self._task.exception()  # looked at, so that nobody complains that it was not

    async def _live(self, open_loan: Open) -> None:
        try:
            async with open_loan() as loan, self.transport.connect() as (incoming, outgoing):
                self._begun.set_result(None)
                with self.transport.idle_scope or anyio.CancelScope():
                    await loan.serve(incoming, outgoing)
        finally:
            # Whoever still comes with its name is told that it is over.
            self._among.pop(self.name, None)
            with anyio.CancelScope(shield=True):
                await self.transport.terminate()


class _Web(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leaves signals to whoever started us."""
        yield


async def serve_http(door: Door, listener: socket) -> None:
    """Until cancelled."""
    web = _Web(
        uvicorn.Config(
            door,
            lifespan="off",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=FAREWELL_S,
        )
    )
    serving = asyncio.create_task(web.serve(sockets=[listener]))
    try:
        await asyncio.shield(serving)
    finally:
        # Sessions first: as long as one has a stream open, the server would wait for it.
        await door.close()
        web.should_exit = True
        await asyncio.wait([serving])


def _error(status: int, code: int, message: str, data: object = None) -> Response:
    body = JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=code, message=message, data=data))
    return Response(body.model_dump_json(by_alias=True, exclude_unset=True), status, media_type="application/json")
