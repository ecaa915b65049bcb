"""When is a frame drawn? At once for keys, at most twenty times a second for what an engine says, never while idle."""

import asyncio
import time
from collections.abc import Callable

FRAME_S = 0.05
TICK_S = 1.0


class Pacing:
    def __init__(
        self,
        draw: Callable[[], None],
        *,
        draw_typed: Callable[[], None],
        is_ticking: Callable[[], bool],
        is_streaming: Callable[[], bool],
    ) -> None:
        """`draw_typed` need not look at what the engine said, which may be a lot.

        `is_ticking`: whether something on the screen changes with time alone; `is_streaming`: whether much is said now.
        """
        self._draw = draw
        self._draw_typed = draw_typed
        self._is_ticking = is_ticking
        self._is_streaming = is_streaming
        self._loop = asyncio.get_running_loop()
        self._due: asyncio.TimerHandle | None = None
        self._tick: asyncio.TimerHandle | None = None
        self._drawn_at = 0.0
        """When the last whole frame was drawn."""
        self._is_owed = False
        self._is_over = False

    def now(self) -> None:
        """Once for all that happens in this moment. While much is said, only what was typed; the rest comes soon."""
        self._is_owed = True
        self._plan(0)

    def soon(self) -> None:
        self._is_owed = True
        self._plan(self._left())

    def _left(self) -> float:
        return max(self._drawn_at + FRAME_S - time.monotonic(), 0)

    def stop(self) -> None:
        self._is_over = True
        for timer in (self._due, self._tick):
            if timer is not None:
                timer.cancel()

    def _plan(self, delay: float) -> None:
        if self._is_over:
            return
        when = self._loop.time() + delay
        if self._due is not None:
            if self._due.when() <= when:
                return
            self._due.cancel()
        self._due = self._loop.call_at(when, self._frame)

    def _frame(self) -> None:
        self._due = None
        if not self._is_streaming() or self._left() <= 0:
            self._draw()
            self._drawn_at, self._is_owed = time.monotonic(), False
        else:
            self._draw_typed()
            if self._is_owed:
                self._plan(self._left())
        if self._tick is None and self._is_ticking():
            self._tick = self._loop.call_later(TICK_S, self._ticked)

    def _ticked(self) -> None:
        self._tick = None
        self.soon()
