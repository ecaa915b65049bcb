"""Which lines of a file are shown? Found by streaming, so that a file of any size takes little memory."""

import asyncio
import os
from collections.abc import AsyncIterator

from msgspec import Struct

from daedal.tools.encodings import whole_characters
from daedal.tools.errors import TRUNCATED

CHUNK_BYTES = 262_144
CHUNKS_PER_PAUSE = 32

LINE_BYTES_MAX = 20_000
"""A longer line is cut."""

COUNTED_BYTES_MAX = 67_108_864
"""How far a file is read on only to tell how many lines it has."""


class Page(Struct, frozen=True, kw_only=True):
    """Some lines of a file."""

    lines: list[bytes]
    total: int | None
    """None where the file was too long to count."""
    is_full: bool
    """Whether the lines ended because no more may be shown, not because they were all that was asked for."""
    ends_with_newline: bool
    """Whether the file does, as far as it was read."""


async def chunks(descriptor: int, head: bytes, encoding: str) -> AsyncIterator[bytes]:
    """The file from its start, whose first bytes were read already; wide encodings come out as UTF-8."""
    transcode = None
    if encoding:
        import codecs

        transcode = codecs.getincrementaldecoder(encoding)("replace")
    chunk = head
    count = 0
    while chunk:
        yield chunk if transcode is None else transcode.decode(chunk).encode("utf-8", "replace")
        chunk = os.read(descriptor, CHUNK_BYTES)
        count += 1
        if count % CHUNKS_PER_PAUSE == 0:
            await asyncio.sleep(0)  # others run, and a cancellation gets through


def whole_page(content: bytes, bytes_max: int) -> Page | None:
    """All lines at once, where there is nothing to cut: the common case, and much faster than streaming."""
    lines = content.split(b"\n")
    ends_with_newline = lines[-1] == b""
    if ends_with_newline:
        lines.pop()
    cost = len(content) + len(lines) * (len(str(len(lines))) + 2)
    if cost > bytes_max or max(map(len, lines), default=0) > LINE_BYTES_MAX:
        return None
    return Page(lines=lines, total=len(lines), is_full=False, ends_with_newline=ends_with_newline)


class Collector:
    """Takes a file chunk by chunk and keeps `count` lines from `first` on, or as many as go into `bytes_max`."""

    def __init__(self, first: int, count: int | None, bytes_max: int) -> None:
        self._first = first
        self._last = None if count is None else first + count - 1
        self._room = bytes_max
        self._lines: list[bytes] = []
        self._number = 1
        """Of the line that is being read."""
        self._part: list[bytes] = []
        self._part_bytes = 0
        self._is_full = False
        self._ends_with_newline = True
        self._counted_bytes = 0

    @property
    def is_counting(self) -> bool:
        """Whether all lines to show are there and only their number is still of interest."""
        return self._is_full or (self._last is not None and self._number > self._last)

    def take(self, chunk: bytes) -> bool:
        """Returns whether more of the file is wanted."""
        self._ends_with_newline = chunk.endswith(b"\n")
        start = self._skip(chunk) if self._number < self._first else 0
        if self._number >= self._first and not self.is_counting:
            start = self._collect(chunk, start)
        if self.is_counting:
            self._number += chunk.count(b"\n", start)
            self._counted_bytes += len(chunk) - start
        return self._counted_bytes <= COUNTED_BYTES_MAX

    def page(self, *, is_whole: bool) -> Page:
        """What was kept. `is_whole` tells whether the file was read to its end."""
        if self._part_bytes and not self.is_counting:
            self._keep_line()
        total = self._number - 1 + (not self._ends_with_newline)
        return Page(
            lines=self._lines,
            total=total if is_whole else None,
            is_full=self._is_full,
            ends_with_newline=self._ends_with_newline,
        )

    def _skip(self, chunk: bytes) -> int:
        """Passes over lines before the first; returns where the first one starts, or the end."""
        missing = self._first - self._number
        newlines = chunk.count(b"\n")
        if newlines < missing:
            self._number += newlines
            return len(chunk)
        self._number = self._first
        position = 0
        for _ in range(missing):
            position = chunk.index(b"\n", position) + 1
        return position

    def _collect(self, chunk: bytes, start: int) -> int:
        """Keeps lines until there are enough; returns where it stopped."""
        while not self.is_counting:
            end = chunk.find(b"\n", start)
            self._add(chunk[start : end if end >= 0 else len(chunk)])
            if end < 0:
                return len(chunk)
            start = end + 1
            self._keep_line()
            self._number += 1
        return start

    def _add(self, piece: bytes) -> None:
        room = LINE_BYTES_MAX + 1 - self._part_bytes
        if room > 0:
            self._part.append(piece[:room])
        self._part_bytes += len(piece)

    def _keep_line(self) -> None:
        line = b"".join(self._part)
        if self._part_bytes > LINE_BYTES_MAX:
            note = f" {TRUNCATED} line of {self._part_bytes} bytes"
            line = whole_characters(line[:LINE_BYTES_MAX]) + note.encode()
        self._part.clear()
        self._part_bytes = 0
        cost = len(line) + len(str(self._number)) + 2
        if cost > self._room:
            self._is_full = True
        else:
            self._room -= cost
            self._lines.append(line)
