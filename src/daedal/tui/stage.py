"""Who has the keyboard? The composer, or the overlay that was put up last.

A card that comes by itself takes no keys while the person is typing: what was meant for the composer goes there.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from daedal.tui.overlay import Overlay

STILL_S = 0.6
"""Whoever has not typed for so long has seen that there is a card."""


class Stage:
    def __init__(self, redraw: Callable[[], None]) -> None:
        self._redraw = redraw
        self._up: list[Overlay] = []
        self._typed_at = 0.0
        self._is_armed = True

    @property
    def overlay(self) -> Overlay | None:
        """What is seen."""
        return self._up[-1] if self._up else None

    @property
    def has_keyboard(self) -> bool:
        return bool(self._up) and self._is_armed

    @property
    def is_asking(self) -> bool:
        return any(overlay.is_urgent for overlay in self._up)

    def typed(self) -> None:
        """The person has just written something into the composer."""
        self._typed_at = time.monotonic()

    def sent(self) -> None:
        """What was written is on its way, so the next key is not part of it."""
        self._typed_at = 0.0

    async def show(self, overlay: Overlay) -> Any:
        self._up.append(overlay)
        self._is_armed = True
        if overlay.is_urgent:
            self._arm()
        self._redraw()
        try:
            return await overlay.finished
        finally:
            self._up.remove(overlay)
            self._is_armed = True
            self._redraw()

    def _arm(self) -> None:
        left = self._typed_at + STILL_S - time.monotonic()
        self._is_armed = left <= 0
        if self._up and not self._is_armed:
            asyncio.get_running_loop().call_later(left, self._arm)
        self._redraw()

    def drop(self) -> None:
        """Nothing is asked any more."""
        for overlay in list(self._up):
            overlay.finish()
