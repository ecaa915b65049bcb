"""How do several agents keep one budget? No call begins beside others unless the budget holds for the worst of all.

What a call costs is known only afterwards. So agents work side by side while there is money enough, and take turns when
it gets scarce; somebody alone never waits.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from daedal.protocol.model import ModelCard


class Purse:
    """Shared by a thread and its sub-agents."""

    def __init__(self) -> None:
        self._held_usd = 0.0
        """What the calls under way may cost."""
        self._under_way = 0
        self._waiting: list[asyncio.Future[None]] = []

    @asynccontextmanager
    async def call(
        self, card: ModelCard, budget_usd: float | None, spent_usd: Callable[[], float]
    ) -> AsyncGenerator[None]:
        """For the time of one call, once there is room for it."""
        worst = _worst_usd(card) if budget_usd is not None else 0.0
        while budget_usd is not None and self._under_way and spent_usd() + self._held_usd + worst > budget_usd:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            await turn
        self._under_way += 1
        self._held_usd += worst
        try:
            yield
        finally:
            self._under_way -= 1
            self._held_usd -= worst
            waiting, self._waiting = self._waiting, []
            for turn in waiting:
                if not turn.done():
                    turn.set_result(None)


def _worst_usd(card: ModelCard) -> float:
    """A whole window read, and the longest answer."""
    if card.price is None:
        return 0.0
    read = card.context_window * max(card.price.input, card.price.cache_write)
    return (read + card.output_tokens_max * card.price.output) / 1e6
