"""How are the calls of one reply carried out? In declared order, each judged first; adjacent readers overlap.

Nothing is committed here. Whatever happened, every call has a result when this is over, also when the turn is
interrupted in the middle: a call without a result would be a call of unknown outcome.
"""

import asyncio
import time
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from daedal.engine.reply import MalformedCall
from daedal.engine.showing import begun, ended
from daedal.engine.thread import LoadedThread
from daedal.engine.world import World
from daedal.protocol.content import ToolUse
from daedal.protocol.events import ItemCompleted, ItemStarted
from daedal.protocol.items import Change
from daedal.protocol.records import Entry, EntryType, ReceiptIssued, Record, VerdictGiven
from daedal.protocol.seams import Outcome, PreImage, Tool
from daedal.protocol.verdict import Decision, Ruling, ToolRequest, Verdict

INTERNAL = "[SDLC_INTERNAL]"
INTERRUPTED = f"{INTERNAL} The user interrupted this call while it ran; it may have run partly."
NEVER_RUN = f"{INTERNAL} The turn was interrupted before this call started; it did not run."


class Done(Struct, frozen=True, kw_only=True):
    """A call with everything that goes on the record about it."""

    call: ToolUse
    outcome: Outcome
    ruling: Ruling | None
    records: list[Record]


class CallBench:
    """What a running call may use of its thread."""

    def __init__(self, thread: LoadedThread, world: World, tool_use_id: str) -> None:
        self._thread = thread
        self._world = world
        self.tool_use_id = tool_use_id
        self.cwd = thread.cwd
        self.workspace = thread.workspace
        self.thread_id = thread.id
        self.snapshots: list[dict[str, Any]] = []

    async def keep(self, image: PreImage) -> None:
        blob = await self._world.pre_images.put(self.thread_id, self.tool_use_id, image)
        self.snapshots.append({"path": image.path, "blob": blob, "existed": image.content is not None})


class Acting:
    """Carries out the calls of one reply. `done` holds what is finished, in declared order, at any moment."""

    def __init__(self, thread: LoadedThread, turn_id: str, principal: str, world: World) -> None:
        self._thread = thread
        self._turn_id = turn_id
        self._principal = principal
        self._world = world
        self.done: list[Done] = []
        self._running: list[tuple[ToolUse, Ruling, CallBench]] = []

    async def carry_out(self, calls: Sequence[ToolUse], malformed: dict[str, MalformedCall]) -> None:
        together: list[tuple[ToolUse, Tool, Ruling]] = []
        try:
            for call in calls:
                tool = self._thread.toolbox.get(call.name)
                await self._show_begun(call)
                ruling = await self._judge(call, tool, malformed.get(call.id))
                if tool is not None and ruling.allowed and tool.spec.read_only:
                    together.append((call, tool, ruling))
                    continue
                await self._run_together(together)
                together = []
                if tool is None or not ruling.allowed:
                    await self._refuse(call, ruling)
                else:
                    await self._run_together([(call, tool, ruling)])
            await self._run_together(together)
        finally:
            self.close_open(calls)

    async def _judge(self, call: ToolUse, tool: Tool | None, malformed: MalformedCall | None) -> Ruling:
        if malformed is not None:
            return _refusal("malformed", f"InputValidationError: {malformed.complaint}")
        if tool is None:
            known = ", ".join(spec.name for spec in self._thread.toolbox.specs())
            return _refusal("unknown tool", f"No such tool available: {call.name}. Available: {known}")
        request = ToolRequest(
            tool_use_id=call.id,
            tool=call.name,
            input=call.input,
            read_only=tool.spec.read_only,
            paths=tool.paths(call.input, self._thread.cwd),
            principal=self._principal,
        )
        return await self._thread.gate.rule(request, thread_id=self._thread.id, turn_id=self._turn_id)

    async def _run_together(self, batch: list[tuple[ToolUse, Tool, Ruling]]) -> None:
        if not batch:
            return
        benches = [CallBench(self._thread, self._world, call.id) for call, _, _ in batch]
        self._running = [(call, ruling, bench) for (call, _, ruling), bench in zip(batch, benches, strict=True)]
        started = time.monotonic()
        if len(batch) == 1:
            outcomes = [await self._run(batch[0][0], batch[0][1], benches[0])]
        else:
            async with asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(self._run(call, tool, bench))
                    for (call, tool, _), bench in zip(batch, benches, strict=True)
                ]
            outcomes = [task.result() for task in tasks]
        duration_ms = int((time.monotonic() - started) * 1000)
        self._running = []
        for (call, _, ruling), bench, outcome in zip(batch, benches, outcomes, strict=True):
            await self._finish(call, ruling, outcome, bench.snapshots, duration_ms)

    async def _run(self, call: ToolUse, tool: Tool, bench: CallBench) -> Outcome:
        try:
            return await tool.run(call.input, bench)
        except Exception as error:  # a bug in a tool must not take the turn, or the other results, with it
            return Outcome(content=f"{INTERNAL} {call.name} failed: {type(error).__name__}: {error}", is_error=True)

    async def _refuse(self, call: ToolUse, ruling: Ruling) -> None:
        content = ruling.decision.reason
        if ruling.decision.rule not in ("malformed", "unknown tool"):
            content = f"Permission denied by {ruling.decision.rule}: {ruling.decision.reason}."
        await self._finish(call, ruling, Outcome(content=content, is_error=True), [], 0)

    async def _finish(
        self, call: ToolUse, ruling: Ruling, outcome: Outcome, snapshots: list[dict[str, Any]], duration_ms: int
    ) -> None:
        cwd = self._thread.cwd
        if outcome.cwd is not None:
            self._thread.cwd = outcome.cwd
        done = self._record(call, ruling, outcome, snapshots, cwd=cwd, duration_ms=duration_ms)
        self.done.append(done)
        item = ended(call, cwd, done.outcome, declined=not ruling.allowed, duration_ms=duration_ms)
        now = int(time.time() * 1000)
        event = ItemCompleted(thread_id=self._thread.id, turn_id=self._turn_id, item=item, completed_at_ms=now)
        await self._world.faces.emit(self._thread.id, event)

    async def _show_begun(self, call: ToolUse) -> None:
        event = ItemStarted(
            thread_id=self._thread.id,
            turn_id=self._turn_id,
            item=begun(call, self._thread.cwd),
            started_at_ms=int(time.time() * 1000),
        )
        await self._world.faces.emit(self._thread.id, event)

    def close_open(self, calls: Sequence[ToolUse]) -> None:
        """Gives every call that has no result yet the one that is true of it."""
        finished = {done.call.id for done in self.done}
        running = {call.id: (ruling, bench) for call, ruling, bench in self._running}
        for call in calls:
            if call.id in finished:
                continue
            ruling, bench = running.get(call.id, (None, None))
            content = INTERRUPTED if bench else NEVER_RUN
            outcome = Outcome(content=content, is_error=True)
            snapshots = bench.snapshots if bench else []
            self.done.append(self._record(call, ruling, outcome, snapshots, cwd=self._thread.cwd))

    def _record(
        self,
        call: ToolUse,
        ruling: Ruling | None,
        outcome: Outcome,
        snapshots: list[dict[str, Any]],
        *,
        cwd: str,
        duration_ms: int = 0,
    ) -> Done:
        outcome = self._redacted(outcome)
        records: list[Record] = [
            Entry(
                entry_type=EntryType.FILE_HISTORY_SNAPSHOT,
                payload=snapshot,
                turn_id=self._turn_id,
                tool_use_id=call.id,
            )
            for snapshot in snapshots
        ]
        if ruling is not None:
            records.append(_verdict(call, ruling, self._turn_id, self._principal))
        records.append(
            Entry(
                entry_type=EntryType.TOOL_RESULT,
                payload={"tool_use_id": call.id, "content": outcome.content, "is_error": outcome.is_error},
                turn_id=self._turn_id,
                tool_use_id=call.id,
                extra=_extra(outcome, ruling, cwd, self._thread.cwd, duration_ms),
            )
        )
        if outcome.exit_code is not None:
            records.append(_command_receipt(call, outcome, cwd, self._turn_id, self._principal))
        return Done(call=call, outcome=outcome, ruling=ruling, records=records)

    def _redacted(self, outcome: Outcome) -> Outcome:
        redact = self._world.redact
        changes = [Change(path=change.path, kind=change.kind, diff=redact(change.diff)) for change in outcome.changes]
        return replace(outcome, content=redact(outcome.content), changes=changes)


def _refusal(rule: str, reason: str) -> Ruling:
    return Ruling(decision=Decision(verdict=Verdict.DENY, rule=rule, reason=reason))


def _verdict(call: ToolUse, ruling: Ruling, turn_id: str, principal: str) -> VerdictGiven:
    return VerdictGiven(
        turn_id=turn_id,
        tool_use_id=call.id,
        tool_name=call.name,
        decision=ruling.decision.verdict,
        reason={
            "rule": ruling.decision.rule,
            "reason": ruling.decision.reason,
            "asked": ruling.asked,
            "by_default": ruling.by_default,
        },
        principal=principal,
    )


def _extra(outcome: Outcome, ruling: Ruling | None, cwd: str, cwd_after: str, duration_ms: int) -> dict[str, Any]:
    """What faces need to draw the call again, beside the specified payload."""
    extra: dict[str, Any] = {"durationMs": duration_ms, "cwd": cwd}
    if cwd_after != cwd:
        extra["cwdAfter"] = cwd_after
    if outcome.changes:
        extra["changes"] = outcome.changes
    if outcome.exit_code is not None:
        extra["exitCode"] = outcome.exit_code
    if ruling is not None and not ruling.allowed:
        extra["declined"] = True
    return extra


def _command_receipt(call: ToolUse, outcome: Outcome, cwd: str, turn_id: str, principal: str) -> ReceiptIssued:
    """Proof that a command ran and how it ended, for whoever later claims that something passed."""
    from hashlib import sha256

    body = {
        "tool_use_id": call.id,
        "command": call.input.get("command", ""),
        "cwd": cwd,
        "exit_code": outcome.exit_code,
        "output_sha256": sha256(outcome.content.encode()).hexdigest(),
    }
    return ReceiptIssued(kind="command", turn_id=turn_id, principal=principal, body=body)
