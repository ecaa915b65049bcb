"""What happens between a prompt and `turn/completed`? Ask, record the intent, act, record the outcome; again.

Two commits an iteration: what the model wants (before anything is done about it) and what came of it (before the
model is asked again). Killed anywhere, the record says truthfully what was intended and what is known.
"""

import asyncio
import os
import time
from typing import TYPE_CHECKING

from daedal.engine import recording
from daedal.engine.asking import AskingTurn, ReplyFailed
from daedal.engine.greeting import Said, tell_instructions, tell_stop
from daedal.engine.history import RESULT_TYPES, result_block
from daedal.engine.limits import check_limits, worst_usd
from daedal.engine.planning import submitted
from daedal.engine.reply import Reply
from daedal.engine.thread import LoadedThread
from daedal.engine.world import World
from daedal.protocol.catalogue import say
from daedal.protocol.content import Message, Role, Text
from daedal.protocol.errors import DaedalError, LedgerError, ProviderError, TurnCancelled, UsageError
from daedal.protocol.events import (
    Event,
    ItemCompleted,
    ItemStarted,
    ThreadStatusChanged,
    TurnCompleted,
    TurnStarted,
    TurnTroubled,
)
from daedal.protocol.hooks import HookEvent
from daedal.protocol.items import UserMessage
from daedal.protocol.model import StopReason
from daedal.protocol.records import Entry, Record, TurnStatus
from daedal.protocol.seams import InstructionFile
from daedal.protocol.threads import ThreadStatus
from daedal.protocol.turns import CODEX_ERRORS, ErrorKind, Turn, TurnError

if TYPE_CHECKING:
    from daedal.engine.acting import Acting

KEPT_GOING_MAX = 25
"""How often a Stop hook may send the model back in one turn; one that never lets go would cost without end."""
STEERED_MAX = 32
"""So much may be said to a turn before the model hears it."""
SENT_BACK = "A hook of the user wants you to go on: something is not done yet."


class RunningTurn(AskingTurn):
    def __init__(self, thread: LoadedThread, turn_id: str, world: World, *, principal: str) -> None:
        super().__init__(thread, turn_id, world)
        self._principal = principal
        self.said = ""
        """The last words of the model, once the turn has come to them."""
        self._started_at = time.time()
        self._stopping = False
        self._kept_going = 0
        """How often a Stop hook has sent the model back to work in this turn."""
        self._steered: list[Said] = []
        """What the person has said since the turn began, and the model has not heard yet."""
        self._is_closing = False

    async def run(self, said: UserMessage | None) -> Turn:
        """Works until the model is done, the turn fails, or its task is cancelled. Never raises what it can record.

        `said` is what the user said to begin it, for the faces; the record has it already.
        """
        status, error = TurnStatus.COMPLETED, None
        await self._emit(ThreadStatusChanged(thread_id=self._thread.id, status=ThreadStatus("active")))
        await self._emit(TurnStarted(thread_id=self._thread.id, turn=self.snapshot(TurnStatus.IN_PROGRESS)))
        try:
            if said is not None:
                await self._show(said)
            await self._work()
        except (asyncio.CancelledError, TurnCancelled):
            status = TurnStatus.INTERRUPTED
            error = await self._record_interruption()
        except Exception as trouble:  # the top of a task: whoever waits for the end of the turn must hear of it
            status, error = TurnStatus.FAILED, self._explain(trouble)
            await self._tell_failure(error)
            await self._record_failure(trouble, error)
        self._is_closing = True
        self._thread.hooks.take_stop()
        turn = self.snapshot(status, error)
        await self._emit(ThreadStatusChanged(thread_id=self._thread.id, status=ThreadStatus("idle")))
        await self._emit(TurnCompleted(thread_id=self._thread.id, turn=turn))
        return turn

    def steer(self, said: Said) -> bool:
        """The model hears it before it is asked the next time. False where it will not be asked any more.

        Raises UsageError where too much waits already.
        """
        if self._is_closing:
            return False
        if len(self._steered) >= STEERED_MAX:
            raise UsageError(say("engine.queue_full", count=STEERED_MAX, id=self._thread.id))
        self._steered.append(said)
        return True

    async def _hear_steering(self) -> None:
        steered, self._steered = self._steered, []
        for said in steered:
            entry = recording.user_entry(self.id, *said.texts(), shown=said.shown)
            await self._commit([*recording.picture_entries(self.id, said), entry])
            self._thread.append(said.message())
            await self._show(UserMessage(id=entry.payload["uuid"], content=said.content()))

    async def _show(self, item: UserMessage) -> None:
        at = {"thread_id": self._thread.id, "turn_id": self.id}
        now = int(time.time() * 1000)
        await self._emit(ItemStarted(**at, item=item, started_at_ms=now))
        await self._emit(ItemCompleted(**at, item=item, completed_at_ms=now))

    async def _work(self) -> None:
        empty_replies = 0
        while True:
            self._check_limits()
            await self._hear_steering()
            await self._catch_up()
            if self._thread.is_full(self._world.settings.compact_ratio):
                await self._fold("auto")
            reply = await self._ask()
            if reply.calls:
                empty_replies = 0
                await self._commit(self._intent(reply))
                self._thread.append(reply.message())
                await self._act(reply)
            elif reply.text.strip():
                if await self._is_kept_going(reply):
                    continue
                if not self._steered:
                    self._is_closing = True
                    return await self._conclude(reply)
                await self._commit([recording.assistant_entry(self.id, reply)])
                self._thread.append(reply.message())
            else:
                # Some models say nothing after a tool result; asked once more, they mostly do.
                empty_replies += 1
                if empty_replies > 1:
                    raise ReplyFailed(say("engine.empty_reply"), ErrorKind.EMPTY_REPLY)

    async def _catch_up(self) -> None:
        """Another model may have been chosen, or other walls: nothing is under way now that was begun with the old."""
        thread = self._thread
        if thread.successor is None and not thread.retired:
            return
        from daedal.engine.adjusting import catch_up

        async with thread.adjusting:
            await catch_up(self._world, thread)

    def _intent(self, reply: Reply) -> list[Record]:
        thread = self._thread
        drafts = submitted(reply.calls, thread.terms, thread.conversation_id)
        return [*recording.intent(self.id, reply), *drafts]

    async def _act(self, reply: Reply) -> None:
        from daedal.engine.acting import Acting

        acting = Acting(self._thread, self.id, self._principal, self._world)
        try:
            if self._stopping:
                acting.close_open(reply.calls)
                raise asyncio.CancelledError
            await acting.carry_out(reply.calls, reply.malformed)
        finally:
            # Also when interrupted: the outcome of what ran is known now and must not get lost.
            fresh = await self._record_outcome(acting)
        for file, trigger in fresh:
            await tell_instructions(self._thread, file.path, "nested_traversal", turn_id=self.id, trigger=trigger)
        if acting.stop is not None:
            raise ReplyFailed(say("engine.stopped_by_hook", why=acting.stop or say("engine.no_reason")), ErrorKind.HOOK)

    async def _record_outcome(self, acting: "Acting") -> list[tuple[InstructionFile, str]]:
        """Returns the instructions that go with it, each with the path that led to them."""
        records: list[Record] = [record for done in acting.done for record in done.records]
        touched = [path for done in acting.done for path in (*done.outcome.touched, done.outcome.cwd or "")]
        fresh = self._nested_instructions(list(filter(None, touched)))
        records += [recording.instruction_entry(self.id, file) for file, _ in fresh]
        await self._commit(records)
        blocks = [
            result_block(record.entry_type, record.payload, record.extra)
            for record in records
            if isinstance(record, Entry) and record.entry_type in RESULT_TYPES
        ]
        self._thread.append(Message(Role.USER, blocks))
        return fresh

    def _nested_instructions(self, touched: list[str]) -> list[tuple[InstructionFile, str]]:
        """Instructions of folders that this step touched for the first time."""
        seen = self._thread.instructed
        fresh: list[tuple[InstructionFile, str]] = []
        for path in touched:
            folder = path if os.path.isdir(path) else os.path.dirname(path)
            if folder in seen:
                continue
            seen.add(folder)
            for file in self._world.instructions.nested(self._thread.workspace, folder):
                if file.path not in seen:
                    seen.add(file.path)
                    fresh.append((InstructionFile(file.path, self._world.redact(file.text)), path))
        return fresh

    async def _is_kept_going(self, reply: Reply) -> bool:
        """Whether a Stop hook wants the model to go on. Then it has been told why, and is asked again."""
        if not _is_whole(reply) or self._kept_going >= KEPT_GOING_MAX:
            return False  # The turn fails and hooks hear of that instead, or they have had their say often enough.
        answer = await tell_stop(self._thread, self.id, is_again=self._kept_going > 0, said=reply.text)
        if self._thread.hooks.take_stop() is not None or not answer.is_blocked:
            return False
        self._kept_going += 1
        why = self._world.redact(answer.message) or SENT_BACK
        await self._commit([recording.assistant_entry(self.id, reply), recording.user_entry(self.id, why)])
        self._thread.append(reply.message())
        self._thread.append(Message(Role.USER, [Text(why)]))
        return True

    async def _conclude(self, reply: Reply) -> None:
        self.said = reply.text
        closing = self._closing(TurnStatus.COMPLETED) if _is_whole(reply) else []
        await self._commit([recording.assistant_entry(self.id, reply), *closing])
        self._thread.append(reply.message())
        if reply.stop is StopReason.MAX_TOKENS:
            raise ReplyFailed(say("engine.cut_off"), ErrorKind.OUTPUT_LIMIT)
        if reply.stop is StopReason.REFUSAL:
            raise ReplyFailed(say("engine.refused"), ErrorKind.REFUSAL)

    def _closing(self, status: TurnStatus, error: TurnError | None = None) -> list[Record]:
        return recording.closing(self.id, self._principal, status, error, steps=self.steps)

    def _check_limits(self) -> None:
        if self._stopping:
            raise asyncio.CancelledError
        before = 0
        if self._thread.goal is not None:
            from daedal.engine.goal_state import steps_before

            before = steps_before(self._thread)
        check_limits(
            self._thread.limits,
            steps=self.steps + before,
            steps_max=self._world.settings.max_steps,
            cost_usd=self._thread.charged_usd,
            worst_usd=worst_usd(self._thread.provider.card, self._thread.last) if self._thread.limits.reserves else 0.0,
        )

    async def _record_interruption(self) -> TurnError | None:
        """Closes the turn; a call that ran has its outcome already."""
        return await self._last_word(TurnStatus.INTERRUPTED, None, why="interrupted")

    async def _tell_failure(self, error: TurnError) -> None:
        said = self._listener.text if self._listener is not None else None
        try:
            await self._thread.hooks.fire(
                HookEvent.STOP_FAILURE,
                turn_id=self.id,
                error=recording.stop_failure(error.kind),
                error_details=error.message,
                last_assistant_message=said or None,
            )
        except asyncio.CancelledError:
            return  # There is nothing left to interrupt but the hook.

    async def _record_failure(self, trouble: Exception, error: TurnError) -> None:
        await self._emit(TurnTroubled(thread_id=self._thread.id, turn_id=self.id, will_retry=False, error=error))
        if isinstance(trouble, LedgerError):
            return  # An outcome may be missing now. The turn stays open, and is settled when it is resumed.
        await self._last_word(TurnStatus.FAILED, error, why=error.message)

    async def _last_word(self, status: TurnStatus, error: TurnError | None, *, why: str) -> TurnError | None:
        """Closes the turn with what the model had said so far. Says what is wrong where the ledger takes no more."""
        records: list[Record] = []
        listener = self._listener
        if listener is not None:
            await listener.close()
            self._pending.append(recording.model_gave_up(self.id, self._thread.provider.card, listener, why))
            if listener.text.strip():
                records.append(recording.interrupted_entry(self.id, listener.text))
        try:
            await self._commit([*records, *self._closing(status, error)])
        except LedgerError as trouble:
            return self._explain(trouble)
        if listener is not None and records:
            self._thread.append(Message(Role.ASSISTANT, [Text(listener.text)]))
        return None

    def _explain(self, trouble: Exception) -> TurnError:
        if not isinstance(trouble, DaedalError):
            message = say("engine.bug", kind=type(trouble).__name__, message=trouble)
            return TurnError(message=self._world.redact(message), kind=ErrorKind.INTERNAL)
        status = trouble.status if isinstance(trouble, ProviderError) else None
        details = f"HTTP {status}" if status else None
        return TurnError(
            message=self._world.redact(str(trouble)),
            kind=trouble.kind,
            additional_details=details,
            codex_error_info=CODEX_ERRORS.get(trouble.kind, "other"),
            resets_at=trouble.resets_at if isinstance(trouble, ProviderError) else None,
        )

    async def _commit(self, records: list[Record]) -> None:
        """Commits to the end even when the turn is interrupted meanwhile; the interruption then waits its turn.

        Otherwise memory and record could disagree about what was committed. Usage waits in `_pending` for the next
        commit, so that an iteration has two and not three.
        """
        pending, self._pending = [*self._pending, *self._thread.hooks.take_rows()], []
        noted = self._thread.take_noted()
        commit = asyncio.ensure_future(self._world.transcript.commit(self._thread.id, [*pending, *records, *noted]))
        while not commit.done():
            try:
                await asyncio.shield(commit)
            except asyncio.CancelledError:
                if commit.cancelled():
                    raise
                self._stopping = True
        commit.result()

    def snapshot(self, status: TurnStatus, error: TurnError | None = None) -> Turn:
        over = status is not TurnStatus.IN_PROGRESS
        now = time.time()
        return Turn(
            id=self.id,
            status=status,
            error=error,
            started_at=int(self._started_at),
            completed_at=int(now) if over else None,
            duration_ms=int((now - self._started_at) * 1000) if over else None,
        )

    async def _emit(self, event: Event) -> None:
        await self._world.faces.emit(self._thread.id, event)


def _is_whole(reply: Reply) -> bool:
    return reply.stop not in (StopReason.MAX_TOKENS, StopReason.REFUSAL)
