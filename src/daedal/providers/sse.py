"""Where does one server-sent event end and the next begin? Bytes go in as they arrive, whole payloads come out.

The names of events are left out: on every wire we speak, the payload says again what it is.
"""

EVENT_BYTES_MAX = 64 * 1_048_576
"""No event is longer; a server that never ends one must not fill the memory."""


class EventTooLong(Exception):
    pass


class EventSplitter:
    """Lines may end in LF, CRLF or CR, and the cuts between feeds may fall anywhere."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        """What came after the last complete event, joined only once the event ends."""
        self._size = 0
        self._carriage_return = False

    def feed(self, data: bytes) -> list[bytes]:
        """The payloads of all events that are now complete. Events without data are left out."""
        data = self._with_line_feeds(data)
        cut_inside = bool(self._pieces) and self._pieces[-1].endswith(b"\n") and data.startswith(b"\n")
        if not cut_inside and b"\n\n" not in data:
            self._hold(data)
            return []
        *blocks, rest = b"".join([*self._pieces, data]).split(b"\n\n")
        self._pieces.clear()
        self._size = 0
        self._hold(rest)
        return [payload for block in blocks if (payload := _payload(block))]

    def end(self) -> list[bytes]:
        """The payload of a last event that nobody ended."""
        self._carriage_return = False
        return self.feed(b"\n\n")

    def _hold(self, data: bytes) -> None:
        if data:
            self._pieces.append(data)
            self._size += len(data)
        if self._size > EVENT_BYTES_MAX:
            raise EventTooLong

    def _with_line_feeds(self, data: bytes) -> bytes:
        if self._carriage_return:
            data = b"\r" + data
        self._carriage_return = data.endswith(b"\r")
        if self._carriage_return:  # a line feed may follow, and then the two are one line end
            data = data[:-1]
        return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


def _payload(block: bytes) -> bytes:
    """The data of one event, its lines joined."""
    block = block.lstrip(b"\n")
    start = 0 if block.startswith(b"data:") else block.find(b"\ndata:") + 1
    if start == 0 and not block.startswith(b"data:"):
        return b""
    if block.find(b"\n", start) < 0:  # by far the usual case: one line of data, at the end
        return block[start + 5 :].strip()
    lines = [line[5:].removeprefix(b" ") for line in block[start:].split(b"\n") if line.startswith(b"data:")]
    return b"\n".join(lines).strip()
