"""What is an overlay? It draws rows, takes every key, and ends with a result.

While one is up it has the keyboard alone and the composer is hidden; what was typed there is kept. `face.show(overlay)`
puts it up and waits for `finish`.
"""

import asyncio
from abc import ABC, abstractmethod
from typing import Any

from daedal.tui.terminal.keys import Key
from daedal.tui.terminal.widths import Row

CURSOR_NONE: tuple[int, int] | None = None


class Overlay(ABC):
    is_full = False
    """Takes the whole screen, beside the one that scrolls."""
    is_urgent = False
    """Comes by itself rather than by a key: it takes no keys while the person is still typing."""
    asks = 0
    """Which of its questions is asked: the key that led to another one is no answer to that."""

    def __init__(self) -> None:
        self.finished: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    @abstractmethod
    def rows(self, columns: int, height: int) -> list[Row]:
        """At most so high. A full one fills the height."""

    @abstractmethod
    def key(self, key: Key) -> None: ...

    @property
    def cursor(self) -> tuple[int, int] | None:
        """Row and column, where something is typed into the overlay."""
        return CURSOR_NONE

    def finish(self, result: Any = None) -> None:
        if not self.finished.done():
            self.finished.set_result(result)
