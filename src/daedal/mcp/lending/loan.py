"""What happens on one connection of a borrower? It hears which tools there are, and its calls are made in order."""

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import anyio
from mcp.server.lowlevel import Server
from mcp.server.runner import serve_loop
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
)

from daedal import __version__
from daedal.mcp.lending.questions import NOBODY, can_ask, confirmed
from daedal.mcp.lending.tools import failed, offered, result_of
from daedal.protocol.approvals import ApprovalAnswer, ApprovalRequest
from daedal.protocol.threads import ListedTool, ToolCallResponse

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.shared._stream_protocols import ReadStream, WriteStream
    from mcp.shared.message import SessionMessage

    Context = ServerRequestContext[Any]

for _name in ("mcp", "uvicorn"):
    # Nobody set up logging here, so Python would print what strangers make the SDK warn about.
    logging.getLogger(_name).addHandler(logging.NullHandler())
    logging.getLogger(_name).propagate = False

WAITING_MAX = 64
"""Calls that may wait for their turn."""
TOO_MANY = f"[SDLC_INTERNAL] {WAITING_MAX} calls are waiting already; this one was not run. Wait for an answer first."
SIGN_OF_LIFE_S = 5.0
INSTRUCTIONS = (
    "Tools of Daedal, which work in the folder {folder}. Every call passes a permission gate and is kept on record; a "
    "refusal says which rule refused it. Calls of one connection run one after another, and share what was read, the "
    "working directory and commands in the background."
)


class Lender(Protocol):
    """Whoever has the tools, and makes the calls of one borrower. One at a time."""

    async def call(self, name: str, arguments: dict[str, Any]) -> ToolCallResponse:
        """What it came to. Trouble of ours is a result too."""
        ...

    async def interrupt(self) -> None:
        """Ends the call that runs. Nothing of it goes on when this returns."""
        ...


class Loan:
    """Serves one borrower, with the tools of one session."""

    def __init__(self, lender: Lender, tools: Sequence[ListedTool], folder: str) -> None:
        self._lender = lender
        self._tools = {tool.name: offered(tool) for tool in tools}
        self._folder = folder
        # A session does one thing at a time; whoever comes meanwhile waits here instead of being turned away.
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._caller: Context | None = None
        """Whose call is being made."""
        self._question: asyncio.Task[ApprovalAnswer] | None = None

    async def serve(
        self, incoming: "ReadStream[SessionMessage | Exception]", outgoing: "WriteStream[SessionMessage]"
    ) -> None:
        """Until the borrower leaves, or this is cancelled. No call goes on afterwards.

        Only revisions of MCP that know connections: what was read belongs to one, and so does whoever can be asked.
        """
        server = Server[Any](
            "daedal",
            version=__version__,
            instructions=INSTRUCTIONS.format(folder=self._folder),
            on_list_tools=self._list,
            on_call_tool=self._call,
        )
        await serve_loop(server, incoming, outgoing, lifespan_state=None)

    async def ask(self, request: ApprovalRequest) -> ApprovalAnswer:
        """Has the borrower's person decide on the call that is being made."""
        caller = self._caller
        if caller is None or not can_ask(caller.session):
            return NOBODY
        question = self._question = asyncio.create_task(confirmed(caller.session, caller.request_id, request))
        await asyncio.wait([question])
        return NOBODY if question.cancelled() else question.result()

    async def _list(self, context: "Context", params: PaginatedRequestParams | None) -> ListToolsResult:
        del context, params
        return ListToolsResult(tools=list(self._tools.values()))

    async def _call(self, context: "Context", params: CallToolRequestParams) -> CallToolResult:
        if params.name not in self._tools:
            raise MCPError(code=INVALID_PARAMS, message=f"Unknown tool: {params.name[:200]}")
        if self._waiting >= WAITING_MAX:
            return failed(TOO_MANY)
        self._waiting += 1
        alive = asyncio.create_task(_show_life(context))
        try:
            async with self._turn:
                return await self._make(context, params)
        finally:
            self._waiting -= 1
            alive.cancel()

    async def _make(self, context: "Context", params: CallToolRequestParams) -> CallToolResult:
        self._caller = context
        try:
            return result_of(await self._lender.call(params.name, params.arguments or {}))
        except asyncio.CancelledError:
            # The borrower does not want it any more, or has left.
            with anyio.CancelScope(shield=True):
                await self._lender.interrupt()
            raise
        finally:
            self._caller = None
            if self._question is not None:
                self._question.cancel()
                self._question = None


async def _show_life(context: "Context") -> None:
    """Tells a borrower that wants to know that its call is still being looked after."""
    seconds = 0.0
    while True:
        await asyncio.sleep(SIGN_OF_LIFE_S)
        seconds += SIGN_OF_LIFE_S
        await context.session.report_progress(seconds)
