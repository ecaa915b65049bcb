"""How are threads kept and turns started? Daedal's own engine behind the `Engine` seam.

A thread is loaded when it is started or resumed, has at most one turn at a time, and is driven only under its lease.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from daedal.engine import recording
from daedal.engine.absent import AbsentProvider
from daedal.engine.delegation import Delegation
from daedal.engine.greeting import greet, opened_by, part, with_material
from daedal.engine.history import by_the_user
from daedal.engine.loading import Loader
from daedal.engine.planning import PLANNING, submitted
from daedal.engine.thread import NOTHING_OPEN, LoadedThread, Recovery
from daedal.engine.turn import RunningTurn
from daedal.engine.views import loaded_view, stored_turns, stored_view
from daedal.engine.world import World
from daedal.protocol.catalogue import say
from daedal.protocol.content import Message, Role, Text, ToolUse
from daedal.protocol.errors import LedgerError, TurnCancelled, UsageError
from daedal.protocol.events import ThreadStarted, Warned
from daedal.protocol.ids import new_id
from daedal.protocol.items import UserInput, UserMessage
from daedal.protocol.prompts import (
    CommandListParams,
    CommandListResponse,
    ReferenceCompleteParams,
    ReferenceCompleteResponse,
)
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
from daedal.protocol.threads import (
    ThreadListParams,
    ThreadListResponse,
    ThreadReadParams,
    ThreadReadResponse,
    ThreadResumeParams,
    ThreadStartParams,
    ThreadStartResponse,
    ThreadStatus,
    ToolCallParams,
    ToolCallResponse,
)
from daedal.protocol.turns import (
    ErrorKind,
    Turn,
    TurnContinueParams,
    TurnInterruptParams,
    TurnStartParams,
    TurnStartResponse,
)

if TYPE_CHECKING:
    from daedal.engine.delegating import Delegating, Report
    from daedal.engine.eliciting import Elicitation, Reply

LIST_LIMIT = 50
GO_ON = "Go on from where you were interrupted."


class Running(Struct, frozen=True):
    """The one thing that a thread is busy with."""

    turn_id: str
    task: asyncio.Task[Any]


class NativeEngine:
    def __init__(self, world: World) -> None:
        self._world = world
        self._loader = Loader(world)
        self._threads: dict[str, LoadedThread] = {}
        self._busy: set[str] = set()
        """Threads with a turn that runs or is about to; entered before the first wait, so that no second one begins."""
        self._running: dict[str, Running] = {}
        self._delegating: Delegating | None = None
        """Loaded with the first sub-agent."""

    async def start_thread(self, params: ThreadStartParams) -> ThreadStartResponse:
        return await self._adopt(await self._loader.new(params), "startup", params.setup)

    async def resume_thread(self, params: ThreadResumeParams) -> ThreadStartResponse:
        stored = await self._world.transcript.find_session(params.thread_id)
        loaded = self._threads.get(stored.session_id)
        if loaded is None:
            return await self._adopt(await self._loader.resume(stored, params), "resume", params.setup)
        loaded.limits = params.limits
        if params.approval_policy is not None:
            loaded.terms = replace(loaded.terms, posture=params.approval_policy)
            loaded.gate = None
        return loaded_view(loaded, self._status(loaded.id))

    async def read_thread(self, params: ThreadReadParams) -> ThreadReadResponse:
        stored = await self._world.transcript.find_session(params.thread_id)
        turns: list[Turn] = []
        if params.include_turns:
            entries = await self._world.transcript.entries(stored.session_id)
            turns = stored_turns(await self._world.transcript.turns(stored.session_id), entries)
        return ThreadReadResponse(thread=stored_view(stored, self._status(stored.session_id), turns))

    async def list_threads(self, params: ThreadListParams) -> ThreadListResponse:
        limit = params.limit or LIST_LIMIT
        sessions = await self._world.transcript.sessions(limit=limit, project_dir=params.cwd)
        return ThreadListResponse(data=[stored_view(stored, self._status(stored.session_id)) for stored in sessions])

    async def start_turn(self, params: TurnStartParams) -> TurnStartResponse:
        text, material = (
            "\n".join(self._world.redact(part.text) for part in params.input if part.is_literal is is_literal)
            for is_literal in (False, True)
        )
        if not text.strip() and not material.strip():
            raise UsageError(say("engine.empty_prompt"))
        async with self._reserved(params.thread_id) as thread:
            self._require_model(thread)
            turn = self._turn(thread)
            settling = await self._settle(thread, close=True)
            prepared = await self._world.prompts.prepare(
                text, workspace=thread.workspace, cwd=thread.cwd, deny=thread.terms.deny
            )
            for notice in prepared.notices:
                await self._world.faces.emit(thread.id, Warned(message=notice, thread_id=thread.id))
            entered = self._entered(thread)
            said = await opened_by(thread, self._world, turn.id, with_material(prepared, material), typed=text)
            prompt = recording.prompt(turn.id, self._world.principal, said)
            await self._open(thread, [*settling.records, *entered, *prompt], [*settling.messages, said.message()])
            thread.preview = thread.preview or text[:80]
            return self._go(thread, turn, UserMessage(id=new_id(), content=[UserInput(said.shown)]))

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
            if not thread.asks_next and not messages:
                records.append(recording.user_entry(turn.id, GO_ON))
                messages = [_said(GO_ON)]
                said = UserMessage(id=new_id(), content=[UserInput(GO_ON)])
            await self._open(thread, records, messages)
            return self._go(thread, turn, said)

    async def interrupt_turn(self, params: TurnInterruptParams) -> None:
        running = self._running.get(params.thread_id)
        if running is None or running.turn_id != params.turn_id:
            raise UsageError(say("engine.no_such_turn", id=params.turn_id))
        await _stop(running.task)

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
            outcome = await task  # cancelled with us
            return ToolCallResponse(tool_use_id=call.id, content=outcome.content, is_error=outcome.is_error)

    async def delegate(self, thread_id: str, delegation: Delegation) -> "Report":
        """One task for a sub-agent of the thread. Raises DaedalError where it cannot even begin."""
        if self._delegating is None:
            from daedal.engine.delegating import Delegating

            self._delegating = Delegating(self._world, self._loader, self._let_go)
        return await self._delegating.run(self._threads[thread_id], delegation)

    async def elicit(self, thread_id: str, asked: "Elicitation") -> "Reply":
        """What a server asks while a call of the thread runs."""
        from daedal.engine.eliciting import elicit

        running = self._running.get(thread_id)
        return await elicit(
            self._threads[thread_id],
            self._world.faces,
            asked,
            turn_id=running.turn_id if running is not None else "",
            deadline_s=self._world.settings.approval_timeout_s,
        )

    async def list_commands(self, params: CommandListParams) -> CommandListResponse:
        return await asyncio.to_thread(self._world.prompts.commands, params)

    async def complete_reference(self, params: ReferenceCompleteParams) -> ReferenceCompleteResponse:
        return await asyncio.to_thread(self._world.prompts.complete, params)

    async def close(self) -> None:
        for running in list(self._running.values()):
            await _stop(running.task)
        for thread in list(self._threads.values()):
            await self._let_go(thread)

    async def _by_hand(self, thread: LoadedThread, turn_id: str, call: ToolUse) -> Outcome:
        from daedal.engine.acting import Acting

        acting = Acting(thread, turn_id, self._world.principal, self._world)
        status = TurnStatus.INTERRUPTED
        try:
            await acting.carry_out([call], {})
            status = TurnStatus.COMPLETED
        except TurnCancelled:
            pass  # The call was refused, and there is no turn to be stopped beside it.
        finally:
            closed = TurnClosed(turn_id=turn_id, status=status)
            rows = thread.hooks.take_rows()
            await self._world.transcript.commit(thread.id, [*rows, *acting.done[0].records, closed])
            outcome = acting.done[0].outcome
            thread.append(by_the_user(call, outcome.content))
        return outcome

    async def _adopt(self, thread: LoadedThread, source: str, setup: str | None) -> ThreadStartResponse:
        self._threads[thread.id] = thread
        response = loaded_view(thread, self._status(thread.id))
        await self._world.faces.emit(thread.id, ThreadStarted(thread=response.thread))
        await greet(thread, self._world, source=source, setup=setup)
        return response

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
        await part(thread, self._world)
        await thread.toolbox.close()
        await thread.provider.close()
        if thread.lease is not None:
            thread.lease.release()

    @asynccontextmanager
    async def _reserved(self, thread_id: str) -> AsyncGenerator[LoadedThread]:
        """The thread, for one turn. Given back at once unless a turn was started with it, which then gives it back."""
        thread = self._threads.get(thread_id)
        if thread is None:
            raise UsageError(say("engine.thread_not_loaded", id=thread_id))
        if thread_id in self._busy:
            raise UsageError(say("engine.thread_busy", id=thread_id))
        self._busy.add(thread_id)
        try:
            yield thread
        except LedgerError:
            # Memory and record may disagree now. Whoever wants to go on loads the record.
            await self._let_go(thread)
            raise
        finally:
            running = self._running.get(thread_id)
            if running is None or running.task.done():
                self._give_back(thread_id)

    def _give_back(self, thread_id: str) -> None:
        self._running.pop(thread_id, None)
        self._busy.discard(thread_id)

    @staticmethod
    def _require_model(thread: LoadedThread) -> None:
        if isinstance(thread.provider, AbsentProvider):
            raise UsageError(say("engine.without_model", id=thread.id))

    def _turn(self, thread: LoadedThread, turn_id: str | None = None) -> RunningTurn:
        return RunningTurn(thread, turn_id or new_id(), self._world, principal=self._world.principal)

    async def _settle(self, thread: LoadedThread, *, close: bool) -> Recovery:
        """What a crash may have left open is dealt with first. A new thread has nothing of the kind."""
        if thread.settled:
            return NOTHING_OPEN
        from daedal.engine.recovery import recover

        return await recover(self._world, thread, close=close)

    async def _open(self, thread: LoadedThread, records: list[Record], messages: list[Message]) -> None:
        """Commits what opens a turn, and only then lets the model's side of the thread know."""
        await self._world.transcript.commit(thread.id, [*thread.unsaved, *thread.hooks.take_rows(), *records])
        thread.unsaved = []
        thread.settled = True
        for message in messages:
            thread.append(message)

    def _go(self, thread: LoadedThread, turn: RunningTurn, said: UserMessage | None) -> TurnStartResponse:
        task = asyncio.create_task(self._drive(thread, turn, said))
        self._running[thread.id] = Running(turn.id, task)
        return TurnStartResponse(turn=turn.snapshot(TurnStatus.IN_PROGRESS))

    async def _drive(self, thread: LoadedThread, turn: RunningTurn, said: UserMessage | None) -> Turn:
        try:
            ended = await turn.run(said)
        finally:
            self._give_back(thread.id)
        if ended.error is not None and ended.error.kind in (ErrorKind.LEDGER, ErrorKind.LEDGER_BUSY):
            await self._let_go(thread)
        return ended


def _said(text: str) -> Message:
    return Message(Role.USER, [Text(text)])


async def _stop(task: asyncio.Task[Any]) -> None:
    task.cancel()
    await asyncio.wait([task])
