"""How does a thread go back to an earlier turn? Its context, its files or both, as one more turn of its record.

Nothing is deleted: an entry says which turns the context goes on without. What a file holds now is kept before it is
replaced, and that is on the record before anything is touched. So a rewind can be undone like any other turn, and one
that was cut off has changed nothing that could not be brought back.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from daedal.engine.acting import standing_folder
from daedal.engine.deeds import encodable
from daedal.engine.rewind_plan import Files, Step, effects_since, files_at, imprint, points, words_of
from daedal.engine.thread import LoadedThread, offered
from daedal.engine.world import World
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.events import ThreadRewound
from daedal.protocol.ids import new_id
from daedal.protocol.model import Brief, Usage
from daedal.protocol.records import (
    Entry,
    EntryType,
    ReceiptIssued,
    Record,
    StoredEntry,
    TurnClosed,
    TurnOpened,
    TurnStatus,
)
from daedal.protocol.rewinding import (
    REWIND,
    FamilyRecord,
    KeptFile,
    RestoredFile,
    RewindParams,
    RewindPoint,
    RewindResponse,
    Unrestorable,
)
from daedal.protocol.seams import Restorer, Sendable
from daedal.protocol.threads import Thread

NOTED_MAX = 20
Replay = Callable[[LoadedThread, list[StoredEntry]], None]


async def points_of(world: World, session_id: str) -> list[RewindPoint]:
    transcript = world.transcript
    turns = await transcript.turns(session_id, with_rewound=True)
    entries = await transcript.entries(session_id, with_rewound=True)
    return points(turns, entries, await transcript.family(session_id))


class Rewind:
    """One rewind of a thread that is loaded and does nothing else."""

    def __init__(self, world: World, thread: LoadedThread, params: RewindParams, replay: Replay) -> None:
        """Raises UsageError. `replay` tells a thread with an empty dialogue what is on the record."""
        if not params.conversation and not params.files:
            raise UsageError(say("engine.rewind_nothing"))
        if params.conversation and thread.provider.card.provider and not isinstance(thread.dialogue, Sendable):
            raise UsageError(say("engine.rewind_not_ours", provider=thread.provider.card.provider))
        self.id = new_id()
        self._world = world
        self._thread = thread
        self._params = params
        self._replay = replay

    async def run(self, thread_view: Thread) -> RewindResponse:
        """Raises UsageError where there is no such turn."""
        transcript, params = self._world.transcript, self._params
        record = await transcript.family(self._thread.id)
        start = record.begins.get(params.before_turn_id)
        if start is None:
            raise UsageError(say("engine.no_such_turn_here", id=self._thread.id, turn=params.before_turn_id))
        entries = await transcript.entries(self._thread.id, with_rewound=True)
        restorer = self._world.make_restorer(self._thread.terms)
        files = await self._files(record, start, restorer)
        out = [turn_id for turn_id, number in record.begins.items() if number >= start] if params.conversation else []
        if not params.dry_run:
            files = await self._carry_out(files, restorer, out)
        return RewindResponse(
            thread=thread_view,
            turn_id="" if params.dry_run else self.id,
            turns=out,
            text=words_of(entries, params.before_turn_id),
            restored=[RestoredFile(path=encodable(step.image.path), action=step.action) for step in files.steps],
            kept=files.kept,
            effects=effects_since(record, start),
        )

    async def _files(self, record: FamilyRecord, start: int, restorer: Restorer) -> Files:
        if not self._params.files:
            return Files()
        turns = await self._world.transcript.turns(self._thread.id, with_rewound=True)
        statuses = {turn.turn_id: turn.status for turn in turns}
        return await files_at(record, start, statuses, restorer, self._world.pre_images, force=self._params.force)

    async def _carry_out(self, files: Files, restorer: Restorer, out: list[str]) -> Files:
        changing = [step for step in files.steps if not step.is_unchanged]
        await self._commit(await self._intent(changing))
        status = TurnStatus.INTERRUPTED
        try:
            failed = await self._put(changing, restorer)
            done = [step for step in files.steps if step.image.path not in failed]
            files = Files(steps=done, kept=[*files.kept, *failed.values()])
            status = TurnStatus.COMPLETED
        finally:
            outcome = self._outcome(files, out) if status is TurnStatus.COMPLETED else []
            await self._commit([*outcome, TurnClosed(turn_id=self.id, status=status)])
        if self._params.conversation:
            await self._start_over()
        self._note(files)
        await self._tell(out)
        return files

    async def _intent(self, changing: list[Step]) -> list[Record]:
        """With what each file holds now: kept before the commit, and that before anything is touched."""
        call_id = f"rewind_{self.id}"
        payload = {"subtype": f"{REWIND}_begun", "before": self._params.before_turn_id}
        records: list[Record] = [
            *self._thread.unsaved,
            TurnOpened(turn_id=self.id, principal=self._world.principal),
            Entry(entry_type=EntryType.SYSTEM, payload=payload, turn_id=self.id),
        ]
        for step in changing:
            blob = await self._world.pre_images.put(self._thread.id, call_id, step.now)
            snapshot: dict[str, Any] = {
                "path": encodable(step.now.path),
                "blob": blob,
                "existed": step.now.content is not None,
                "after": imprint(step.image),
            }
            if step.now.content is None:
                snapshot["under"] = encodable(standing_folder(step.now.path))
            records.append(
                Entry(
                    entry_type=EntryType.FILE_HISTORY_SNAPSHOT,
                    payload=snapshot,
                    turn_id=self.id,
                    tool_use_id=call_id,
                )
            )
        return records

    async def _put(self, changing: list[Step], restorer: Restorer) -> dict[str, KeptFile]:
        """What could not be put back, by path. What goes goes first: a folder may have taken a file's place."""
        failed: dict[str, KeptFile] = {}
        removed = sorted((step for step in changing if step.image.content is None), key=_depth, reverse=True)
        for step in [*removed, *sorted((step for step in changing if step.image.content is not None), key=_depth)]:
            path = step.image.path
            try:
                if imprint(restorer.look(path)) != imprint(step.now):
                    raise Unrestorable("changedSince", say("engine.rewind_changed"))
                await asyncio.to_thread(restorer.put, step.image, under=step.under)
            except Unrestorable as refused:
                failed[path] = KeptFile(path=encodable(path), why=refused.why, detail=refused.detail)
        return failed

    def _outcome(self, files: Files, out: list[str]) -> list[Record]:
        told: dict[str, Any] = {
            "before": self._params.before_turn_id,
            "turns": out,
            "files": [encodable(step.image.path) for step in files.steps if not step.is_unchanged],
            "kept": [kept.path for kept in files.kept],
        }
        return [
            Entry(entry_type=EntryType.SYSTEM, payload={"subtype": REWIND, **told}, turn_id=self.id),
            ReceiptIssued(kind="rewind", turn_id=self.id, principal=self._world.principal, body=told),
        ]

    async def _start_over(self) -> None:
        """A fresh dialogue with what the record says from now on."""
        thread = self._thread
        brief = Brief(system=thread.system, tools=offered(thread.toolbox, thread.loaded), place=thread.terms.place)
        thread.dialogue = thread.provider.open(brief)
        thread.fold, thread.asks_next, thread.last, thread.asked_size = None, False, Usage(), 0
        thread.cwd = thread.hooks.cwd = thread.workspace
        thread.instructed = {thread.workspace}
        self._replay(thread, await self._world.transcript.entries(thread.id))
        thread.hooks.cwd = thread.cwd

    def _note(self, files: Files) -> None:
        """What the model is told with the next prompt: files are not what it left them as."""
        paths = [step.image.path for step in files.steps if not step.is_unchanged]
        if self._params.conversation or not paths:
            return
        named = ", ".join(encodable(path) for path in paths[:NOTED_MAX])
        more = f" and {len(paths) - NOTED_MAX} more" if len(paths) > NOTED_MAX else ""
        self._thread.context.append(f"The user has put these files back to an earlier state: {named}{more}.")

    async def _tell(self, out: list[str]) -> None:
        params = self._params
        event = ThreadRewound(
            thread_id=self._thread.id,
            turn_id=self.id,
            before_turn_id=params.before_turn_id,
            turns=out,
            conversation=params.conversation,
            files=params.files,
        )
        await self._world.faces.emit(self._thread.id, event)

    async def _commit(self, records: list[Record]) -> None:
        await self._world.transcript.commit(self._thread.id, [*self._thread.hooks.take_rows(), *records])
        self._thread.unsaved = []


def _depth(step: Step) -> int:
    return step.image.path.count("/")
