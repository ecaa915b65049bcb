"""How does a borrower's call reach the engine? A house and a session of its own, and its calls made there by hand."""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any

from daedal.app import HouseOptions, open_house
from daedal.cli.absence import decline
from daedal.cli.options import Options, permissions_of
from daedal.cli.streams import warn
from daedal.client import CallFailed, Client
from daedal.mcp import Loan, chosen
from daedal.protocol.approvals import ApprovalAnswer, ApprovalRequest
from daedal.protocol.errors import DaedalError
from daedal.protocol.events import ItemStarted, Warned
from daedal.protocol.threads import (
    ThreadResumeParams,
    ThreadStartParams,
    ThreadStartResponse,
    ToolCallParams,
    ToolCallResponse,
    ToolListParams,
    ToolListResponse,
)
from daedal.protocol.turns import ErrorKind, TurnInterruptParams
from daedal.protocol.verdict import Posture
from daedal.protocol.wire import Notification, Request

STOP_S = 30.0
"""How long a call that nobody wants any more may take to end."""


@asynccontextmanager
async def lent(options: Options) -> AsyncGenerator[Loan]:
    """The tools for one borrower. Leaving ends what it started, and closes its session. Raises DaedalError."""
    lender = SessionLender(options)
    house = HouseOptions(cwd=options.cd)
    async with open_house(house, on_event=lender.see, on_request=lender.answer, on_warning=warn) as client:
        try:
            loan = await lender.begin(client)
        except CallFailed as failure:
            trouble = DaedalError(str(failure))
            trouble.kind = failure.kind
            raise trouble from failure
        yield loan


class SessionLender:
    """The `Lender` seam. One call at a time, as a session has it."""

    def __init__(self, options: Options) -> None:
        self._names: list[str] | None = options.tools
        folder = os.path.realpath(options.cd or os.getcwd())
        self._start = ThreadStartParams(cwd=folder, **permissions_of(options), without_model=True)
        self._client: Client | None = None
        self._loan: Loan | None = None
        self._thread_id = ""
        self._is_dropped = False
        """The engine let the session go, since the ledger failed; what is on the record can be resumed."""
        self._running: asyncio.Future[ToolCallResponse] | None = None
        self._turn: asyncio.Future[str] | None = None
        """Its id, once the call has begun."""

    async def begin(self, client: Client) -> Loan:
        """Raises CallFailed or UsageError."""
        self._client = client
        started: ThreadStartResponse = await client.call("thread/start", self._start)
        self._thread_id = started.thread.id
        there: ToolListResponse = await client.call("tool/list", ToolListParams(thread_id=self._thread_id))
        self._loan = Loan(self, chosen(there.data, self._names), started.cwd)
        return self._loan

    async def call(self, name: str, arguments: dict[str, Any]) -> ToolCallResponse:
        assert self._client is not None
        loop = asyncio.get_running_loop()
        try:
            await self._pick_up()
            params = ToolCallParams(thread_id=self._thread_id, tool=name, input=arguments)
            self._turn = loop.create_future()
            self._running = asyncio.ensure_future(self._client.call("thread/toolCall", params))
            # Who made the call may leave; what runs is then ended in order, by `interrupt`.
            return await asyncio.shield(self._running)
        except CallFailed as failure:
            self._is_dropped = failure.kind in (ErrorKind.LEDGER, ErrorKind.LEDGER_BUSY)
            return ToolCallResponse(tool_use_id="", content=f"[SDLC_INTERNAL] {failure}", is_error=True)

    async def interrupt(self) -> None:
        running, turn = self._running, self._turn
        if self._client is None or running is None or turn is None or running.done():
            return
        try:
            async with asyncio.timeout(STOP_S):
                await asyncio.wait([running, turn], return_when=asyncio.FIRST_COMPLETED)
                if turn.done():
                    params = TurnInterruptParams(thread_id=self._thread_id, turn_id=turn.result())
                    with suppress(CallFailed):  # It ended by itself just now.
                        await self._client.call("turn/interrupt", params)
        except (TimeoutError, ConnectionError):
            pass  # The house is closed after us, and that ends it.
        finally:
            # There is no answer to a call that was interrupted.
            running.cancel()

    async def answer(self, request: Request) -> ApprovalAnswer | None:
        """Approvals go to the borrower. What a server or a model asks beside them gets no answer here."""
        if self._loan is None or not isinstance(request.params, ApprovalRequest):
            return None
        if self._start.approval_policy is Posture.NEVER:
            # Not even whether a call may leave the walls: whoever borrows may answer for itself.
            return await decline(request)
        return await self._loan.ask(request.params)

    def see(self, notification: Notification) -> None:
        match notification.params:
            case ItemStarted(thread_id=self._thread_id, turn_id=turn_id):
                if self._turn is not None and not self._turn.done():
                    self._turn.set_result(turn_id)
            case Warned(message=message):
                warn(message)
            case _:
                pass

    async def _pick_up(self) -> None:
        if self._is_dropped:
            assert self._client is not None
            params = ThreadResumeParams.with_options(
                self._thread_id, self._start, without_model=True, exclude_turns=True
            )
            await self._client.call("thread/resume", params)
            self._is_dropped = False
