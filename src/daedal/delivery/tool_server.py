"""How does a session's engine reach the deliverable tools? An MCP server on loopback that only this session can use."""

import asyncio
import secrets
import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from daedal.delivery.deliverables import Refused
from daedal.delivery.toolkit import Toolkit
from daedal.protocol.errors import DaedalError
from daedal.protocol.threads import ToolServer

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from starlette.types import ASGIApp, Receive, Scope, Send

NAME = "deliverables"
"""Of the server, so that its tools are `mcp__deliverables__<tool>`."""
BACKLOG = 16
START_S = 10.0
CLOSE_S = 2.0


@asynccontextmanager
async def served(toolkit: Toolkit) -> AsyncGenerator[ToolServer]:
    """Where to reach it, and the token that opens it."""
    # A second of importing: in a thread, so that the console does not stand still meanwhile.
    await asyncio.to_thread(import_module, "uvicorn")
    await asyncio.to_thread(import_module, "mcp.server.streamable_http_manager")
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp.server.transport_security import TransportSecuritySettings

    token = secrets.token_urlsafe(32)
    trouble: Exception | None = None
    listener = socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)
    with listener:
        host = f"127.0.0.1:{listener.getsockname()[1]}"
        manager = StreamableHTTPSessionManager(
            _server(toolkit),
            json_response=True,
            stateless=True,
            security_settings=TransportSecuritySettings(allowed_hosts=[host]),
        )
        async with manager.run(), _listening(_opened_by(token, manager.handle_request), listener):
            try:
                yield ToolServer(url=f"http://{host}/mcp", headers={"Authorization": f"Bearer {token}"})
            except Exception as error:  # the SDK's task group would hide it in a group of its own
                trouble = error
        if trouble is not None:
            raise trouble


def _server(toolkit: Toolkit) -> "Server[Any]":
    import mcp_types as types
    from mcp.server.lowlevel import Server

    async def listed(_context: Any, _params: Any) -> types.ListToolsResult:
        tools = [
            types.Tool(name=info.name, description=info.description, input_schema=info.schema)
            for info in toolkit.infos()
        ]
        return types.ListToolsResult(tools=tools)

    async def called(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            text, is_error = await toolkit.call(params.name, params.arguments or {}), False
        except (Refused, DaedalError) as refusal:
            text, is_error = str(refusal), True
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=is_error)

    return Server(NAME, on_list_tools=listed, on_call_tool=called)


def _opened_by(token: str, inner: "ASGIApp") -> "ASGIApp":
    expected = f"Bearer {token}".encode()

    async def app(scope: "Scope", receive: "Receive", send: "Send") -> None:
        given = dict(scope.get("headers", ())).get(b"authorization", b"")
        if scope["type"] == "http" and secrets.compare_digest(given, expected):
            await inner(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 401, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})

    return app


@asynccontextmanager
async def _listening(app: "ASGIApp", listener: socket.socket) -> AsyncGenerator[None]:
    import uvicorn

    started = asyncio.Event()

    class Quiet(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            started.set()

        @contextmanager
        def capture_signals(self) -> Generator[None]:
            """Ctrl-C is for the whole run, not for this server."""
            yield

    config = uvicorn.Config(app, log_config=None, log_level="critical", lifespan="off", access_log=False)
    server = Quiet(config)
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        async with asyncio.timeout(START_S):
            await started.wait()
        yield
    finally:
        server.should_exit = server.force_exit = True
        await asyncio.wait([task], timeout=CLOSE_S)
        task.cancel()
        await asyncio.wait([task])
