"""How do client and server meet inside one process? A pair of bounded queues; structs travel as they are."""

import asyncio

from daedal.protocol.wire import Envelope

QUEUE_MAX = 1024
"""A face that falls this far behind makes the engine wait for it, instead of memory growing without end."""


class End:
    """One end. Closing either end closes both: whoever waits to send is let go and learns it at the next try."""

    def __init__(self, inbox: asyncio.Queue[Envelope | None], outbox: asyncio.Queue[Envelope | None]) -> None:
        self._inbox = inbox
        self._outbox = outbox
        self._closed = False
        self._peer: End | None = None

    async def send(self, envelope: Envelope) -> None:
        if self._closed:
            raise ConnectionError
        await self._outbox.put(envelope)

    async def receive(self) -> Envelope | None:
        if self._closed and self._inbox.empty():
            return None
        return await self._inbox.get()

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        while not self._inbox.empty():  # lets go whoever waits for room to send to us
            self._inbox.get_nowait()
        self._inbox.put_nowait(None)
        if self._peer is not None and not self._peer._closed:
            self._peer._closed = True
            if not self._outbox.full():
                self._outbox.put_nowait(None)

    def join(self, peer: "End") -> None:
        self._peer = peer


def pair() -> tuple[End, End]:
    """Two ends of one connection."""
    one: asyncio.Queue[Envelope | None] = asyncio.Queue(QUEUE_MAX)
    other: asyncio.Queue[Envelope | None] = asyncio.Queue(QUEUE_MAX)
    left, right = End(one, other), End(other, one)
    left.join(right)
    right.join(left)
    return left, right
