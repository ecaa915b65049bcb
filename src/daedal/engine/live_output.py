"""What does a person see of a command while it runs? What it prints, soon and not too often, without known credentials.

A command may print faster than anybody reads. So pieces are gathered for a moment, of what comes meanwhile the
beginning and the end are kept, and once much was shown the moments get longer. What may be the beginning of a
credential waits until it is clear that it is none.
"""

import asyncio
import codecs
from collections import deque

from daedal.protocol.events import CommandOutputDelta
from daedal.protocol.redaction import Redactor
from daedal.protocol.service import Faces

PAUSE_S = 0.05
LONG_PAUSE_S = 0.5
SHOWN_QUICKLY_BYTES = 262_144
"""After so much, each pause is a long one."""
SIDE_BYTES_MAX = 8_192
"""Of what comes within one pause, so much of the beginning and so much of the end is shown."""


class LiveOutput:
    """One command's output on its way to the faces."""

    def __init__(self, faces: Faces, redact: Redactor, *, thread_id: str, turn_id: str, item_id: str) -> None:
        self._faces = faces
        self._redact = redact
        self._at = {"thread_id": thread_id, "turn_id": turn_id, "item_id": item_id}
        self._text = _Gathered()
        self._shown_bytes = 0
        self._held = ""
        self._came = asyncio.Event()
        self._ending: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pump: asyncio.Task[None] | None = None

    def __call__(self, stream: int, chunk: bytes) -> None:
        self._text.add(stream, chunk)
        self._came.set()
        if self._pump is None:
            self._pump = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Shows what is left. Cancelled, it shows no more."""
        if self._pump is None:
            return
        if not self._ending.done():
            self._ending.set_result(None)
        self._came.set()
        try:
            await asyncio.wait([self._pump])
            await self.show(is_last=True)
        finally:
            self._pump.cancel()

    async def _run(self) -> None:
        while not self._ending.done():
            await self._came.wait()
            self._came.clear()
            await self.show(is_last=False)
            pause = PAUSE_S if self._shown_bytes < SHOWN_QUICKLY_BYTES else LONG_PAUSE_S
            await asyncio.wait([self._ending], timeout=pause)

    async def show(self, *, is_last: bool) -> None:
        shown: list[str] = []
        for piece in self._text.take(is_last=is_last):
            if isinstance(piece, int):
                # What was held is part of what is left out: nobody can tell any more how it went on.
                shown.append(f"\n[… {piece + len(self._held.encode())} bytes are not shown …]\n")
                self._held = ""
                continue
            text = self._held + piece
            until = self._redact.shown_until(text)
            shown.append(self._redact(text[:until]))
            self._held = text[until:]
        if is_last and self._held:
            shown.append(self._redact(self._held))
            self._held = ""
        delta = "".join(shown)
        if delta:
            self._shown_bytes += len(delta)
            await self._faces.emit(self._at["thread_id"], CommandOutputDelta(**self._at, delta=delta))


class _Gathered:
    """What came since it was last taken: the beginning, the end, and how much is missing between them."""

    def __init__(self) -> None:
        self._decoders = {stream: codecs.getincrementaldecoder("utf-8")("replace") for stream in (1, 2)}
        self._head: list[tuple[int, bytes]] = []
        self._head_bytes = 0
        self._tail: deque[tuple[int, bytes]] = deque()
        self._tail_bytes = 0
        self._missing = 0

    def add(self, stream: int, chunk: bytes) -> None:
        room = SIDE_BYTES_MAX - self._head_bytes
        if room > 0:
            self._head.append((stream, chunk[:room]))
            self._head_bytes += min(room, len(chunk))
            chunk = chunk[room:]
        if not chunk:
            return
        if len(chunk) > SIDE_BYTES_MAX:
            self._missing += len(chunk) - SIDE_BYTES_MAX
            chunk = chunk[-SIDE_BYTES_MAX:]
        self._tail.append((stream, chunk))
        self._tail_bytes += len(chunk)
        while self._tail_bytes > SIDE_BYTES_MAX:
            stream, first = self._tail.popleft()
            over = min(self._tail_bytes - SIDE_BYTES_MAX, len(first))
            self._missing += over
            self._tail_bytes -= over
            if over < len(first):
                self._tail.appendleft((stream, first[over:]))

    def take(self, *, is_last: bool) -> list[str | int]:
        """Text, and numbers of bytes that are missing at their place."""
        taken: list[str | int] = [self._decoded(self._head)]
        if self._missing:
            taken += self._end_after_gap()
        else:
            taken.append(self._decoded(self._tail))
        if is_last:
            taken.append("".join(decoder.decode(b"", final=True) for decoder in self._decoders.values()))
        self._head, self._head_bytes, self._missing = [], 0, 0
        self._tail.clear()
        self._tail_bytes = 0
        return [piece for piece in taken if piece]

    def _end_after_gap(self) -> list[str | int]:
        """From the first whole line on: what stands before it may be the rest of something that is not to be seen."""
        for decoder in self._decoders.values():
            decoder.reset()
        while self._tail:
            stream, piece = self._tail.popleft()
            end = piece.find(b"\n") + 1
            self._missing += end or len(piece)
            if end:
                self._tail.appendleft((stream, piece[end:]))
                break
        return [self._missing, self._decoded(self._tail)]

    def _decoded(self, pieces: "list[tuple[int, bytes]] | deque[tuple[int, bytes]]") -> str:
        return "".join(self._decoders[stream].decode(piece) for stream, piece in pieces)
