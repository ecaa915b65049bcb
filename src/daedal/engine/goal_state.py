"""How is a thread's goal found on the record again, and what does it add to the limits of a turn?"""

import msgspec
from msgspec.structs import replace

from daedal.engine.clock import epoch
from daedal.engine.kept_goal import KeptGoal, key_of, with_spent
from daedal.engine.limits import LimitReached
from daedal.engine.showing import last_words
from daedal.engine.thread import LoadedThread
from daedal.protocol.catalogue import say
from daedal.protocol.errors import LedgerError
from daedal.protocol.goal_calls import DueTurn
from daedal.protocol.records import EntryType, StoredEntry, StoredTurn, TurnStatus
from daedal.protocol.seams import Transcript
from daedal.protocol.turns import ErrorKind, TurnError


async def find_goal(thread: LoadedThread, transcript: Transcript, entries: list[StoredEntry]) -> None:
    """For a thread that was just read from the record: its goal, and what the goal has used up."""
    text = transcript.kept(thread.conversation_id, key_of(thread.id))
    if text is None:
        return
    try:
        kept = msgspec.json.decode(text, type=KeptGoal)
    except msgspec.MsgspecError as error:
        raise LedgerError(say("engine.goal_damaged", id=thread.id, error=error)) from error
    if kept.goal.is_over:
        thread.goal = kept
        return
    spent = transcript.spent_since(thread.id, kept.first_call)
    thread.goal = with_spent(replace(kept, due=_due(await transcript.turns(thread.id), entries)), spent)
    thread.spent_before_usd = spent.cost_usd or 0.0
    own, then = thread.limits, kept.limits
    thread.limits = replace(
        own,
        max_turns=then.max_turns if own.max_turns is None else own.max_turns,
        max_budget_usd=then.max_budget_usd if own.max_budget_usd is None else own.max_budget_usd,
    )


def _due(turns: list[StoredTurn], entries: list[StoredEntry]) -> DueTurn | None:
    """The newest turn in which the model was asked something. (A call by hand is a turn too.)"""
    asked = {entry.turn_id for entry in entries if entry.entry_type is EntryType.USER}
    turn = next((turn for turn in reversed(turns) if turn.turn_id in asked), None)
    if turn is None:
        return None
    own = [entry for entry in entries if entry.turn_id == turn.turn_id]
    return DueTurn(
        turn_id=turn.turn_id,
        status=turn.status,
        said=last_words(own) if turn.status is TurnStatus.COMPLETED else "",
        error=msgspec.convert(turn.error, TurnError) if turn.error else None,
        duration_s=epoch(turn.completed_at) - epoch(turn.started_at) if turn.completed_at else 0,
    )


def steps_before(thread: LoadedThread) -> int:
    """Model calls that count against the limit of steps beside those of the turn that runs.

    Called before each model call. Raises LimitReached where the goal's tokens are used up.
    """
    kept = thread.goal
    if kept is None or not kept.goal.is_active:
        return 0
    budget, used = kept.goal.token_budget, kept.goal.tokens_used + thread.usage.total_tokens - kept.tokens_seen
    if budget is not None and used >= budget:
        raise LimitReached(say("engine.goal_tokens", budget=budget, used=used), ErrorKind.BUDGET)
    return kept.goal.steps
