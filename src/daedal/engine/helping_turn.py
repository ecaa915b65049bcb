"""How does a turn end that works for another one? By itself, also when it is stopped with that one."""

import asyncio

from daedal.engine.turn import RunningTurn
from daedal.protocol.items import UserMessage
from daedal.protocol.turns import Turn


async def run_to_its_end(turn: RunningTurn, said: UserMessage) -> Turn:
    """Cancelled, it tells the turn to end, and lets it keep its record before the cancellation passes."""
    task = asyncio.create_task(turn.run(said))
    try:
        await asyncio.wait([task])
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait([task])
        raise
    return task.result()
