"""Who has the keyboard? The composer, or the overlay that was put up last.

A question that comes by itself takes no key that was not meant for it: what somebody is typing goes where it began, and
a key that was pressed right before the question came, and is pressed again or held, has to be let go of first.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from daedal.tui.overlay import Overlay

STILL_S = 0.6
"""Whoever has not typed for so long has seen that there is a card."""
HELD_S = 0.7
"""Longer than a keyboard waits before it repeats a key that is held; a key that is struck twice comes sooner."""
REPEATED_S = 0.3
"""Longer than it waits after that."""


class Stage:
    def __init__(self, redraw: Callable[[], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._redraw = redraw
        self._clock = clock
        self._up: list[Overlay] = []
        self._typed_at = 0.0
        self._is_armed = True
        self._pressed = ""
        """The last key, and when that was."""
        self._pressed_at = 0.0
        self._deaf_to = ""
        """The key that the question does not hear yet."""
        self._deaf_until = 0.0

    @property
    def overlay(self) -> Overlay | None:
        """What is seen: a question waits behind what somebody types into."""
        seen = self._seen
        return seen[-1] if seen else None

    @property
    def has_keyboard(self) -> bool:
        seen = self._seen
        return bool(seen) and (self._is_armed or not seen[-1].is_urgent)

    @property
    def _seen(self) -> list[Overlay]:
        """One that the person has just closed is gone, also for the next key that comes in the same moment."""
        seen = [overlay for overlay in self._up if overlay.is_urgent or not overlay.finished.done()]
        return seen[:-1] if not self._is_armed and len(seen) > 1 else seen

    @property
    def is_asking(self) -> bool:
        return any(overlay.is_urgent for overlay in self._up)

    @property
    def is_deaf(self) -> bool:
        """What is seen does not hear one of the keys."""
        return bool(self._deaf_to) and bool(self._up) and self._is_armed

    def typed(self) -> None:
        """The person has just written something."""
        self._typed_at = self._clock()

    def sent(self) -> None:
        """What was written is on its way, so the next key is not part of it."""
        self._typed_at = 0.0

    def pressed(self, key: str) -> bool:
        """Whether whoever has the keyboard hears the key."""
        now = self._clock()
        self._pressed, self._pressed_at = key, now
        if not self.is_deaf:
            return True
        if key == self._deaf_to and now < self._deaf_until:
            self._deaf_until = max(self._deaf_until, now + REPEATED_S)
            return False
        # It was let go of; and whoever presses another one has seen that there is another question.
        self._deaf_to = ""
        return True

    def asks_anew(self) -> None:
        """What is asked from now on was not seen when the last key was pressed."""
        self._deaf_until = self._pressed_at + HELD_S
        self._deaf_to = self._pressed
        self._listen()

    def _listen(self) -> None:
        """Again to all keys, when the time has come."""
        left = self._deaf_until - self._clock()
        if left <= 0:
            self._deaf_to = ""
        elif self._deaf_to:
            asyncio.get_running_loop().call_later(left, self._listen)
        self._redraw()

    async def show(self, overlay: Overlay) -> Any:
        self._up.append(overlay)
        self._is_armed, self._deaf_to = True, ""
        if overlay.is_urgent:
            self.asks_anew()
            self._arm(overlay)
        self._redraw()
        try:
            return await overlay.finished
        finally:
            self._up.remove(overlay)
            self._is_armed = True
            if self._up and self._up[-1].is_urgent:
                self.asks_anew()
            self._redraw()

    def _arm(self, overlay: Overlay) -> None:
        if not self._up or self._up[-1] is not overlay:
            return
        left = self._typed_at + STILL_S - self._clock()
        self._is_armed = left <= 0
        if not self._is_armed:
            asyncio.get_running_loop().call_later(left, self._arm, overlay)
        self._redraw()

    def drop(self) -> None:
        """Nothing is asked any more."""
        for overlay in list(self._up):
            overlay.finish()
