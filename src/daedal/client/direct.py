"""How does a face in the same process get all that clients from outside have? Envelopes change hands as they are.

`inprocess` waits for a slow face and has only what every client needs. Here the engine never waits, as with any client
from outside, and what it says is told by struct rather than by line.
"""

import asyncio
from collections import deque
from collections.abc import Callable

import msgspec

from daedal.protocol.wire import Envelope, Malformed, Response

WAITING_MAX = 200_000
"""A face in the same loop reads whenever the engine waits; one that is so far behind will not come back."""


class _Mailbox:
    def __init__(self) -> None:
        self._letters: deque[Envelope] = deque()
        self._has_mail = asyncio.Event()
        self.is_closed = False

    def put(self, envelope: Envelope) -> None:
        if self.is_closed or len(self._letters) >= WAITING_MAX:
            raise ConnectionError("the other end is gone")
        self._letters.append(envelope)
        self._has_mail.set()

    async def take(self) -> Envelope | None:
        while not self._letters:
            if self.is_closed:
                return None
            self._has_mail.clear()
            await self._has_mail.wait()
        return self._letters.popleft()

    def close(self) -> None:
        self.is_closed = True
        self._has_mail.set()


class NearEnd:
    """The client's: a `Transport`."""

    def __init__(self, inbox: _Mailbox, outbox: _Mailbox) -> None:
        self._inbox = inbox
        self._outbox = outbox

    async def send(self, envelope: Envelope) -> None:
        if isinstance(envelope, Response):
            # Answers are read as they come over a wire, since clients may say them in Codex's words.
            envelope = msgspec.structs.replace(envelope, result=msgspec.to_builtins(envelope.result))
        self._outbox.put(envelope)

    async def receive(self) -> Envelope | Malformed | None:
        return await self._inbox.take()

    def close(self) -> None:
        self._inbox.close()
        self._outbox.close()


class FarEnd:
    """The server's: a `Wire`."""

    def __init__(self, inbox: _Mailbox, outbox: _Mailbox) -> None:
        self._inbox = inbox
        self._outbox = outbox
        self.on_slow: Callable[[], None] | None = None

    def push(self, envelope: Envelope) -> None:
        self._outbox.put(envelope)

    async def receive(self) -> Envelope | Malformed | None:
        return await self._inbox.take()

    def close(self) -> None:
        self._inbox.close()
        self._outbox.close()


def direct() -> tuple[NearEnd, FarEnd]:
    one, other = _Mailbox(), _Mailbox()
    return NearEnd(one, other), FarEnd(other, one)
