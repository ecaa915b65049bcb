"""What travels over one socket, and how long do we wait for it? Bytes that came, bytes to send, silence, the end.

Below is asyncio's transport, above is HTTP framing. Our own rather than a library's because all three of these
matter to a turn: a cancelled call closes the socket at once, in every phase; everything that arrived in one read
is handed up together; nothing runs in a thread that outlives the loop.
"""

import asyncio
import os
from collections.abc import Sequence
from typing import cast

from daedal.protocol.catalogue import say
from daedal.protocol.turns import ErrorKind
from daedal.providers.failures import Failure

BUFFER_BYTES_MAX = 1_048_576
"""Above this the peer is made to wait until what came has been read."""


class Connection(asyncio.Protocol):
    def __init__(self, where: str) -> None:
        self.buffer = bytearray()
        """What has arrived and nobody has read."""
        self.idle_since = 0.0
        self.transport: asyncio.Transport | None = None
        self._where = where
        self._waiter: asyncio.Future[None] | None = None
        self._paused = False
        self._ended = False
        self._error: Exception | None = None

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if len(self.buffer) > BUFFER_BYTES_MAX and self.transport is not None and not self._paused:
            self._paused = True
            self.transport.pause_reading()
        self._wake()

    def eof_received(self) -> bool:
        self._ended = True
        self._wake()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended = True
        self._error = exc
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    # What framing calls.

    @property
    def ended(self) -> bool:
        """The peer has nothing more to say."""
        return self._ended

    def write(self, data: bytes) -> None:
        if self.transport is not None and not self._ended:
            self.transport.write(data)

    def write_all(self, pieces: Sequence[bytes]) -> None:
        """Several pieces as one, without a copy of them all: a long dialogue leaves in one call of the system.

        asyncio does so itself from Python 3.12 on; until then the socket is written to directly, as long as nothing
        waits before it. What it does not take at once is asyncio's to send. Under TLS all of it is.
        """
        transport = self.transport
        if transport is None or self._ended:
            return
        sent = 0
        if transport.get_extra_info("ssl_object") is None and not transport.get_write_buffer_size():
            try:
                sent = os.writev(transport.get_extra_info("socket").fileno(), pieces)
            except OSError:
                pass  # Full or gone: the transport finds out, and says so where it is waited for.
        if not sent:
            transport.writelines(pieces)
            return
        for piece in pieces:
            if sent < len(piece):
                transport.write(memoryview(piece)[sent:])
            sent = max(0, sent - len(piece))

    async def more(self, timeout_s: float) -> bool:
        """Waits for further bytes. False at an orderly end; a broken or silent connection is a Failure."""
        if not self._ended:
            before = len(self.buffer)
            await self._arrival(timeout_s)
            if len(self.buffer) > before:
                return True
        if self._error is not None:
            raise self.lost(self._error)
        return False

    async def _arrival(self, timeout_s: float) -> None:
        if self._paused and self.transport is not None:
            self._paused = False
            self.transport.resume_reading()
        loop = asyncio.get_running_loop()
        waiter = self._waiter = loop.create_future()
        timer = loop.call_later(timeout_s, self._stalled, waiter, timeout_s)
        try:
            await waiter
        finally:
            timer.cancel()
            self._waiter = None

    def _stalled(self, waiter: "asyncio.Future[None]", timeout_s: float) -> None:
        if not waiter.done():
            reason = say("providers.stalled", where=self._where, seconds=f"{timeout_s:g}")
            waiter.set_exception(Failure(reason, ErrorKind.NETWORK, retry=True))

    def lost(self, cause: Exception | None = None) -> Failure:
        """The failure of a connection that ended in the middle."""
        detail = f" ({cause.strerror or cause})" if isinstance(cause, OSError) else ""
        return Failure(
            say("providers.lost", where=self._where, detail=detail), ErrorKind.NETWORK, retry=True, lost=True
        )

    def abort(self) -> None:
        """Closes at once, without waiting for the peer to agree."""
        self._ended = True
        if self.transport is not None:
            self.transport.abort()
