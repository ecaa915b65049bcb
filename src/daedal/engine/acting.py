"""How are the calls of one reply carried out? In declared order, each judged first; adjacent readers overlap.

Nothing is committed here. Whatever happened, every call has a result when this is over, also when the turn is
interrupted in the middle: a call without a result would be a call of unknown outcome.
"""

import asyncio
import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from daedal.engine.absent import AbsentProvider
from daedal.engine.deeds import Deeds, Done, Ran, encodable
from daedal.engine.effects import take_effect, tell
from daedal.engine.planning import objection
from daedal.engine.reply import MalformedCall
from daedal.engine.showing import begun, ended
from daedal.engine.thread import LoadedThread
from daedal.engine.world import World
from daedal.protocol.content import ToolUse
from daedal.protocol.errors import TurnCancelled
from daedal.protocol.events import CommandOutputDelta, ItemCompleted, ItemStarted
from daedal.protocol.hooks import HookEvent
from daedal.protocol.items import USER_SHELL, Change
from daedal.protocol.seams import Outcome, PreImage, Tool
from daedal.protocol.verdict import Decision, Ruling, ToolRequest, Verdict

if TYPE_CHECKING:
    from daedal.engine.live_output import LiveOutput

INTERNAL = "[SDLC_INTERNAL]"
INTERRUPTED = f"{INTERNAL} The user interrupted this call while it ran; it may have run partly."
NEVER_RUN = f"{INTERNAL} The turn was interrupted before this call started; it did not run."


NOT_JUDGED = ("malformed", "unknown tool", "no plan")
"""Rules of refusals that are no verdicts: there was nothing to judge."""


class CallBench:
    """What a running call may use of its thread."""

    def __init__(
        self, thread: LoadedThread, world: World, turn_id: str, tool_use_id: str, *, is_let_out: bool = False
    ) -> None:
        self._thread = thread
        self._world = world
        self._turn_id = turn_id
        self._live: LiveOutput | None = None
        self.tool_use_id = tool_use_id
        self.cwd = thread.cwd
        self.workspace = thread.workspace
        self.thread_id = thread.id
        self.phase = thread.terms.phase
        self.is_let_out = is_let_out
        self.is_by_hand = isinstance(thread.provider, AbsentProvider)
        self.snapshots: list[dict[str, Any]] = []

    def watch(self) -> "LiveOutput | None":
        if not self._world.faces.wants(self.thread_id, CommandOutputDelta):
            return None
        from daedal.engine.live_output import LiveOutput

        at = {"thread_id": self.thread_id, "turn_id": self._turn_id, "item_id": self.tool_use_id}
        self._live = LiveOutput(self._world.faces, self._world.redact, **at)
        return self._live

    async def close(self) -> None:
        """The call is over: what it printed last is shown, and what it left of the files it changed is noted."""
        for snapshot in self.snapshots:
            from daedal.engine.imprints import imprint

            snapshot["after"] = await imprint(snapshot["path"])
        if self._live is not None:
            await self._live.close()

    async def keep(self, image: PreImage) -> None:
        blob = await self._world.pre_images.put(self.thread_id, self.tool_use_id, image)
        snapshot: dict[str, Any] = {"path": image.path, "blob": blob, "existed": image.content is not None}
        if image.content is None:
            snapshot["under"] = encodable(standing_folder(image.path))
        self.snapshots.append(snapshot)


class Acting:
    """Carries out the calls of one reply. `done` holds what is finished, in declared order once all is over."""

    def __init__(
        self, thread: LoadedThread, turn_id: str, principal: str, world: World, *, source: str = "agent"
    ) -> None:
        self._thread = thread
        self._source = source
        self._turn_id = turn_id
        self._principal = principal
        self._world = world
        # Made with the first call: a thread that only talks needs none, and the first request need not wait for it.
        self._gate = thread.gate = thread.gate or world.make_gate(thread.terms, thread.hooks)
        self._deeds = Deeds(thread, turn_id, principal, world.redact)
        self.done: list[Done] = []
        self._rulings: dict[str, Ruling] = {}
        self._requests: dict[str, ToolRequest] = {}
        """As they were judged: the input may be another than what the model asked for."""
        self._running: dict[str, CallBench] = {}
        self._ran: dict[str, Ran] = {}
        self.stop: str | None = None
        """A hook ended it, for this reason: what was not begun yet did not run, and neither does the turn go on."""

    async def carry_out(self, calls: Sequence[ToolUse], malformed: dict[str, MalformedCall]) -> None:
        """Whatever ends it, every call has its result in `done` afterwards."""
        together: list[tuple[ToolUse, Tool]] = []
        try:
            for call in calls:
                if self._thread.hooks.stop is not None:
                    break
                tool = self._thread.toolbox.get(call.name)
                ruling = await self._judge(call, tool, malformed.get(call.id))
                if tool is not None and ruling.allowed and (tool.spec.read_only or tool.spec.is_concurrent):
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
            self.stop = self._thread.hooks.take_stop()
            self.close_open(calls)

    async def _judge(self, call: ToolUse, tool: Tool | None, malformed: MalformedCall | None) -> Ruling:
        ruling = self._rulings[call.id] = await self._ruling(call, tool, malformed)
        return ruling

    async def _ruling(self, call: ToolUse, tool: Tool | None, malformed: MalformedCall | None) -> Ruling:
        pointless = self._pointless(call, tool, malformed)
        if tool is None or pointless is not None:
            await self._show_begun(call, [])
            return pointless or _not_judged("unknown tool", "")
        from daedal.engine.previews import Preview

        request = self._requests[call.id] = self._request(call, tool, call.input)
        preview = Preview(tool, self._thread, self._world, CallBench(self._thread, self._world, self._turn_id, call.id))
        await self._show_begun(call, await preview.foreseen(request, self._gate))
        try:
            ruling = await self._gate.rule(
                request,
                turn_id=self._turn_id,
                revise=lambda given: self._request(call, tool, given),
                preview=preview.of,
            )
        except TurnCancelled as cancelled:
            self._rulings[call.id] = cancelled.ruling
            raise
        if ruling.input is not None:
            self._requests[call.id] = self._request(call, tool, ruling.input)
        return ruling

    def _pointless(self, call: ToolUse, tool: Tool | None, malformed: MalformedCall | None) -> Ruling | None:
        """Why there is nothing to judge; None where there is."""
        if malformed is not None:
            return _not_judged("malformed", f"InputValidationError: {malformed.complaint}")
        if tool is None:
            known = ", ".join(spec.name for spec in self._thread.toolbox.specs())
            return _not_judged("unknown tool", f"No such tool available: {call.name}. Available: {known}")
        complaint = objection(call, self._thread.terms)
        return None if complaint is None else _not_judged("no plan", complaint)

    def _request(self, call: ToolUse, tool: Tool, given: dict[str, Any]) -> ToolRequest:
        return ToolRequest(
            tool_use_id=call.id,
            tool=call.name,
            input=given,
            read_only=tool.spec.read_only,
            paths=tool.paths(given, self._thread.cwd),
            cwd=self._thread.cwd,
            is_confined=tool.is_confined(given, self._thread.cwd),
            is_own=self._source == USER_SHELL,
            principal=self._principal,
        )

    async def _run_together(self, batch: list[tuple[ToolUse, Tool]]) -> None:
        if not batch:
            return
        benches = [self._bench(call) for call, _ in batch]
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
        for call, tool in batch:
            is_held = self._ran[call.id].outcome.blocked and not self._running[call.id].is_let_out
            if is_held and self._source != USER_SHELL:
                await self._offer_way_out(call, tool)
            await self._finish(call, self._ran[call.id])

    def _bench(self, call: ToolUse) -> CallBench:
        # Whoever allowed a call that asks to leave the walls has let it out; only a person can.
        is_let_out = self._requests[call.id].input.get("dangerouslyDisableSandbox") is True
        return CallBench(self._thread, self._world, self._turn_id, call.id, is_let_out=is_let_out)

    async def _offer_way_out(self, call: ToolUse, tool: Tool) -> None:
        """The walls stopped it: a person may let it run once more without them. With nobody there it stays failed."""
        ran = self._ran[call.id]
        request = replace(self._requests[call.id], is_confined=False)
        ruling = await self._gate.let_out(request, turn_id=self._turn_id, blocked=ran.outcome.blocked or "")
        if ruling is None:
            return
        self._ran[call.id] = Ran(ran.outcome, ran.snapshots, ran.duration_ms, ruling)
        if not ruling.allowed:
            return
        bench = self._running[call.id] = CallBench(self._thread, self._world, self._turn_id, call.id, is_let_out=True)
        started = time.monotonic()
        outcome = await self._run(call, tool, bench)
        duration_ms = ran.duration_ms + int((time.monotonic() - started) * 1000)
        self._ran[call.id] = Ran(outcome, ran.snapshots + bench.snapshots, duration_ms, ruling)

    async def _run(self, call: ToolUse, tool: Tool, bench: CallBench) -> Outcome:
        try:
            return await tool.run(self._requests[call.id].input, bench)
        except Exception as error:  # a bug in a tool must not take the turn, or the other results, with it
            return Outcome(content=f"{INTERNAL} {call.name} failed: {type(error).__name__}: {error}", is_error=True)
        finally:
            await bench.close()

    async def _refuse(self, call: ToolUse, ruling: Ruling) -> None:
        content = ruling.decision.reason
        if ruling.decision.rule not in NOT_JUDGED:
            content = f"Permission denied by {ruling.decision.rule}: {ruling.decision.reason.rstrip('.')}."
            content += " You may try again." if ruling.may_retry else ""
        await self._finish(call, Ran(Outcome(content=content, is_error=True), [], 0))

    async def _finish(self, call: ToolUse, ran: Ran) -> None:
        ruling, cwd, phase = self._rulings[call.id], self._thread.cwd, self._thread.terms.phase
        ran = await self._heard(call, ran)
        if call.id in self._ran:
            self._ran[call.id] = ran
        done = self._record(call, ran, ruling, cwd)
        if self._thread.cwd != cwd:
            await self._thread.hooks.fire(
                HookEvent.CWD_CHANGED, turn_id=self._turn_id, old_cwd=cwd, new_cwd=self._thread.cwd
            )
        declined = not ruling.allowed and ruling.decision.rule not in NOT_JUDGED
        item = ended(call, cwd, done.outcome, declined=declined, duration_ms=ran.duration_ms, source=self._source)
        now = int(time.time() * 1000)
        event = ItemCompleted(thread_id=self._thread.id, turn_id=self._turn_id, item=item, completed_at_ms=now)
        await self._world.faces.emit(self._thread.id, event)
        await tell(self._thread, self._world, self._turn_id, done.outcome)
        if self._thread.terms.phase != phase:
            from daedal.engine.adjusting import tell as tell_settings

            await tell_settings(self._world, self._thread)

    def _record(self, call: ToolUse, ran: Ran, ruling: Ruling | None, cwd: str) -> Done:
        """The call is over: what it changes holds from here on."""
        request = self._requests.get(call.id)
        noted = self._thread.take_noted()
        given = request.input if request is not None else {}
        mode = ruling.mode if ruling is not None else None
        effects = [*noted, *take_effect(self._thread, self._turn_id, ran.outcome, given, mode)]
        done = self._deeds.record(call, ran, request=request, ruling=ruling, cwd=cwd, effects=effects)
        self.done.append(done)
        return done

    async def _heard(self, call: ToolUse, ran: Ran) -> Ran:
        """The call with what hooks want the model to know about it. Those after a call hear only of what ran."""
        ruling, hooks = self._rulings[call.id], self._thread.hooks
        notes, outcome = list(ruling.context), ran.outcome
        event = HookEvent.POST_TOOL_USE_FAILURE if outcome.is_error else HookEvent.POST_TOOL_USE
        if call.id in self._ran and hooks.listens(event):
            told = await hooks.fire(event, turn_id=self._turn_id, **self._told(call, outcome))
            notes += [*filter(None, [told.message]), *told.additional_context]
            if told.updated_output is not None and call.name.startswith("mcp__"):
                outcome = replace(outcome, content=as_text(told.updated_output))
        if notes or ruling.said:
            added = [ruling.said] if ruling.said else []
            added += [f"<hook>\n{note}\n</hook>" for note in notes]
            outcome = replace(outcome, content="\n".join([outcome.content, *added]))
        return replace(ran, outcome=outcome)

    def _told(self, call: ToolUse, outcome: Outcome) -> dict[str, Any]:
        about = {"tool_name": call.name, "tool_input": self._requests[call.id].input, "tool_use_id": call.id}
        content = encodable(outcome.content)
        if outcome.is_error:
            return {**about, "error": content, "is_interrupt": False}
        response = {"content": content, "exit_code": outcome.exit_code, "changes": outcome.changes}
        return {**about, "tool_response": {name: value for name, value in response.items() if value not in (None, [])}}

    async def _show_begun(self, call: ToolUse, changes: list[Change]) -> None:
        event = ItemStarted(
            thread_id=self._thread.id,
            turn_id=self._turn_id,
            item=begun(call, self._thread.cwd, self._source, changes),
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
            request = self._requests.get(call.id)
            cwd = request.cwd if request is not None else self._thread.cwd
            self._record(call, ran, self._rulings.get(call.id), cwd)
        order = {call.id: number for number, call in enumerate(calls)}
        self.done.sort(key=lambda done: order[done.call.id])


def standing_folder(path: str) -> str:
    """The nearest folder above it that is there."""
    folder = os.path.dirname(path)
    while not os.path.isdir(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    return folder


def as_text(value: Any) -> str:
    """A hook may put any JSON in an output's place; the model reads text."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _not_judged(rule: str, reason: str) -> Ruling:
    """A call that never comes before the gate, since there is nothing that could be run."""
    return Ruling(decision=Decision(verdict=Verdict.DENY, rule=rule, reason=reason))
