"""How is a command's output kept in a file that can be read at any time and never grows without end?

Of a long output the newest part is kept; the file's first line then says how much was dropped before it. The file is
made once, through no link, and from then on only its descriptor counts: a command may put what it likes in its place.
"""

import os
import re

from msgspec import Struct

from daedal.sandbox.errors import SpawnFailed
from daedal.sandbox.opening import reach

KEPT_BYTES_MAX = 4_194_304

LINE_BYTES_MAX = 4096
"""How much more is dropped, at most, so that what is kept begins with a whole line."""

DROPPED = "[SDLC_TRUNCATED] {count} bytes of earlier output were dropped\n"
_DROPPED = re.compile(rb"\[SDLC_TRUNCATED\] ([0-9]{1,15}) bytes of earlier output were dropped\n")
_HEAD_BYTES_MAX = 100


class Excerpt(Struct, frozen=True):
    """A part of an output. Positions count from the output's first byte, dropped ones included."""

    data: bytes
    end: int
    skipped: int
    """How many bytes before it were asked for and are not there."""


class Spool:
    def __init__(self, path: str, *, bytes_max: int = KEPT_BYTES_MAX) -> None:
        """Raises SpawnFailed, also where there is such a file already."""
        self.path = os.path.abspath(path)
        self._bytes_max = bytes_max
        try:
            with reach(self.path) as spot:
                self._descriptor = spot.create()
        except OSError as error:
            raise SpawnFailed(f"cannot write {path}: {error.strerror}") from error
        self._dropped = 0
        self._head = 0
        self._size = 0
        self._unwritten = 0

    def __call__(self, chunk: bytes) -> None:
        """Takes what comes next. A disk that is full costs the output, never the command."""
        if self._descriptor < 0:
            return
        try:
            if self._size + len(chunk) > self._bytes_max:
                self._shrink()
            if self._unwritten:
                note = f"\n[SDLC_TRUNCATED] {self._unwritten} bytes could not be written\n"
                self._put(note.encode())
                self._unwritten = 0
            self._put(chunk)
        except OSError:
            self._unwritten += len(chunk)

    def read(self, since: int, bytes_max: int) -> Excerpt:
        """The newest bytes after the position, so many at most."""
        return read_spool(self._descriptor, since, bytes_max)

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _put(self, chunk: bytes) -> None:
        rest = memoryview(chunk)
        while rest:
            written = os.pwrite(self._descriptor, rest, self._size)
            self._size += written
            rest = rest[written:]

    def _shrink(self) -> None:
        """Keeps the newer half. In place: that takes no room on a full disk, and needs no name."""
        start = max(self._head, self._size - self._bytes_max // 2)
        kept = os.pread(self._descriptor, self._size - start, start)
        kept = from_whole_line(kept)
        self._dropped += self._size - self._head - len(kept)
        head = DROPPED.format(count=self._dropped).encode()
        self._head, self._size = len(head), 0
        self._put(head + kept)
        os.ftruncate(self._descriptor, self._size)


def read_spool(descriptor: int, since: int, bytes_max: int) -> Excerpt:
    """The same for whoever has only the file."""
    found = _DROPPED.match(os.pread(descriptor, _HEAD_BYTES_MAX, 0))
    head, dropped = (found.end(), int(found[1])) if found else (0, 0)
    end = dropped + max(0, os.fstat(descriptor).st_size - head)
    wanted = min(since, end)
    there = max(wanted, dropped)
    start = max(there, end - bytes_max)
    data = os.pread(descriptor, end - start, head + start - dropped)
    if start > there:
        data = from_whole_line(data)
    return Excerpt(data, end, end - wanted - len(data))


def from_whole_line(data: bytes) -> bytes:
    """Without the rest of a line at its beginning, unless that line is very long."""
    newline = data.find(b"\n", 0, LINE_BYTES_MAX)
    return data[newline + 1 :]
