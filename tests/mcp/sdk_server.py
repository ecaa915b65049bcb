"""Which server does everything properly? One of the official SDK, over standard streams, Streamable HTTP or SSE."""

import os
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType

from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel

PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
    b"\x00\x00\x00\nIDATx\x9cc\x00\x01\x00\x00\x05\x00\x01\r\n-\xb4\x00\x00\x00\x00IEND\xaeB`\x82"
)


class Address(BaseModel):
    street: str


def make(**options: object) -> MCPServer:
    server = MCPServer("proper", version="2.0", **options)

    @server.tool()
    def add(a: int, b: int) -> int:
        """Adds two numbers."""
        return a + b

    @server.tool()
    def huge() -> str:
        """Answers with fifty megabytes."""
        return "z" * 50_000_000

    @server.tool()
    def fail() -> str:
        """Fails."""
        raise ValueError("it went wrong")

    @server.tool()
    def picture() -> object:
        """Shows a picture."""
        from mcp.server.mcpserver import Image

        return Image(data=PNG, format="png")

    @server.tool()
    async def ask(ctx: Context) -> str:
        """Asks the person."""
        answer = await ctx.elicit("Where do you live?", Address)
        return f"{answer.action} {getattr(answer, 'data', None)}"

    @server.tool()
    async def report(ctx: Context) -> str:
        """Tells how far it is."""
        await ctx.report_progress(1, 2, "halfway")
        await ctx.report_progress(2, 2, "done")
        return "reported"

    @server.tool()
    def vanish() -> str:
        """Ends the server in the middle of the call."""
        os._exit(1)

    @server.prompt()
    def review(path: str, focus: str = "bugs") -> str:
        """Reviews a file."""
        return f"Review {path} for {focus}."

    @server.resource("notes://today")
    def today() -> str:
        """What is on."""
        return "Nothing much."

    @server.resource("notes://{day}")
    def day(day: str) -> str:
        """What was on."""
        return f"On {day}: nothing."

    return server


@contextmanager
def served(app: object, *, port: int = 0) -> Iterator[int]:
    """An ASGI application on a port of the loopback interface; or what makes one, once it knows the port."""
    import uvicorn

    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen()  # before anybody knows the port, so that nobody comes too early
    if isinstance(app, FunctionType):
        app = app(listener.getsockname()[1])
    web = uvicorn.Server(uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=1, ws="none"))
    thread = threading.Thread(target=web.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        web.should_exit = True
        web.force_exit = True
        thread.join()
        listener.close()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        make().run("streamable-http", port=int(sys.argv[1]))
    else:
        make().run("stdio")
