"""What is one session? A fresh thread with one instruction, its own tool server, and an end that is always known."""

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from enum import StrEnum

from msgspec import Struct

from daedal.client import CallFailed, Client, Gathering, TurnSummary
from daedal.delivery.auditing import ReceiptAuditor
from daedal.delivery.plan import Terms
from daedal.delivery.progress import Activity, Detail, Tell
from daedal.delivery.quota import is_quota_exceeded, is_quota_message
from daedal.delivery.tool_server import NAME
from daedal.delivery.watching import Watch
from daedal.protocol.catalogue import say
from daedal.protocol.events import (
    AgentMessageDelta,
    ItemCompleted,
    ItemStarted,
    ReasoningTextDelta,
    TokenUsageUpdated,
    TurnCompleted,
)
from daedal.protocol.items import CommandExecution, FileChange, ToolCall, UserInput
from daedal.protocol.records import TurnStatus
from daedal.protocol.threads import ThreadLimits, ThreadStartParams, ToolServer
from daedal.protocol.turns import ErrorKind, TurnInterruptParams, TurnStartParams
from daedal.protocol.wire import Notification

Open = Callable[[Callable[[Notification], None]], AbstractAsyncContextManager[Client]]
"""An engine of its own for one session; everything that it started ends with it."""
STOP_S = 30.0
"""How long a turn that was told to stop may take."""


class Outcome(StrEnum):
    COMPLETED = "completed"
    EXECUTION_ERROR = "execution_error"
    MAX_STEPS = "max_iterations"
    BUDGET_EXCEEDED = "budget_exceeded"
    QUOTA_EXCEEDED = "quota_exceeded"
    NO_PROGRESS = "no_progress"
    INTERRUPTED = "interrupted"
    OUT_OF_TIME = "max_duration"


class Result(Struct, frozen=True, kw_only=True):
    outcome: Outcome
    thread_id: str = ""
    detail: str = ""
    """What went wrong, or what the quota message said."""
    resets_at: datetime | None = None
    """Where the engine knows when the quota is there again."""
    cost_usd: float = 0.0
    duration_s: float = 0.0
    failures: list[str] = []


class Session:
    """Made for one use."""

    def __init__(
        self,
        terms: Terms,
        auditor: ReceiptAuditor | None,
        tell: Tell,
        stop: asyncio.Event,
        *,
        on_opened: Callable[[str, str], None],
        on_spent: Callable[[float], None],
    ) -> None:
        """`on_opened` hears which thread and turn it works in, `on_spent` what it has cost so far."""
        self._on_opened = on_opened
        self._on_spent = on_spent
        self._terms = terms
        self._auditor = auditor
        self._tell = tell
        self._stop = stop
        self.watch = Watch()
        self._began = time.monotonic()
        self._gathering = Gathering()
        self._thread_id = ""
        self._stuck = ""
        self._turned = asyncio.Event()
        """Somebody should look: it is over, or it should be."""

    @property
    def _turn(self) -> TurnSummary:
        """What came of it so far, with what its sub-agents cost."""
        known = self._gathering.summary(self._thread_id)
        return known or TurnSummary(thread_id=self._thread_id, turn_id="", status=None)

    async def run(
        self,
        open_engine: Open,
        instruction: str,
        *,
        model: str | None,
        server: ToolServer,
        budget_usd: float | None,
        time_left_s: float | None,
    ) -> Result:
        async with open_engine(self._see) as client:
            params = self._params(model, server, budget_usd)
            self._thread_id = (await client.call("thread/start", params)).thread.id
            self._on_opened(self._thread_id, "")
            started = await client.call(
                "turn/start",
                TurnStartParams(thread_id=self._thread_id, input=[UserInput(instruction, is_literal=True)]),
            )
            self._on_opened(self._thread_id, started.turn.id)
            why = await self._over(client, time_left_s)
            if why is not None and not self._turn.is_over:
                await self._interrupt(client, started.turn.id)
        return self._result(why)

    def _params(self, model: str | None, server: ToolServer, budget_usd: float | None) -> ThreadStartParams:
        terms = self._terms
        return ThreadStartParams(
            cwd=terms.project,
            model=model,
            model_provider=terms.provider,
            guard=terms.command,
            allow_destructive=terms.allow_destructive,
            sandbox="danger-full-access" if terms.no_sandbox else None,
            allow=[f"mcp__{NAME}", *terms.allow],
            limits=ThreadLimits(max_budget_usd=budget_usd, reserves=True),
            mcp_servers={NAME: server},
        )

    async def _over(self, client: Client, time_left_s: float | None) -> Outcome | None:
        """Waits for the end. None where the turn came to its own; else why it shall be stopped."""
        waits = [asyncio.create_task(wait) for wait in (self._turned.wait(), self._stop.wait(), client.closed())]
        try:
            await asyncio.wait(waits, timeout=time_left_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        if self._turn.is_over:
            return None
        if self._stop.is_set():
            return Outcome.INTERRUPTED
        if self._stuck:
            return Outcome.NO_PROGRESS
        if waits[2].done() and not waits[2].cancelled():
            raise ConnectionError(say("delivery.silent_engine"))
        return Outcome.OUT_OF_TIME

    async def _interrupt(self, client: Client, turn_id: str) -> None:
        self._turned.clear()
        try:
            async with asyncio.timeout(STOP_S):
                await client.call("turn/interrupt", TurnInterruptParams(thread_id=self._thread_id, turn_id=turn_id))
                while not self._turn.is_over:
                    await self._turned.wait()
                    self._turned.clear()
        except (CallFailed, ConnectionError, TimeoutError):
            return  # It ended by itself in the same moment, or ends with its engine.

    def _result(self, why: Outcome | None) -> Result:
        outcome, detail = (why, self._stuck) if why is not None else self._judged()
        return Result(
            outcome=outcome,
            thread_id=self._thread_id,
            detail=detail,
            resets_at=self._resets_at(),
            cost_usd=self._turn.cost_usd or 0.0,
            duration_s=time.monotonic() - self._began,
            failures=self.watch.failures,
        )

    def _resets_at(self) -> datetime | None:
        error = self._turn.error
        return datetime.fromtimestamp(error.resets_at, UTC) if error is not None and error.resets_at else None

    def _judged(self) -> tuple[Outcome, str]:
        turn = self._turn
        error = turn.error
        if turn.status is TurnStatus.COMPLETED:
            if is_quota_message(turn.message):
                return Outcome.QUOTA_EXCEEDED, turn.message
            return Outcome.COMPLETED, ""
        if turn.status is TurnStatus.INTERRUPTED:
            is_ours = self._stop.is_set()
            return (Outcome.INTERRUPTED, "") if is_ours else (Outcome.EXECUTION_ERROR, say("delivery.turn_interrupted"))
        message = error.message if error else say("delivery.turn_failed")
        is_told = self._resets_at() is not None
        if is_told or is_quota_exceeded(f"{message} {error.additional_details or ''}" if error else ""):
            return Outcome.QUOTA_EXCEEDED, message
        kinds = {ErrorKind.BUDGET: Outcome.BUDGET_EXCEEDED, ErrorKind.STEP_LIMIT: Outcome.MAX_STEPS}
        return kinds.get(error.kind, Outcome.EXECUTION_ERROR) if error else Outcome.EXECUTION_ERROR, message

    def progressed(self) -> None:
        self.watch.progressed()

    def _see(self, notification: Notification) -> None:
        """Called in order for everything that the engine says."""
        params = notification.params
        self._gathering.heard(notification)
        self._tell(Detail(method=notification.method, params=params))
        match params:
            case TurnCompleted(thread_id=thread_id) if thread_id == self._thread_id:
                self._turned.set()
            case TokenUsageUpdated(thread_id=thread_id) if thread_id == self._thread_id:
                self._on_spent(self._turn.cost_usd or 0.0)
            case ReasoningTextDelta():
                self._tell(Activity(kind="thinking"))
            case AgentMessageDelta():
                self._tell(Activity(kind="text"))
            case ItemStarted(item=CommandExecution() | FileChange() | ToolCall() as item):
                self._tell(Activity(kind="tool", name=_name(item)))
            case ItemCompleted(item=CommandExecution() | FileChange() | ToolCall() as item, completed_at_ms=at):
                self._tell(Activity(kind="tool_done"))
                if self._auditor is not None and isinstance(item, CommandExecution):
                    self._auditor.saw(item, params.thread_id, at)
                self._stuck = self._stuck or self.watch.saw(item)
                if self._stuck:
                    self._turned.set()
            case _:
                pass


def _name(item: CommandExecution | FileChange | ToolCall) -> str:
    return "Bash" if isinstance(item, CommandExecution) else item.tool
