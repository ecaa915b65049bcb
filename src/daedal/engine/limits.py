"""When is a turn stopped although the model would go on? At the step limit and at the budget."""

from daedal.protocol.catalogue import say
from daedal.protocol.errors import DaedalError
from daedal.protocol.model import ModelCard, Usage
from daedal.protocol.threads import ThreadLimits
from daedal.protocol.turns import ErrorKind

NEWS_TOKENS = 20_000
"""More than the results of one step come to, and more than a first prompt with its tools."""


class LimitReached(DaedalError):
    def __init__(self, message: str, kind: ErrorKind) -> None:
        super().__init__(message)
        self.kind = kind


def check_limits(
    limits: ThreadLimits, *, steps: int, steps_max: int, cost_usd: float | None, worst_usd: float = 0.0
) -> None:
    """Called before each model call. Raises LimitReached when there may be no other.

    `worst_usd` is the most that the next call can cost, where the limits want it reserved.
    """
    allowed = steps_max if limits.max_turns is None else limits.max_turns
    if allowed and steps >= allowed:
        raise LimitReached(say("engine.step_limit", steps=allowed), ErrorKind.STEP_LIMIT)
    budget, cost = limits.max_budget_usd, cost_usd or 0.0
    if budget is not None and (cost >= budget or cost + worst_usd > budget):
        raise LimitReached(say("engine.budget", budget=f"{budget:g}", cost=f"{cost:.4f}"), ErrorKind.BUDGET)


def worst_usd(card: ModelCard, last: Usage) -> float:
    """What the next call can cost: all that the last one read and wrote, new results, and the longest answer."""
    price = card.price
    if price is None:
        return 0.0
    read = last.total_tokens + NEWS_TOKENS
    if card.context_window:
        read = min(read, card.context_window)
    return (read * max(price.input, price.cache_write) + card.output_tokens_max * price.output) / 1e6
