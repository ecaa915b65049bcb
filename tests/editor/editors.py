"""Who plays the editor in tests? The library's own client side, over the pipes of a real `daedal acp`."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from acp import PROTOCOL_VERSION, spawn_agent_process, text_block
from acp.schema import (
    AgentMessageChunk,
    AgentThoughtChunk,
    AllowedOutcome,
    ClientCapabilities,
    DeniedOutcome,
    PermissionOption,
    RequestPermissionResponse,
    ToolCallProgress,
    ToolCallStart,
    ToolCallUpdate,
    UserMessageChunk,
)

from tests.toolbox.program import Daedal

DEADLINE_S = 60
LINE_BYTES_MAX = 64 * 1024 * 1024
Answer = Callable[[ToolCallUpdate, list[PermissionOption]], str | None]


class Editor:
    """Keeps what it hears, and answers permission requests by `answer`: an option's id, or None to cancel."""

    def __init__(self, answer: Answer | None = None, *, form: Any = None) -> None:
        self.updates: list[tuple[str, Any]] = []
        self.asked: list[tuple[ToolCallUpdate, list[PermissionOption]]] = []
        self.forms: list[Any] = []
        self.is_asked = asyncio.Event()
        self.heard = asyncio.Event()
        self._answer = answer
        self._form = form

    def on_connect(self, conn: Any) -> None: ...

    async def session_update(self, session_id: str, update: Any, **rest: Any) -> None:
        self.updates.append((session_id, update))
        self.heard.set()

    async def request_permission(
        self, session_id: str, tool_call: ToolCallUpdate, options: list[PermissionOption], **rest: Any
    ) -> RequestPermissionResponse:
        self.asked.append((tool_call, options))
        self.is_asked.set()
        if self._answer is None:
            await asyncio.Event().wait()
        chosen = self._answer(tool_call, options)  # type: ignore[misc]
        if chosen is None:
            return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
        return RequestPermissionResponse(outcome=AllowedOutcome(outcome="selected", option_id=chosen))

    async def create_elicitation(self, message: str, mode: Any, **rest: Any) -> Any:
        self.forms.append((message, mode))
        return self._form

    def of(self, kind: type[Any], session_id: str | None = None) -> list[Any]:
        return [update for about, update in self.updates if isinstance(update, kind) and session_id in (None, about)]

    def said(self, session_id: str | None = None) -> str:
        return "".join(chunk.content.text for chunk in self.of(AgentMessageChunk, session_id))

    def thought(self) -> str:
        return "".join(chunk.content.text for chunk in self.of(AgentThoughtChunk))

    def user_said(self) -> list[str]:
        return [chunk.content.text for chunk in self.of(UserMessageChunk)]

    def calls(self) -> list[ToolCallStart]:
        return self.of(ToolCallStart)

    def progress(self, call_id: str) -> list[ToolCallProgress]:
        return [update for update in self.of(ToolCallProgress) if update.tool_call_id == call_id]

    async def until(self, reached: Callable[[], bool]) -> None:
        """Waits for updates until it is so."""
        while not reached():
            self.heard.clear()
            await asyncio.wait_for(self.heard.wait(), DEADLINE_S)


class Connected:
    """An editor that has introduced itself."""

    def __init__(self, editor: Editor, agent: Any, process: asyncio.subprocess.Process, folder: Path) -> None:
        self.editor = editor
        self.agent = agent
        self.process = process
        self._folder = str(folder)

    async def new(self, folder: Path | None = None, **options: Any) -> str:
        return (await self.agent.new_session(cwd=str(folder or self._folder), mcp_servers=[], **options)).session_id

    async def prompt(self, session_id: str, *blocks: Any) -> str:
        given = [text_block(block) if isinstance(block, str) else block for block in blocks]
        response = await asyncio.wait_for(self.agent.prompt(session_id=session_id, prompt=given), DEADLINE_S)
        return response.stop_reason


@asynccontextmanager
async def connected(
    daedal: Daedal, *words: str, editor: Editor | None = None, capabilities: ClientCapabilities | None = None
) -> AsyncIterator[Connected]:
    editor = editor or Editor()
    async with spawn_agent_process(
        editor,  # type: ignore[arg-type]
        sys.executable,
        "-m",
        "daedal",
        "acp",
        *words,
        env=daedal.environment(),
        cwd=daedal.workspace,
        transport_kwargs={"limit": LINE_BYTES_MAX, "stderr": None, "shutdown_timeout": 20.0},
        use_unstable_protocol=True,
    ) as (agent, process):
        await agent.initialize(protocol_version=PROTOCOL_VERSION, client_capabilities=capabilities)
        yield Connected(editor, agent, process, daedal.workspace)


class RawEditor:
    """Says lines, and hears lines: for what no well-behaved editor would say."""

    def __init__(self, daedal: Daedal, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "daedal", "acp", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=daedal.workspace,
            env=daedal.environment(),
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._in, self._out = self.process.stdin, self.process.stdout

    def line(self, raw: bytes) -> None:
        self._in.write(raw + b"\n")
        self._in.flush()

    def send(self, **message: Any) -> None:
        self.line(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def hear(self) -> dict[str, Any]:
        return json.loads(self._out.readline())

    def answer(self, number: int | str) -> dict[str, Any]:
        """What comes back for a request; updates in between are passed over."""
        while (message := self.hear()).get("id") != number or "method" in message:
            pass
        return message

    def ask(self, number: int | str, method: str, params: Any) -> dict[str, Any]:
        self.send(id=number, method=method, params=params)
        return self.answer(number)

    def introduce(self) -> None:
        assert "result" in self.ask(0, "initialize", {"protocolVersion": 1})

    def leave(self) -> tuple[int, str, str]:
        """The exit code, and what came of both streams until the end."""
        out, err = self.process.communicate(timeout=DEADLINE_S)
        return self.process.returncode, out.decode(), err.decode()
