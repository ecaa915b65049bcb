"""How is a turn of a thread started, steered, stopped and waited for? One at a time, under the thread's lease."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from msgspec.structs import replace

from daedal.engine import recording
from daedal.engine.absent import AbsentProvider
from daedal.engine.adjustable import Adjustable, Running, stop
from daedal.engine.greeting import Said, opened_by, part, with_material
from daedal.engine.history import by_the_user
from daedal.engine.loading import Loader
from daedal.engine.planning import PLANNING, submitted
from daedal.engine.thread import NOTHING_OPEN, LoadedThread, Recovery
from daedal.engine.turn import RunningTurn
from daedal.engine.waiting import Waiting
from daedal.engine.world import World
from daedal.protocol.catalogue import say
from daedal.protocol.content import Message, Picture, Role, Text, ToolUse
from daedal.protocol.errors import LedgerError, TurnCancelled, UsageError
from daedal.protocol.events import Warned
from daedal.protocol.ids import new_id
from daedal.protocol.items import Given, UserInput, UserMessage
from daedal.protocol.records import (
    Entry,
    EntryType,
    PhaseChanged,
    Record,
    TurnClosed,
    TurnOpened,
    TurnReopened,
    TurnStatus,
)
from daedal.protocol.seams import Outcome
from daedal.protocol.threads import ThreadStatus, ToolCallParams, ToolCallResponse
from daedal.protocol.turns import (
    ErrorKind,
    Turn,
    TurnContinueParams,
    TurnInterruptParams,
    TurnStartParams,
    TurnStartResponse,
    WhenBusy,
)

if TYPE_CHECKING:
    from daedal.engine.goals import GoalKeeping
    from daedal.protocol.steering import TurnSteerParams, TurnSteerResponse

GO_ON = "Go on from where you were interrupted."


GOAL_LENGTH_MIN = 120
"""A prompt that shall become a goal by itself says more than this; a shorter one is not even looked at."""


class Driver(Adjustable):
    """The threads in memory, and what each of them is busy with."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._loader = Loader(world)
        self._waiting = Waiting(self._start_turn, self._busy.__contains__, world.faces)
        self._goal_keeping: GoalKeeping | None = None
        """Loaded with the first goal."""

    @property
    def _goals(self) -> "GoalKeeping":
        if self._goal_keeping is None:
            from daedal.engine.goals import GoalKeeping

            self._goal_keeping = GoalKeeping(self._world, self.call_tool)
        return self._goal_keeping

    async def start_turn(self, params: TurnStartParams) -> TurnStartResponse:
        if params.thread_id in self._busy:
            if params.when_busy is WhenBusy.STEER:
                return await self._steer_instead(params)
            if params.when_busy is WhenBusy.QUEUE and params.thread_id in self._threads:
                return TurnStartResponse(turn=self._waiting.add(params))
        return await self._start_turn(params)

    async def _start_turn(self, params: TurnStartParams, turn_id: str | None = None) -> TurnStartResponse:
        text, material = self._words(params.input)
        async with self._reserved(params.thread_id) as thread:
            self._require_model(thread)
            pictures = await self._pictures(thread, params.input)
            await self._adjust(thread, params)
            principal = f"driver:{params.driver}" if params.driver else self._world.principal
            # What follows by itself towards a goal has been planned with its beginning.
            is_planned = params.driver and thread.goal is not None and thread.goal.due is not None
            task = "" if is_planned else "\n\n".join(filter(None, [text, material]))
            turn = self._turn(thread, turn_id, principal, task)
            settling = await self._settle(thread, close=True)
            entered = self._entered(thread)
            if thread.goal is not None or params.driver or (params.may_become_goal and len(text) >= GOAL_LENGTH_MIN):
                await self._goals.before_turn(thread, params, text)
            said = await self._said(thread, turn.id, text, material, pictures)
            item_id = new_id()
            prompt = recording.prompt(turn.id, principal, said, item_id)
            await self._open(thread, [*settling.records, *entered, *prompt], [*settling.messages, said.message()])
            thread.preview = thread.preview or said.shown[:80]
            return self._go(thread, turn, UserMessage(id=item_id, content=said.content()))

    def _words(self, given: Sequence[Given]) -> tuple[str, str]:
        """What the person typed, and what was given along with it. Raises UsageError where there is nothing at all."""
        words = [part for part in given if isinstance(part, UserInput)]
        text, material = (
            "\n".join(self._world.redact(part.text) for part in words if part.is_literal is is_literal)
            for is_literal in (False, True)
        )
        if len(given) > 1 or not text:
            from daedal.engine.given import with_references

            text = with_references(text, given)
        if not text.strip() and not material.strip() and len(words) == len(given):
            raise UsageError(say("engine.empty_prompt"))
        return text, material

    async def _pictures(self, thread: LoadedThread, given: Sequence[Given]) -> list[Picture]:
        if all(isinstance(part, UserInput) for part in given):
            return []
        from daedal.engine.given import pictures_of

        return await pictures_of(given, thread, self._world)

    async def _said(
        self, thread: LoadedThread, turn_id: str, text: str, material: str, pictures: list[Picture]
    ) -> Said:
        prepared = await self._world.prompts.prepare(
            text, workspace=thread.workspace, cwd=thread.cwd, deny=thread.terms.deny
        )
        if thread.goal is not None:
            prepared = self._goals.with_words(thread, prepared)
        for notice in prepared.notices:
            await self._world.faces.emit(thread.id, Warned(message=notice, thread_id=thread.id))
        whole = with_material(prepared, material)
        return await opened_by(thread, self._world, turn_id, whole, typed=text, pictures=pictures)

    async def steer_turn(self, params: "TurnSteerParams") -> "TurnSteerResponse":
        from daedal.protocol.steering import TurnSteerResponse

        running = self._running.get(params.thread_id)
        if running is None or running.turn is None or running.turn_id != params.expected_turn_id:
            raise UsageError(say("engine.no_such_turn", id=params.expected_turn_id))
        text, material = self._words(params.input)
        thread = self._threads[params.thread_id]
        pictures = await self._pictures(thread, params.input)
        said = await self._said(thread, running.turn_id, text, material, pictures)
        if not running.turn.steer(said):
            raise UsageError(say("engine.no_such_turn", id=params.expected_turn_id))
        return TurnSteerResponse(turn_id=running.turn_id)

    async def _steer_instead(self, params: TurnStartParams) -> TurnStartResponse:
        from daedal.protocol.steering import TurnSteerParams

        running = self._running.get(params.thread_id)
        if running is None or running.turn is None:
            raise UsageError(say("engine.thread_busy", id=params.thread_id))
        async with self._threads[params.thread_id].adjusting:
            await self._adjust(self._threads[params.thread_id], params)
        await self.steer_turn(
            TurnSteerParams(thread_id=params.thread_id, expected_turn_id=running.turn_id, input=params.input)
        )
        return TurnStartResponse(turn=running.turn.snapshot(TurnStatus.IN_PROGRESS))

    async def continue_turn(self, params: TurnContinueParams) -> TurnStartResponse:
        async with self._reserved(params.thread_id) as thread:
            self._require_model(thread)
            turns = await self._world.transcript.turns(thread.id)
            if not turns or turns[-1].status is TurnStatus.COMPLETED:
                raise UsageError(say("engine.nothing_to_continue", id=thread.id))
            turn = self._turn(thread, turns[-1].turn_id)
            settling = await self._settle(thread, close=False)
            records, messages = [*settling.records, TurnReopened(turn_id=turn.id)], settling.messages
            said = None
            notes, thread.context = [self._world.redact(note) for note in thread.context], []
            words = notes if thread.asks_next or messages else [*notes, GO_ON]
            if words:
                entry = recording.user_entry(turn.id, *words)
                records.append(entry)
                messages = [*messages, Message(Role.USER, [Text(word) for word in words])]
                if GO_ON in words:
                    said = UserMessage(id=entry.payload["uuid"], content=[UserInput(GO_ON)])
            await self._open(thread, records, messages)
            return self._go(thread, turn, said)

    async def interrupt_turn(self, params: TurnInterruptParams) -> None:
        running = self._running.get(params.thread_id)
        if running is not None and running.turn_id == params.turn_id:
            await stop(running.task)
        elif not await self._waiting.drop(params.thread_id, params.turn_id):
            raise UsageError(say("engine.no_such_turn", id=params.turn_id))

    async def call_tool(self, params: ToolCallParams) -> ToolCallResponse:
        """One call by the person: the same gate, tools and record as a model's call."""
        async with self._reserved(params.thread_id) as thread:
            turn_id = new_id()
            call = ToolUse(f"call_{new_id()}", params.tool, self._world.redact.value(params.input))
            payload = {"id": call.id, "name": call.name, "input": call.input}
            settling = await self._settle(thread, close=True)
            intent: list[Record] = [
                *settling.records,
                TurnOpened(turn_id=turn_id, principal=self._world.principal),
                Entry(entry_type=EntryType.TOOL_USE, payload=payload, turn_id=turn_id, tool_use_id=call.id),
            ]
            entered = self._entered(thread)
            drafts = submitted([call], thread.terms, thread.conversation_id)
            await self._open(thread, [*intent, *entered, *drafts], settling.messages)
            task = asyncio.create_task(self._by_hand(thread, turn_id, call))
            self._running[thread.id] = Running(turn_id, task)
            self._is_open(thread)
            outcome = await task  # cancelled with us
            from daedal.engine.by_hand import result_of

            return result_of(call.id, outcome)

    async def _by_hand(self, thread: LoadedThread, turn_id: str, call: ToolUse) -> Outcome:
        from daedal.engine.acting import Acting

        acting = Acting(thread, turn_id, self._world.principal, self._world)
        status = TurnStatus.INTERRUPTED
        try:
            await acting.carry_out([call], {})
            status = TurnStatus.COMPLETED
        except (TurnCancelled, asyncio.CancelledError):
            # There is no turn to be stopped beside it, and whoever waits is told what is known of the call.
            pass
        finally:
            closed = TurnClosed(turn_id=turn_id, status=status)
            rows = thread.hooks.take_rows()
            await self._world.transcript.commit(thread.id, [*rows, *acting.done[0].records, closed])
            outcome = acting.done[0].outcome
            thread.append(by_the_user(call, outcome.content))
        return outcome

    def _entered(self, thread: LoadedThread) -> list[Record]:
        """Looks which phase the conversation is in, once per turn. Plan mode moves it to `planning`."""
        if thread.unsaved:
            return []
        stored = self._world.transcript.conversation(thread.conversation_id)
        phase = PLANNING if thread.terms.mode == "plan" else stored.phase
        thread.terms = replace(thread.terms, phase=phase, has_approved_plan=stored.has_approved_plan)
        if thread.gate is not None:
            thread.gate.enter(phase, has_approved_plan=stored.has_approved_plan)
        if phase == stored.phase:
            return []
        return [PhaseChanged(conversation_id=stored.id, before=stored.phase, after=phase)]

    def _status(self, thread_id: str) -> ThreadStatus:
        if thread_id in self._busy:
            return ThreadStatus("active")
        return ThreadStatus("idle" if thread_id in self._threads else "notLoaded")

    async def _let_go(self, thread: LoadedThread) -> None:
        """Ends what the thread still runs and gives up the right to drive it. The record has all of it."""
        self._threads.pop(thread.id, None)
        if thread.planner is not None:
            await thread.planner.close()
        await self._waiting.forget(thread.id)
        await part(thread, self._world)
        left = await thread.toolbox.close()
        if left:
            from daedal.engine.leaving import tell_left

            await tell_left(thread.id, self._world, left)
            await asyncio.sleep(0)  # It is heard before whoever listens is let go.
        for retired in thread.retired:
            await retired.close()
        await thread.provider.close()
        if thread.successor is not None:
            await thread.successor.close()
        if thread.lease is not None:
            thread.lease.release()

    @asynccontextmanager
    async def _reserved(self, thread_id: str) -> AsyncGenerator[LoadedThread]:
        """The thread, for one turn. Given back at once unless a turn was started with it, which then gives it back."""
        thread = self._threads.get(thread_id)
        if thread is None:
            raise UsageError(say("engine.thread_not_loaded", id=thread_id))
        self._require_own(thread)
        if thread_id in self._busy:
            raise UsageError(say("engine.thread_busy", id=thread_id))
        self._busy.add(thread_id)
        try:
            await thread.adjusting.acquire()
            self._opening.add(thread_id)
            await self._caught_up(thread)
            yield thread
        except LedgerError:
            # Memory and record may disagree now. Whoever wants to go on loads the record.
            await self._let_go(thread)
            raise
        finally:
            self._is_open(thread)
            running = self._running.get(thread_id)
            if running is None or running.task.done():
                self._give_back(thread_id)

    def _give_back(self, thread_id: str) -> None:
        self._running.pop(thread_id, None)
        self._busy.discard(thread_id)
        self._waiting.go_on(thread_id)

    @staticmethod
    def _require_model(thread: LoadedThread) -> None:
        if isinstance(thread.provider, AbsentProvider):
            raise UsageError(say("engine.without_model", id=thread.id))

    @staticmethod
    def _require_own(thread: LoadedThread) -> None:
        """A sub-agent is at work in a turn of its own, on the terms and for the task of its parent."""
        if thread.parent is not None:
            raise UsageError(say("engine.subagent_session", id=thread.id, parent=thread.parent.id))

    def _turn(
        self, thread: LoadedThread, turn_id: str | None = None, principal: str | None = None, task: str | None = None
    ) -> RunningTurn:
        """`task` is what a person asks for, which is planned first where the thread has a planner."""
        turn_id, principal = turn_id or new_id(), principal or self._world.principal
        if thread.planner is None:
            return RunningTurn(thread, turn_id, self._world, principal=principal)
        from daedal.engine.planned_turn import PlannedTurn

        return PlannedTurn(thread, turn_id, self._world, principal=principal, planner=thread.planner, task=task)

    async def _settle(self, thread: LoadedThread, *, close: bool) -> Recovery:
        """What a crash may have left open is dealt with first. A new thread has nothing of the kind."""
        if thread.settled:
            return NOTHING_OPEN
        from daedal.engine.recovery import recover

        return await recover(self._world, thread, close=close)

    async def _open(self, thread: LoadedThread, records: list[Record], messages: list[Message]) -> None:
        """Commits what opens a turn, and only then lets the model's side of the thread know."""
        unsaved = thread.unsaved
        await self._world.transcript.commit(thread.id, [*unsaved, *thread.hooks.take_rows(), *records])
        thread.unsaved = thread.unsaved[len(unsaved) :]
        thread.settled = True
        for message in messages:
            thread.append(message)

    def _go(self, thread: LoadedThread, turn: RunningTurn, said: UserMessage | None) -> TurnStartResponse:
        task = asyncio.create_task(self._drive(thread, turn, said))
        self._running[thread.id] = Running(turn.id, task, turn)
        self._is_open(thread)
        return TurnStartResponse(turn=turn.snapshot(TurnStatus.IN_PROGRESS))

    async def _drive(self, thread: LoadedThread, turn: RunningTurn, said: UserMessage | None) -> Turn:
        try:
            ended = await turn.run(said)
            async with thread.adjusting:
                await self._caught_up(thread)
        finally:
            self._give_back(thread.id)
        if ended.error is not None and ended.error.kind in (ErrorKind.LEDGER, ErrorKind.LEDGER_BUSY):
            await self._let_go(thread)
        elif thread.goal is not None:
            await self._goals.after_turn(thread, ended, turn.said)
        return ended
