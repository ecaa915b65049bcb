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
from daedal.protocol.errors import TurnCancelled
from daedal.protocol.events import ItemCompleted, ItemStarted
from daedal.protocol.items import Change
from daedal.protocol.records import Entry, EntryType, ReceiptIssued, Record, VerdictGiven
from daedal.protocol.seams import Outcome, PreImage, Tool
from daedal.protocol.verdict import Decision, Ruling, ToolRequest, Verdict

INTERNAL = "[SDLC_INTERNAL]"
INTERRUPTED = f"{INTERNAL} The user interrupted this call while it ran; it may have run partly."
NEVER_RUN = f"{INTERNAL} The turn was interrupted before this call started; it did not run."


NOT_JUDGED = ("malformed", "unknown tool")
"""Rules of refusals that are no verdicts: there was nothing to judge."""


class Ran(Struct, frozen=True):
    """What is known of a call that is over."""

    outcome: Outcome
    snapshots: list[dict[str, Any]]
    duration_ms: int


class Done(Struct, frozen=True, kw_only=True):
    """A call with everything that goes on the record about it."""

    call: ToolUse
    outcome: Outcome
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
    """Carries out the calls of one reply. `done` holds what is finished, in declared order once all is over."""

    def __init__(self, thread: LoadedThread, turn_id: str, principal: str, world: World) -> None:
        self._thread = thread
        self._turn_id = turn_id
        self._principal = principal
        self._world = world
        # Made with the first call: a thread that only talks needs none, and the first request need not wait for it.
        self._gate = thread.gate = thread.gate or world.make_gate(thread.posture, thread.workspace)
        self.done: list[Done] = []
        self._rulings: dict[str, Ruling] = {}
        self._running: dict[str, CallBench] = {}
        self._ran: dict[str, Ran] = {}

    async def carry_out(self, calls: Sequence[ToolUse], malformed: dict[str, MalformedCall]) -> None:
        """Whatever ends it, every call has its result in `done` afterwards."""
        together: list[tuple[ToolUse, Tool]] = []
        try:
            for call in calls:
                tool = self._thread.toolbox.get(call.name)
                await self._show_begun(call)
                ruling = await self._judge(call, tool, malformed.get(call.id))
                if tool is not None and ruling.allowed and tool.spec.read_only:
                    together.append((call, tool))
                    continue
                await self._run_together(together)
                together = []
                if tool is None or not ruling.allowed:
                    await self._refuse(call, ruling)
                else:
                    await self._run_together([(call, tool)])
            await self._run_together(together)
        finally:
            self.close_open(calls)

    async def _judge(self, call: ToolUse, tool: Tool | None, malformed: MalformedCall | None) -> Ruling:
        ruling = self._rulings[call.id] = await self._ruling(call, tool, malformed)
        return ruling

    async def _ruling(self, call: ToolUse, tool: Tool | None, malformed: MalformedCall | None) -> Ruling:
        if malformed is not None:
            return _not_judged("malformed", f"InputValidationError: {malformed.complaint}")
        if tool is None:
            known = ", ".join(spec.name for spec in self._thread.toolbox.specs())
            return _not_judged("unknown tool", f"No such tool available: {call.name}. Available: {known}")
        request = ToolRequest(
            tool_use_id=call.id,
            tool=call.name,
            input=call.input,
            read_only=tool.spec.read_only,
            paths=tool.paths(call.input, self._thread.cwd),
            cwd=self._thread.cwd,
            principal=self._principal,
        )
        try:
            return await self._gate.rule(request, thread_id=self._thread.id, turn_id=self._turn_id)
        except TurnCancelled as cancelled:
            self._rulings[call.id] = cancelled.ruling
            raise

    async def _run_together(self, batch: list[tuple[ToolUse, Tool]]) -> None:
        if not batch:
            return
        benches = [CallBench(self._thread, self._world, call.id) for call, _ in batch]
        self._running = {call.id: bench for (call, _), bench in zip(batch, benches, strict=True)}
        started = time.monotonic()
        if len(batch) == 1:
            outcomes = [await self._run(*batch[0], benches[0])]
        else:
            async with asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(self._run(call, tool, bench))
                    for (call, tool), bench in zip(batch, benches, strict=True)
                ]
            outcomes = [task.result() for task in tasks]
        duration_ms = int((time.monotonic() - started) * 1000)
        for (call, _), bench, outcome in zip(batch, benches, outcomes, strict=True):
            # Known from here on, even if the turn is stopped while the next lines wait.
            self._ran[call.id] = Ran(outcome, bench.snapshots, duration_ms)
        for call, _ in batch:
            await self._finish(call, self._ran[call.id])

    async def _run(self, call: ToolUse, tool: Tool, bench: CallBench) -> Outcome:
        try:
            return await tool.run(call.input, bench)
        except Exception as error:  # a bug in a tool must not take the turn, or the other results, with it
            return Outcome(content=f"{INTERNAL} {call.name} failed: {type(error).__name__}: {error}", is_error=True)

    async def _refuse(self, call: ToolUse, ruling: Ruling) -> None:
        content = ruling.decision.reason
        if ruling.decision.rule not in NOT_JUDGED:
            content = f"Permission denied by {ruling.decision.rule}: {ruling.decision.reason}."
        await self._finish(call, Ran(Outcome(content=content, is_error=True), [], 0))

    async def _finish(self, call: ToolUse, ran: Ran) -> None:
        ruling, cwd = self._rulings[call.id], self._thread.cwd
        if ran.outcome.cwd is not None:
            self._thread.cwd = ran.outcome.cwd
        done = self._record(call, ran, cwd=cwd)
        self.done.append(done)
        declined = not ruling.allowed and ruling.decision.rule not in NOT_JUDGED
        item = ended(call, cwd, done.outcome, declined=declined, duration_ms=ran.duration_ms)
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
        for call in calls:
            if call.id in finished:
                continue
            ran = self._ran.get(call.id)
            if ran is None:
                bench = self._running.get(call.id)
                outcome = Outcome(content=INTERRUPTED if bench else NEVER_RUN, is_error=True)
                ran = Ran(outcome, bench.snapshots if bench else [], 0)
            self.done.append(self._record(call, ran, cwd=self._thread.cwd))
        order = {call.id: number for number, call in enumerate(calls)}
        self.done.sort(key=lambda done: order[done.call.id])

    def _record(self, call: ToolUse, ran: Ran, *, cwd: str) -> Done:
        ruling, outcome = self._rulings.get(call.id), self._recordable(ran.outcome)
        records: list[Record] = [
            Entry(
                entry_type=EntryType.FILE_HISTORY_SNAPSHOT,
                payload={**snapshot, "path": encodable(snapshot["path"])},
                turn_id=self._turn_id,
                tool_use_id=call.id,
            )
            for snapshot in ran.snapshots
        ]
        if ruling is not None:
            records.append(_verdict(call, ruling, self._turn_id, self._principal))
        records.append(
            Entry(
                entry_type=EntryType.TOOL_RESULT,
                payload={"tool_use_id": call.id, "content": outcome.content, "is_error": outcome.is_error},
                turn_id=self._turn_id,
                tool_use_id=call.id,
                extra=_extra(outcome, ruling, encodable(cwd), encodable(self._thread.cwd), ran.duration_ms),
            )
        )
        if outcome.exit_code is not None:
            records.append(_command_receipt(call, outcome, encodable(cwd), self._turn_id, self._principal))
        return Done(call=call, outcome=outcome, records=records)

    def _recordable(self, outcome: Outcome) -> Outcome:
        """Without known credentials, and without what is no text: a file may be called anything."""
        redact = self._world.redact
        changes = [
            Change(path=encodable(change.path), kind=change.kind, diff=redact(encodable(change.diff)))
            for change in outcome.changes
        ]
        return replace(outcome, content=redact(encodable(outcome.content)), changes=changes)


def encodable(text: str) -> str:
    """The text with what UTF-8 cannot say replaced."""
    return text.encode("utf-8", "replace").decode()


def _not_judged(rule: str, reason: str) -> Ruling:
    """A call that never comes before the gate, since there is nothing that could be run."""
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
