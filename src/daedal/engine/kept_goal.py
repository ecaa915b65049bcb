"""What is kept of a thread's goal? The goal as everybody sees it, and what only the engine needs of it."""

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from daedal.protocol.goal_calls import DueTurn
from daedal.protocol.goals import ThreadGoal
from daedal.protocol.records import Spent, StateKept
from daedal.protocol.threads import ThreadLimits


class KeptGoal(Struct, frozen=True, kw_only=True):
    """A goal with what only the engine needs of it."""

    goal: ThreadGoal
    limits: ThreadLimits = ThreadLimits()
    """They hold after a restart too."""
    first_call: int = 0
    """The newest model call when it was set: what came later counts."""
    judged_turn: str | None = None
    """The newest turn that the driver has said something about."""
    checked_turn: str | None = None
    """The turn after which the newest check ran."""
    tokens_seen: int = 0
    """What the thread had used in this process when `goal.tokens_used` was counted."""
    due: DueTurn | None = None
    """The newest turn that is over. In memory; after a restart it is found in the transcript."""


def key_of(thread_id: str) -> str:
    return f"goal:{thread_id}"


def to_keep(kept: KeptGoal) -> StateKept:
    stored = replace(kept, due=None, tokens_seen=0)
    return StateKept(key=key_of(kept.goal.thread_id), value=msgspec.json.encode(stored).decode())


def with_spent(kept: KeptGoal, spent: Spent, *, tokens_seen: int = 0) -> KeptGoal:
    goal = replace(kept.goal, steps=spent.steps, tokens_used=spent.tokens, cost_usd=spent.cost_usd)
    return replace(kept, goal=goal, tokens_seen=tokens_seen)
