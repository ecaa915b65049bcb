"""What has a thread told so far, and who listens? Its events are numbered here, and the newest are kept for a while.

A client that comes back names the last number it saw. What came later is sent again as it was, without the deltas:
an item that is still growing arrives with its text so far. Kept are the events of the last turn, within a bound;
whatever is older is on the record, and such a client gets the turns themselves instead.
"""

import time
from collections import deque
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from daedal.client import line_of
from daedal.protocol.events import (
    METHODS,
    AgentMessageDelta,
    CommandOutputDelta,
    Event,
    ItemCompleted,
    ItemStarted,
    ReasoningTextDelta,
    TurnCompleted,
    TurnStarted,
)
from daedal.protocol.items import AgentMessage, CommandExecution, Item, Reasoning
from daedal.protocol.turns import Turn
from daedal.protocol.wire import Notification

KEPT_BYTES_MAX = 64 * 1024
"""Per thread: hundreds of idle ones must not cost much."""


class Growing(Struct):
    """An item of the turn that runs, with what was added to it since it started."""

    item: Item
    started_at_ms: int
    is_over: bool = False
    pieces: list[str] = []

    def print(self, delta: str) -> None:
        """Of what a command prints only the newest is kept: it may be without end."""
        self.pieces = ["".join((*self.pieces, delta))[-KEPT_BYTES_MAX:]]

    def so_far(self) -> Item:
        text = "".join(self.pieces)
        match self.item:
            case AgentMessage() as item if text:
                return replace(item, text=item.text + text)
            case Reasoning() as item if text:
                return replace(item, content=[*item.content, text])
            case CommandExecution() as item if text:
                return replace(item, aggregated_output=text)
            case item:
                return item


class Channel:
    """One thread's events."""

    def __init__(self, thread_id: str, parent: "Channel | None" = None) -> None:
        self.thread_id = thread_id
        self.parent = parent
        """Of the thread that a sub-agent works for: its listeners hear this one too."""
        self.sequence = 0
        self.turn: Turn | None = None
        """The one that runs."""
        self.listeners: dict[Any, None] = {}
        self._items: dict[str, Growing] = {}
        self._kept: deque[tuple[int, Notification, int]] = deque()
        self._kept_bytes = 0
        self._forgotten = 0
        """The number of the newest event that is not kept any more."""

    def number(self, event: Event) -> Notification:
        """The event as it is sent, with the next number."""
        self.sequence += 1
        return Notification(
            method=METHODS[type(event)],
            params=event,
            emitted_at_ms=int(time.time() * 1000),
            sequence=self.sequence,
        )

    def note(self, event: Event, notification: Notification) -> None:
        """Keeps what a client that comes back will need."""
        match event:
            case AgentMessageDelta(item_id=item_id, delta=delta) | ReasoningTextDelta(item_id=item_id, delta=delta):
                if item_id in self._items:
                    self._items[item_id].pieces.append(delta)
                return
            case CommandOutputDelta(item_id=item_id, delta=delta):
                if item_id in self._items:
                    self._items[item_id].print(delta)
                return
            case TurnStarted(turn=turn):
                self.turn = turn
                self._forget()
            case TurnCompleted():
                self.turn = None
                self._items.clear()
            case ItemStarted(item=item, started_at_ms=at):
                self._items[item.id] = Growing(item, at)
            case ItemCompleted(item=item, completed_at_ms=at):
                self._items[item.id] = Growing(item, at, is_over=True)
            case _:
                pass
        self._keep(notification)

    def _keep(self, notification: Notification) -> None:
        size = len(line_of(notification))
        self._kept.append((self.sequence, notification, size))
        self._kept_bytes += size
        while self._kept_bytes > KEPT_BYTES_MAX:
            self._forgotten, _, size = self._kept.popleft()
            self._kept_bytes -= size

    def _forget(self) -> None:
        self._items.clear()
        self._kept.clear()
        self._kept_bytes = 0
        self._forgotten = self.sequence - 1

    def since(self, sequence: int) -> list[Notification] | None:
        """What came after it, then what is still growing; None where not all of it is kept."""
        if not self._forgotten <= sequence <= self.sequence:
            return None
        return [*(kept for number, kept, _ in self._kept if number > sequence), *self.growing()]

    def growing(self) -> list[Notification]:
        """Items that are not complete, each as if it started only now, with its text so far."""
        if self.turn is None:
            return []
        now = int(time.time() * 1000)
        return [
            Notification(
                method=METHODS[ItemStarted],
                params=ItemStarted(
                    thread_id=self.thread_id,
                    turn_id=self.turn.id,
                    item=one.so_far(),
                    started_at_ms=one.started_at_ms,
                ),
                emitted_at_ms=now,
                sequence=self.sequence,
            )
            for one in self._items.values()
            if not one.is_over
        ]

    def running(self) -> Turn | None:
        """The turn that runs, with its items as they are now."""
        if self.turn is None:
            return None
        items = [one.so_far() for one in self._items.values()]
        return replace(self.turn, items=items, items_view="full")

    def audience(self) -> list[Any]:
        if self.parent is None:
            return list(self.listeners)
        return list({**self.parent.listeners, **self.listeners})
