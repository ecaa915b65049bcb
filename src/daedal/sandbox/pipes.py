"""How is a child's output read without ever waiting for it, and how much of it is kept?"""

import asyncio
import os
from collections.abc import Callable

from daedal.sandbox.errors import SpawnFailed

CHUNK_BYTES = 65_536

BUSY_BYTES = 16_384
PAUSE_S = 0.002
"""After a smaller read the next one waits so long: a child that writes line by line must not wake us for each."""

DRAIN_BYTES_MAX = 2_097_152
"""What can still be in a pipe when its process has ended; a living child could write on for ever."""

LINGER_PAUSE_S = 0.05
"""What nobody reads is read slowly, so that a child which writes without end costs us little."""

Taker = Callable[[bytes], object]
Watch = Callable[[int, bytes], object]
"""Told which stream (1 or 2) a piece came from. Must be quick, and must not raise."""


class Capture:
    """Keeps the first bytes of a stream and counts the rest away."""

    def __init__(self, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self._chunks: list[bytes] = []
        self._kept = 0
        self.truncated = False

    def __call__(self, chunk: bytes) -> None:
        room = self._bytes_max - self._kept
        if len(chunk) > room:
            self.truncated = True
            chunk = chunk[:room]
        if chunk:
            self._kept += len(chunk)
            self._chunks.append(chunk)

    def value(self) -> bytes:
        return b"".join(self._chunks)


class Tap:
    """Hands a stream over until the taker has enough. What the taker raises is kept for whoever awaits the command."""

    def __init__(self, take: Callable[[bytes], bool]) -> None:
        self._take = take
        self._is_open = True
        self.error: Exception | None = None
        self.on_enough: Callable[[], None] | None = None

    def __call__(self, chunk: bytes) -> None:
        if not self._is_open:
            return
        try:
            self._is_open = self._take(chunk)
        except Exception as error:
            self.error = error
            self._is_open = False
        if not self._is_open and self.on_enough is not None:
            self.on_enough()


def watched(capture: Capture, watch: Watch, stream: int) -> Taker:
    """Takes for both: whoever waits for the end, and whoever looks on."""

    def take(chunk: bytes) -> None:
        capture(chunk)
        watch(stream, chunk)

    return take


def discard(_chunk: bytes) -> None:
    """Where output goes that nobody reads any more."""


def open_pipe() -> tuple[int, int]:
    """Our end and the child's."""
    try:
        return os.pipe()
    except OSError as error:
        raise SpawnFailed(f"cannot start a command: {error.strerror}") from error


def open_pipes() -> tuple[int, int, int, int]:
    """The same of one pipe, then of another."""
    try:
        first = os.pipe()
        try:
            return (*first, *os.pipe())
        except OSError:
            os.close(first[0])
            os.close(first[1])
            raise
    except OSError as error:
        raise SpawnFailed(f"cannot start a command: {error.strerror}") from error


class Pipe:
    """The reading end of a child's output, open until the last writer is gone or `close` is called."""

    def __init__(self, descriptor: int, take: Taker, *, is_unhurried: bool = False) -> None:
        """Unhurried: nobody waits for it, so it may never take much of our time, and is taken to its very end."""
        self._descriptor = descriptor
        self._take = take
        self._is_unhurried = is_unhurried
        self._on_close: Callable[[Pipe], object] | None = None
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._is_lingering = False
        self.is_open = True
        os.set_blocking(descriptor, False)
        self._watch()

    def _watch(self) -> None:
        self._timer = None
        self._loop.add_reader(self._descriptor, self._wake)

    def _wake(self) -> None:
        size = self._read()
        if self.is_open and (self._is_lingering or self._is_unhurried or size < BUSY_BYTES):
            self._loop.remove_reader(self._descriptor)
            self._timer = self._loop.call_later(LINGER_PAUSE_S if self._is_lingering else PAUSE_S, self._watch)

    def _read(self) -> int:
        """Takes one chunk; returns its size, 0 where there is none."""
        try:
            chunk = os.read(self._descriptor, CHUNK_BYTES)
        except BlockingIOError:
            return 0
        if chunk:
            self._take(chunk)
        else:
            self.close()
        return len(chunk)

    def drain(self) -> None:
        """Takes what is there now."""
        budget = DRAIN_BYTES_MAX
        while self.is_open and budget > 0 and (size := self._read()):
            budget -= size

    def linger(self, on_close: Callable[["Pipe"], object]) -> None:
        """Goes on reading: a child in the background must not stall at a full pipe or die of a closed."""
        if not self._is_unhurried:
            self._take = discard
        self._is_lingering = True
        self._on_close = on_close

    def close(self) -> None:
        if not self.is_open:
            return
        self.is_open = False
        if self._timer is not None:
            self._timer.cancel()
        if not self._loop.is_closed():
            self._loop.remove_reader(self._descriptor)
        os.close(self._descriptor)
        if self._on_close is not None:
            self._on_close(self)
