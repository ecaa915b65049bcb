"""How is a thread folded? Hooks are heard, the work is summed up, the result is checked, and only then does it count.

Until the one commit that makes a fold true the thread goes on as it was: a summary that does not come, a fact that got
lost, an interruption and a crash all leave everything in its place. What did not work is not tried again at once.
"""

import time
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Any

from msgspec import convert

from daedal.engine.fold_check import missing
from daedal.engine.fold_draft import Draft, drafted, take_up
from daedal.engine.fold_marks import Fact
from daedal.engine.fold_plan import TAIL_SHARE, TAIL_SHARE_TIGHT, Keeping, Plan, plan
from daedal.engine.fold_state import FoldState
from daedal.engine.fold_summary import Summariser, SummaryFailed
from daedal.engine.greeting import tell_folded
from daedal.engine.history import pieces
from daedal.engine.thread import LoadedThread
from daedal.engine.world import World
from daedal.protocol.catalogue import say
from daedal.protocol.errors import DaedalError
from daedal.protocol.events import ItemCompleted, ItemStarted, Warned
from daedal.protocol.hooks import HookEvent
from daedal.protocol.ids import new_id
from daedal.protocol.items import ContextCompaction
from daedal.protocol.records import Entry, EntryType, Happened, Record, StoredEntry
from daedal.protocol.seams import Sendable
from daedal.protocol.turns import ErrorKind

REST_CALLS = 4
"""So many model calls pass after a fold that failed; twice as many after each further one."""
REST_CALLS_MAX = 64
NO_SUMMARY = (
    "No summary could be had from the model. What was done is in the record only: look it up with the `history` tool."
)


class Trigger(StrEnum):
    AUTO = "auto"
    MANUAL = "manual"
    OVERFLOW = "overflow"
    """The model refused what it was given. Hooks hear of it as `auto`."""


_TAIL_SHARES = {Trigger.AUTO: TAIL_SHARE, Trigger.OVERFLOW: TAIL_SHARE_TIGHT, Trigger.MANUAL: 0.0}
"""A person who folds a thread wants it short."""


class FoldFailed(DaedalError):
    """The thread is as it was."""

    def __init__(self, message: str, kind: ErrorKind) -> None:
        super().__init__(message)
        self.kind = kind


class Folding:
    """Folds one thread in one turn. `commit` puts rows on the record; `paying` holds the budget during a call."""

    def __init__(
        self,
        thread: LoadedThread,
        world: World,
        turn_id: str,
        commit: Callable[[list[Record]], Awaitable[None]],
        check_limits: Callable[[], None],
    ) -> None:
        self._thread = thread
        self._world = world
        self._turn_id = turn_id
        self._commit = commit
        self._check_limits = check_limits

    async def try_fold(self, trigger: Trigger) -> bool:
        """By itself, in a turn. Whatever goes wrong: the turn goes on, and it is some time before the next try."""
        try:
            is_folded = await self.fold(trigger, focus="")
        except FoldFailed as failed:
            await self._rest(str(failed))
            return False
        self._thread.fold_failures = 0
        if not is_folded:
            self._thread.fold_rest = REST_CALLS
        return is_folded

    async def fold(self, trigger: Trigger, *, focus: str, closing: list[Record] | None = None) -> bool:
        """False where there is nothing to fold, or too little. Raises FoldFailed. `closing` is committed with it."""
        if not isinstance(self._thread.dialogue, Sendable):
            raise FoldFailed(say("engine.fold_not_ours"), ErrorKind.INVALID_REQUEST)
        planned, state = await self._planned(trigger)
        if planned is None or (trigger is Trigger.AUTO and not planned.is_worth_it):
            return False
        await self._may_it(trigger, focus)
        item = ContextCompaction(id=new_id())
        at = {"thread_id": self._thread.id, "turn_id": self._turn_id}
        await self._emit(ItemStarted(**at, item=item, started_at_ms=int(time.time() * 1000)))
        summariser = Summariser(self._thread, self._turn_id, self._world.redact)
        try:
            summary = await self._summary(summariser, planned, trigger, focus)
            payload = {"uuid": item.id, "summary": summary, "trigger": str(trigger), "focus": focus or None}
            made = self._checked(planned, state, payload)
            entry = Entry(entry_type=EntryType.COLLAPSE_COMMIT, payload=made.payload, turn_id=self._turn_id)
            await self._commit([*summariser.take(), entry, *(closing or [])])
        finally:
            if unsaved := summariser.take():  # They were paid for, whatever came of them.
                await self._commit([*unsaved])
            await self._emit(ItemCompleted(**at, item=item, completed_at_ms=int(time.time() * 1000)))
        take_up(self._thread, made)
        folded = [row for row in state.entries if row.sequence < planned.tail_from]
        await self._tell(trigger, made.payload, folded)
        return True

    async def _planned(self, trigger: Trigger) -> tuple[Plan | None, FoldState]:
        thread, before = self._thread, self._thread.fold
        through = before.through if before else -1
        rows = await self._world.transcript.entries(thread.id, after=through)
        if before is not None:
            # The fold that left this is among the rows, and counted in already.
            fresh = [row for row in rows if row.entry_type is not EntryType.COLLAPSE_COMMIT]
            whole, entries, known = pieces(fresh, before.pieces), [*before.entries, *fresh], before.facts
        else:
            rows = _since_all_was_folded(rows)
            whole, entries, known = pieces(rows), rows, _pinned_before(rows)
        state = FoldState(through=rows[-1].sequence if rows else through, pieces=whole, entries=entries, facts=known)
        if not entries:
            return None, state
        window = thread.provider.card.context_window
        refused = thread.dialogue.size if trigger is Trigger.OVERFLOW else 0
        planned = plan(whole, entries, known, window=window, kept=Keeping(_TAIL_SHARES[trigger], refused))
        return planned if planned.folded_bytes else None, state

    async def _may_it(self, trigger: Trigger, focus: str) -> None:
        heard_as = Trigger.MANUAL if trigger is Trigger.MANUAL else Trigger.AUTO
        answer = await self._thread.hooks.fire(
            HookEvent.PRE_COMPACT, turn_id=self._turn_id, trigger=str(heard_as), custom_instructions=focus or None
        )
        stop = self._thread.hooks.take_stop()
        if answer.is_blocked or stop is not None:
            why = stop or answer.message or say("engine.no_reason")
            raise FoldFailed(say("engine.fold_blocked", why=why), ErrorKind.HOOK)

    async def _summary(self, summariser: Summariser, planned: Plan, trigger: Trigger, focus: str) -> str:
        thread, card = self._thread, self._thread.provider.card
        try:
            async with thread.purse.call(card, thread.limits.max_budget_usd, lambda: thread.charged_usd or 0.0):
                self._check_limits()
                return await summariser.sum_up(
                    planned.material,
                    focus=focus,
                    bytes_max=planned.summary_bytes_max,
                    window_bytes=planned.window_bytes,
                )
        except SummaryFailed as failed:
            if trigger is not Trigger.OVERFLOW:
                raise FoldFailed(str(failed), failed.kind) from failed
            # The turn cannot go on with what there is. It can without a summary: what is pinned stays.
            return NO_SUMMARY

    def _checked(self, planned: Plan, state: FoldState, payload: dict[str, Any]) -> Draft:
        """The fold counts only if nothing that is pinned would be missing from what is sent next."""
        made = drafted(self._thread, planned, state, payload, ratio=self._world.settings.compact_ratio)
        lost = missing(planned.facts, made.dialogue.request())
        if lost:
            raise FoldFailed(say("engine.fold_lost", facts=len(lost), kind=lost[0].kind), ErrorKind.INTERNAL)
        return made

    async def _tell(self, trigger: Trigger, payload: dict[str, Any], folded: list[StoredEntry]) -> None:
        if payload["digests_left_out"]:
            await self._warn(say("engine.fold_digests_left_out", count=payload["digests_left_out"]))
        if payload["summary"] == NO_SUMMARY:
            await self._warn(say("engine.fold_without_summary"))
        heard_as = Trigger.MANUAL if trigger is Trigger.MANUAL else Trigger.AUTO
        await self._thread.hooks.fire(
            HookEvent.POST_COMPACT, turn_id=self._turn_id, trigger=str(heard_as), compact_summary=payload["summary"]
        )
        attached = [row.payload["attachment"] for row in folded if row.entry_type is EntryType.ATTACHMENT]
        await tell_folded(self._thread, self._turn_id, [each["path"] for each in attached if "path" in each])

    async def _rest(self, why: str) -> None:
        thread = self._thread
        thread.fold_rest = min(REST_CALLS << min(thread.fold_failures, 8), REST_CALLS_MAX)
        thread.fold_failures += 1
        detail = {"turn_id": self._turn_id, "why": why, "rest_calls": thread.fold_rest}
        await self._commit([Happened(event_type="FoldFailed", detail=detail)])
        await self._warn(say("engine.fold_failed", why=why))

    async def _warn(self, message: str) -> None:
        await self._emit(Warned(message=message, thread_id=self._thread.id))

    async def _emit(self, event: ItemStarted | ItemCompleted | Warned) -> None:
        await self._world.faces.emit(self._thread.id, event)


def _since_all_was_folded(rows: list[StoredEntry]) -> list[StoredEntry]:
    """An earlier version folded user turns as well: they cannot be expected any more."""
    old = [
        at
        for at, row in enumerate(rows)
        if row.entry_type is EntryType.COLLAPSE_COMMIT and "tail_from" not in row.payload
    ]
    return rows[old[-1] :] if old else rows


def _pinned_before(rows: list[StoredEntry]) -> list[Fact]:
    """What the folds in a record have pinned. (User turns are rows of their own.)"""
    return [
        convert(fact, Fact)
        for row in rows
        if row.entry_type is EntryType.COLLAPSE_COMMIT
        for fact in row.payload.get("pinned", [])
    ]
