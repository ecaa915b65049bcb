"""How does another agent borrow our tools? As the official SDK's client does, from the real program."""

import asyncio
import os
import select
import signal
import subprocess
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, ElicitResult, TextContent

from tests.toolbox.program import DEADLINE_S, Daedal


def run(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, DEADLINE_S))


@asynccontextmanager
async def borrowing(daedal: Daedal, *words: str, errors: Any = None, **options: Any) -> AsyncIterator[Client]:
    """Over the standard streams of a process of its own."""
    program, *rest = daedal.program
    server = StdioServerParameters(
        command=program, args=[*rest, "mcp", "serve", *words], env=daedal.environment(), cwd=daedal.workspace
    )
    transport = stdio_client(server, errlog=errors) if errors else stdio_client(server)
    async with Client(transport, **options) as client:
        yield client


@dataclass
class Shop:
    """A server over HTTP."""

    url: str
    token: str
    process: subprocess.Popen[bytes]

    @asynccontextmanager
    async def borrowing(self, **options: Any) -> AsyncIterator[Client]:
        headers = {"Authorization": f"Bearer {self.token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=DEADLINE_S, trust_env=False) as http,
            Client(streamable_http_client(self.url, http_client=http), **options) as client,
        ):
            yield client


@contextmanager
def shop(daedal: Daedal, *words: str) -> Iterator[Shop]:
    process = daedal.start("mcp", "serve", "--http", "127.0.0.1:0", *words)
    try:
        assert process.stderr is not None
        url = process.stderr.readline().decode().split()[3].rstrip(".")
        token = "" if "--token-file" in words else process.stderr.readline().decode().split()[-1]
        yield Shop(url, token, process)
    finally:
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=DEADLINE_S)
        assert (process.returncode, out, err) == (0, b"", b"")


def answering(actions: Iterator[str], questions: list[str]) -> Callable[..., Any]:
    """A person who has an answer for each question."""

    async def answer(_context: object, params: Any) -> ElicitResult:
        questions.append(params.message)
        action = next(actions)
        return ElicitResult(action=action, content={} if action == "accept" else None)

    return answer


class Signal:
    """A pipe in the workspace, through which a command tells that it has begun."""

    def __init__(self, folder: Path) -> None:
        os.mkfifo(folder / "started")
        # Open from the beginning, so that nobody waits for ever where the command never comes.
        self._pipe = os.open(folder / "started", os.O_RDONLY | os.O_NONBLOCK)

    def wait(self) -> None:
        try:
            assert select.select([self._pipe], [], [], 60)[0], "the command has never begun"
        finally:
            os.close(self._pipe)


def text(result: CallToolResult) -> str:
    return "".join(block.text for block in result.content if isinstance(block, TextContent))
