"""How are threads kept and turns started? Daedal's own engine behind the `Engine` seam.

A thread is loaded when it is started or resumed, has at most one turn at a time, and is driven only under its lease.
"""

import asyncio
import time

from daedal.engine import recording
from daedal.engine.absent import AbsentProvider
from daedal.engine.acting import Acting
from daedal.engine.history import by_the_user
from daedal.engine.loading import Loader
from daedal.engine.recovery import recover
from daedal.engine.showing import stored_items
from daedal.engine.thread import LoadedThread
from daedal.engine.turn import RunningTurn
from daedal.engine.world import World
from daedal.protocol.catalogue import say
from daedal.protocol.content import Message, Role, Text, ToolUse
from daedal.protocol.errors import UsageError
from daedal.protocol.events import ThreadStarted
from daedal.protocol.ids import new_id
from daedal.protocol.items import UserInput, UserMessage
from daedal.protocol.records import (
    Entry,
    EntryType,
    Record,
    StoredSession,
    StoredTurn,
    TurnClosed,
    TurnOpened,
    TurnReopened,
    TurnStatus,
)
from daedal.protocol.threads import (
    Thread,
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
    TurnError,
    TurnInterruptParams,
    TurnStartParams,
    TurnStartResponse,
)

LIST_LIMIT = 50
GO_ON = "Go on from where you were interrupted."


class NativeEngine:
    def __init__(self, world: World) -> None:
        self._world = world
        self._loader = Loader(world)
        self._threads: dict[str, LoadedThread] = {}
        self._turns: dict[str, tuple[RunningTurn, asyncio.Task[Turn]]] = {}

    async def start_thread(self, params: ThreadStartParams) -> ThreadStartResponse:
        return await self._adopt(await self._loader.new(params))

    async def resume_thread(self, params: ThreadResumeParams) -> ThreadStartResponse:
        stored = await self._world.transcript.find_session(params.thread_id)
        loaded = self._threads.get(stored.session_id)
        if loaded is not None:
            return self._response(loaded)
        return await self._adopt(await self._loader.resume(stored, params))

    async def read_thread(self, params: ThreadReadParams) -> ThreadReadResponse:
        stored = await self._world.transcript.find_session(params.thread_id)
        turns: list[Turn] = []
        if params.include_turns:
            entries = await self._world.transcript.entries(stored.session_id)
            for turn in await self._world.transcript.turns(stored.session_id):
                items = stored_items([entry for entry in entries if entry.turn_id == turn.turn_id])
                turns.append(Turn(id=turn.turn_id, status=turn.status, items=items, error=_stored_error(turn)))
        return ThreadReadResponse(thread=self._stored_thread(stored, turns))

    async def list_threads(self, params: ThreadListParams) -> ThreadListResponse:
        limit = params.limit or LIST_LIMIT
        sessions = await self._world.transcript.sessions(limit=limit, project_dir=params.cwd)
        return ThreadListResponse(data=[self._stored_thread(stored, []) for stored in sessions])

    async def start_turn(self, params: TurnStartParams) -> TurnStartResponse:
        thread = self._idle(params.thread_id)
        self._require_model(thread)
        text = self._world.redact("\n".join(part.text for part in params.input))
        if not text.strip():
            raise UsageError(say("engine.empty_prompt"))
        turn = self._turn(thread)
        opening = await recover(self._world, thread, close=True)
        opening += recording.prompt(turn.id, self._world.principal, text)
        await self._open(thread, opening)
        thread.append(Message(Role.USER, [Text(text)]))
        thread.preview = thread.preview or text[:80]
        return self._go(thread, turn, UserMessage(id=new_id(), content=[UserInput(text)]))

    async def continue_turn(self, params: TurnContinueParams) -> TurnStartResponse:
        thread = self._idle(params.thread_id)
        self._require_model(thread)
        turns = await self._world.transcript.turns(thread.id)
        if not turns or turns[-1].status is TurnStatus.COMPLETED:
            raise UsageError(say("engine.nothing_to_continue", id=thread.id))
        turn = self._turn(thread, turns[-1].turn_id)
        opening = await recover(self._world, thread, close=False)
        opening.append(TurnReopened(turn_id=turn.id))
        said = None
        if not thread.asks_next:
            opening.append(recording.user_entry(turn.id, GO_ON))
            thread.append(Message(Role.USER, [Text(GO_ON)]))
            said = UserMessage(id=new_id(), content=[UserInput(GO_ON)])
        await self._open(thread, opening)
        return self._go(thread, turn, said)

    async def interrupt_turn(self, params: TurnInterruptParams) -> None:
        running = self._turns.get(params.thread_id)
        if running is None or running[0].id != params.turn_id:
            raise UsageError(say("engine.no_such_turn", id=params.turn_id))
        await self._stop(running[1])

    async def call_tool(self, params: ToolCallParams) -> ToolCallResponse:
        """One call by the person: the same gate, tools and record as a model's call."""
        thread = self._idle(params.thread_id)
        turn_id, principal = new_id(), self._world.principal
        call = ToolUse(f"call_{new_id()}", params.tool, params.input)
        payload = {"id": call.id, "name": call.name, "input": call.input}
        intent: list[Record] = [
            TurnOpened(turn_id=turn_id, principal=principal),
            Entry(entry_type=EntryType.TOOL_USE, payload=payload, turn_id=turn_id, tool_use_id=call.id),
        ]
        await self._open(thread, [*await recover(self._world, thread, close=True), *intent])
        acting = Acting(thread, turn_id, principal, self._world)
        status = TurnStatus.INTERRUPTED
        try:
            await acting.carry_out([call], {})
            status = TurnStatus.COMPLETED
        finally:
            closed = TurnClosed(turn_id=turn_id, status=status)
            await self._world.transcript.commit(thread.id, [*acting.done[0].records, closed])
        outcome = acting.done[0].outcome
        thread.append(by_the_user(call, outcome.content))
        return ToolCallResponse(tool_use_id=call.id, content=outcome.content, is_error=outcome.is_error)

    async def close(self) -> None:
        for running in list(self._turns.values()):
            await self._stop(running[1])
        for thread in self._threads.values():
            await thread.toolbox.close()
            await thread.provider.close()
            thread.lease.release()
        self._threads.clear()

    async def _adopt(self, thread: LoadedThread) -> ThreadStartResponse:
        self._threads[thread.id] = thread
        response = self._response(thread)
        await self._world.faces.emit(thread.id, ThreadStarted(thread=response.thread))
        return response

    def _idle(self, thread_id: str) -> LoadedThread:
        thread = self._threads.get(thread_id)
        if thread is None:
            raise UsageError(say("engine.thread_not_loaded", id=thread_id))
        if thread_id in self._turns:
            raise UsageError(say("engine.thread_busy", id=thread_id))
        return thread

    @staticmethod
    def _require_model(thread: LoadedThread) -> None:
        if isinstance(thread.provider, AbsentProvider):
            raise UsageError(say("engine.without_model", id=thread.id))

    def _turn(self, thread: LoadedThread, turn_id: str | None = None) -> RunningTurn:
        return RunningTurn(thread, turn_id or new_id(), self._world, principal=self._world.principal)

    async def _open(self, thread: LoadedThread, records: list[Record]) -> None:
        await self._world.transcript.commit(thread.id, [*thread.unsaved, *records])
        thread.unsaved = []

    def _go(self, thread: LoadedThread, turn: RunningTurn, said: UserMessage | None) -> TurnStartResponse:
        task = asyncio.create_task(self._drive(thread.id, turn, said))
        self._turns[thread.id] = (turn, task)
        return TurnStartResponse(turn=turn.snapshot(TurnStatus.IN_PROGRESS))

    async def _drive(self, thread_id: str, turn: RunningTurn, said: UserMessage | None) -> Turn:
        try:
            return await turn.run(said)
        finally:
            self._turns.pop(thread_id, None)

    @staticmethod
    async def _stop(task: asyncio.Task[Turn]) -> None:
        task.cancel()
        await asyncio.wait([task])

    def _response(self, thread: LoadedThread) -> ThreadStartResponse:
        card = thread.provider.card
        status = ThreadStatus("active" if thread.id in self._turns else "idle")
        shown = Thread(
            id=thread.id,
            preview=thread.preview,
            model_provider=card.provider,
            model=card.wire_model,
            cwd=thread.workspace,
            created_at=thread.created_at,
            updated_at=int(time.time()),
            status=status,
        )
        return ThreadStartResponse(
            thread=shown,
            model=card.wire_model,
            model_provider=card.provider,
            cwd=thread.workspace,
            approval_policy=thread.posture,
            sandbox={"type": "dangerFullAccess"},
            instruction_sources=sorted(path for path in thread.instructed if path.endswith(".md")),
        )

    def _stored_thread(self, stored: StoredSession, turns: list[Turn]) -> Thread:
        loaded = stored.session_id in self._threads
        active = stored.session_id in self._turns
        return Thread(
            id=stored.session_id,
            preview=stored.preview,
            model_provider=stored.provider,
            model=stored.model_id,
            cwd=stored.project_dir,
            created_at=_epoch(stored.started_at),
            updated_at=_epoch(stored.last_active),
            status=ThreadStatus("active" if active else "idle" if loaded else "notLoaded"),
            turns=turns,
        )


def _stored_error(turn: StoredTurn) -> TurnError | None:
    if turn.error is None:
        return None
    return TurnError(message=turn.error["message"], kind=ErrorKind(turn.error["kind"]))


def _epoch(stamp: str) -> int:
    """Seconds since the epoch of SQLite's `datetime('now')`."""
    from calendar import timegm

    return timegm(time.strptime(stamp[:19], "%Y-%m-%d %H:%M:%S"))
