"""Where does one message of a server's end and the next begin? At a newline, and never later than memory allows."""

from collections.abc import Iterator

from daedal.mcp.salvage import TEXT_BYTES_MAX, salvaged

LINE_BYTES_MAX = 8 * 1_048_576
"""A picture or two in base64; whatever is longer is cut off while it is read."""
HEAD_BYTES = TEXT_BYTES_MAX + 4_096
TAIL_BYTES = 4_096


class Lines:
    """Takes pieces, gives whole lines. Of a line that is too long only what can be salvaged is given."""

    def __init__(self, *, prefix: bytes = b"", line_bytes_max: int = LINE_BYTES_MAX) -> None:
        """`prefix` stands before each message, as `data:` does in a stream of events."""
        self._prefix = prefix
        self._line_bytes_max = line_bytes_max
        self._parts: list[bytes] = []
        self._size = 0
        self._tail = b""
        """Of a line that is too long; its head is the one part."""

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Without the newlines."""
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            self._add(chunk[start:end])
            start = end + 1
            yield from self._finish()
        self._add(chunk[start:])

    def flush(self) -> Iterator[bytes]:
        """What is left when nothing more comes."""
        if self._size:
            yield from self._finish()

    def _add(self, piece: bytes) -> None:
        if not piece:
            return
        self._size += len(piece)
        if self._tail:
            self._tail = (self._tail + piece)[-TAIL_BYTES:]
            return
        self._parts.append(piece)
        if self._size > self._line_bytes_max:
            whole = b"".join(self._parts)
            self._parts = [whole[:HEAD_BYTES]]
            self._tail = whole[-TAIL_BYTES:]

    def _finish(self) -> Iterator[bytes]:
        line, tail, size = b"".join(self._parts), self._tail, self._size
        self._parts, self._tail, self._size = [], b"", 0
        if not tail:
            yield line
        elif (rest := salvaged(line.removeprefix(self._prefix).lstrip(), tail, size)) is not None:
            yield self._prefix + rest
