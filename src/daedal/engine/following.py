"""How is a thread watched that another process drives? What that process commits is told here soon after.

The record is asked only while somebody listens, and read only when it has changed. When the other process lets go,
however it ended, the listeners are told, and whoever wants to may take over.
"""

import asyncio
import time

from msgspec import convert

from daedal.engine.showing import stored_items
from daedal.engine.views import stored_turns, stored_view, turn_of
from daedal.engine.world import World
from daedal.protocol.errors import LedgerError
from daedal.protocol.events import (
    Event,
    FollowEnded,
    ItemCompleted,
    ItemStarted,
    PlanUpdated,
    ThreadRewound,
    ThreadStatusChanged,
    TurnCompleted,
    TurnStarted,
    Warned,
)
from daedal.protocol.items import CommandExecution, FileChange, Item, ItemStatus, PlanStep, ToolCall
from daedal.protocol.records import StoredEntry, StoredSession, StoredTurn, TurnStatus
from daedal.protocol.rewinding import rewinds
from daedal.protocol.threads import Holder, ThreadStartResponse, ThreadStatus
from daedal.protocol.verdict import Posture

PAUSE_S = 0.25
UNHEARD_PAUSES_MAX = 8
"""So long nobody may listen: whoever asked is still on the way to it."""


class Following:
    """The threads that are watched here and driven elsewhere."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def begin(self, stored: StoredSession, holder: Holder, *, with_turns: bool = True) -> ThreadStartResponse:
        """The thread as it is on the record; what is added to it is told from there on."""
        watched = Watched(self._world, stored.session_id)
        turns = await watched.look()
        self.end(stored.session_id)
        self._tasks[stored.session_id] = asyncio.create_task(self._run(watched))
        status = ThreadStatus("active" if watched.is_active else "idle")
        return ThreadStartResponse(
            thread=stored_view(stored, status, stored_turns(turns, watched.entries) if with_turns else []),
            model=stored.model_id,
            model_provider=stored.provider,
            cwd=stored.project_dir,
            approval_policy="untrusted",
            posture=Posture.ASK,
            sandbox={"type": "workspaceWrite"},
            following=holder,
        )

    def end(self, thread_id: str) -> None:
        task = self._tasks.pop(thread_id, None)
        if task is not None:
            task.cancel()

    async def close(self) -> None:
        tasks = list(self._tasks.values())
        for thread_id in list(self._tasks):
            self.end(thread_id)
        if tasks:
            await asyncio.wait(tasks)

    async def _run(self, watched: "Watched") -> None:
        try:
            await self._follow(watched)
        except LedgerError as trouble:
            await self._world.faces.emit(watched.id, Warned(message=str(trouble), thread_id=watched.id))
            await self._over(watched.id)
        finally:
            if self._tasks.get(watched.id) is asyncio.current_task():
                del self._tasks[watched.id]

    async def _follow(self, watched: "Watched") -> None:
        """Until the other process lets go, or nobody listens any more."""
        transcript, thread_id = self._world.transcript, watched.id
        version, unheard = -1, 0
        while unheard < UNHEARD_PAUSES_MAX:
            await asyncio.sleep(PAUSE_S)
            unheard = 0 if self._world.faces.wants(thread_id, ItemCompleted) else unheard + 1
            is_held = transcript.holder(thread_id) is not None  # Before the last look: what it wrote last is seen too.
            now = transcript.version()
            if now != version:
                version = now
                await watched.tell()
            if not is_held:
                await watched.tell()
                await self._over(thread_id)
                return

    async def _over(self, thread_id: str) -> None:
        status = ThreadStatusChanged(thread_id=thread_id, status=ThreadStatus("notLoaded"))
        await self._world.faces.emit(thread_id, status)
        await self._world.faces.emit(thread_id, FollowEnded(thread_id=thread_id))


class Watched:
    """What was told of one thread so far."""

    def __init__(self, world: World, thread_id: str) -> None:
        self._world = world
        self.id = thread_id
        self.entries: list[StoredEntry] = []
        """Those of turns that are not over, once the first look is done."""
        self._turns: dict[str, TurnStatus] = {}
        self._told: dict[str, bool] = {}
        """Items of turns that are not over: whether they are complete."""
        self._sequence = -1

    @property
    def is_active(self) -> bool:
        return TurnStatus.IN_PROGRESS in self._turns.values()

    async def look(self) -> list[StoredTurn]:
        """What there is now, of which nothing need be told."""
        turns = await self._world.transcript.turns(self.id)
        rows = await self._world.transcript.entries(self.id, with_rewound=True)
        self._sequence = rows[-1].sequence if rows else -1
        self._turns = {turn.turn_id: turn.status for turn in turns}
        self.entries = [entry for entry in rows if entry.turn_id in self._turns]
        for item in stored_items(self._open_entries()):
            self._told[item.id] = _is_complete(item)
        return turns

    def _open_entries(self, turn_id: str | None = None) -> list[StoredEntry]:
        return [
            entry
            for entry in self.entries
            if self._turns.get(entry.turn_id) is TurnStatus.IN_PROGRESS and turn_id in (None, entry.turn_id)
        ]

    async def tell(self) -> None:
        """What came since the last time, as it would have been told by whoever drives the thread."""
        # Turns last: one that is closed by then has all its entries among those that were read.
        rows = await self._world.transcript.entries(self.id, after=self._sequence, with_rewound=True)
        turns = [turn for turn in await self._world.transcript.turns(self.id) if self._is_news(turn)]
        if rows:
            self._sequence = rows[-1].sequence
        self.entries = [*self._open_entries(), *rows]
        for turn in turns:
            if turn.turn_id not in self._turns:
                await self._emit(ThreadStatusChanged(thread_id=self.id, status=ThreadStatus("active")))
                began = turn_of(turn, TurnStatus.IN_PROGRESS)
                await self._emit(TurnStarted(thread_id=self.id, turn=began))
                self._turns[turn.turn_id] = TurnStatus.IN_PROGRESS
        for turn_id in [turn_id for turn_id, status in self._turns.items() if status is TurnStatus.IN_PROGRESS]:
            await self._tell_items(turn_id)
        for turn in turns:
            if turn.status is not TurnStatus.IN_PROGRESS:
                self._turns[turn.turn_id] = turn.status
                await self._emit(ThreadStatusChanged(thread_id=self.id, status=ThreadStatus("idle")))
                await self._emit(TurnCompleted(thread_id=self.id, turn=turn_of(turn, turn.status)))
        for row in rewinds(rows):
            await self._emit(_rewound(self.id, row))

    def _is_news(self, turn: StoredTurn) -> bool:
        return self._turns.get(turn.turn_id) is not turn.status

    async def _tell_items(self, turn_id: str) -> None:
        entries = self._open_entries(turn_id)
        now = int(time.time() * 1000)
        for item in stored_items(entries):
            known, is_complete = self._told.get(item.id), _is_complete(item)
            self._told[item.id] = is_complete
            if known is None:
                await self._emit(ItemStarted(thread_id=self.id, turn_id=turn_id, item=item, started_at_ms=now))
            if is_complete and known is not True:
                await self._emit(ItemCompleted(thread_id=self.id, turn_id=turn_id, item=item, completed_at_ms=now))
                await self._tell_plan(item, entries, turn_id)

    async def _tell_plan(self, item: Item, entries: list[StoredEntry], turn_id: str) -> None:
        if not isinstance(item, ToolCall) or item.tool != "TodoWrite":
            return
        [todos] = [entry.extra.get("todos") for entry in entries if entry.payload.get("tool_use_id") == item.id]
        if todos is not None:
            plan = convert(todos, list[PlanStep])
            await self._emit(PlanUpdated(thread_id=self.id, turn_id=turn_id, plan=plan))

    async def _emit(self, event: Event) -> None:
        await self._world.faces.emit(self.id, event)


def _rewound(thread_id: str, row: StoredEntry) -> ThreadRewound:
    told = row.payload
    return ThreadRewound(
        thread_id=thread_id,
        turn_id=row.turn_id,
        before_turn_id=told["before"],
        turns=told["turns"],
        conversation=bool(told["turns"]),
        files=bool(told["files"]),
    )


def _is_complete(item: Item) -> bool:
    if isinstance(item, CommandExecution | FileChange | ToolCall):
        return item.status is not ItemStatus.IN_PROGRESS
    return True
