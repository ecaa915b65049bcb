"""When is a turn stopped although the model would go on? At the step limit and at the budget."""

from daedal.protocol.catalogue import say
from daedal.protocol.errors import DaedalError
from daedal.protocol.threads import ThreadLimits
from daedal.protocol.turns import ErrorKind


class LimitReached(DaedalError):
    def __init__(self, message: str, kind: ErrorKind) -> None:
        super().__init__(message)
        self.kind = kind


def check_limits(limits: ThreadLimits, *, steps: int, steps_max: int, cost_usd: float | None) -> None:
    """Called before each model call. Raises LimitReached when there may be no other."""
    allowed = steps_max if limits.max_turns is None else limits.max_turns
    if allowed and steps >= allowed:
        raise LimitReached(say("engine.step_limit", steps=allowed), ErrorKind.STEP_LIMIT)
    budget = limits.max_budget_usd
    if budget is not None and (cost_usd or 0.0) >= budget:
        raise LimitReached(say("engine.budget", budget=f"{budget:g}", cost=f"{cost_usd or 0:.4f}"), ErrorKind.BUDGET)
