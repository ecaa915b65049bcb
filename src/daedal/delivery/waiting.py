"""How does time pass when there is nothing to do? Second by second, and it ends at once when told to stop."""

import asyncio
import time
from datetime import UTC, datetime

from daedal.delivery.progress import Tell, Waiting
from daedal.delivery.quota import clock, reset_time, wait_s
from daedal.delivery.tally import Tally

TICK_S = 1.0


async def pause(seconds: float, stop: asyncio.Event) -> None:
    try:
        async with asyncio.timeout(seconds):
            await stop.wait()
    except TimeoutError:
        pass


class QuotaWait:
    """Until the quota is there again, or the run is out of time."""

    def __init__(self, tally: Tally, tell: Tell, stop: asyncio.Event) -> None:
        self._tally = tally
        self._tell = tell
        self._stop = stop
        self._attempts = 0

    def over(self) -> None:
        """A session got through."""
        self._attempts = 0

    async def pass_by(self, message: str, resets_at: datetime | None) -> None:
        """`resets_at` is what the engine knows; else the message is read."""
        now = datetime.now(UTC)
        reset = resets_at or reset_time(message, now)
        seconds = wait_s(reset, now, attempt=self._attempts)
        self._attempts += 1
        until = time.monotonic() + seconds
        shown = clock(reset) if reset else ""
        left = seconds
        while left > 0 and not self._stop.is_set() and self._tally.time_left() != 0.0:
            self._tell(Waiting(remaining_s=left, resets_at=shown))
            await pause(min(TICK_S, left), self._stop)
            left = until - time.monotonic()
