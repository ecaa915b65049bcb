"""Where does a response begin and end? HTTP/1.1 framing: a head, then a body by chunks, by length or to the end."""

from msgspec import Struct

from daedal.protocol.catalogue import say
from daedal.protocol.turns import ErrorKind
from daedal.providers.connection import Connection
from daedal.providers.failures import Failure

HEAD_BYTES_MAX = 65_536
CHUNK_LINE_BYTES_MAX = 16_384


class Head(Struct, frozen=True):
    status: int
    headers: dict[str, str]
    """Names in lower case; of a repeated header the last value counts."""
    keep_alive: bool


async def read_head(connection: Connection, timeout_s: float) -> Head:
    """Waits for the final head; interim ones (100, 103) are passed over."""
    while True:
        head = _parsed(await _head_bytes(connection, timeout_s))
        if head.status >= 200 or head.status == 101:
            return head


async def _head_bytes(connection: Connection, timeout_s: float) -> str:
    buffer = connection.buffer
    while (end := buffer.find(b"\r\n\r\n")) < 0:
        if buffer and not buffer.startswith(b"HTTP/"[: len(buffer)]):
            raise _not_http()
        if len(buffer) > HEAD_BYTES_MAX:
            raise _not_http()
        if not await connection.more(timeout_s):
            raise connection.lost()
    head = buffer[:end].decode("latin-1")
    del buffer[: end + 4]
    return head


def _parsed(text: str) -> Head:
    first, *lines = text.split("\r\n")
    version, _, rest = first.partition(" ")
    status = rest[:3]
    if not version.startswith("HTTP/1.") or not (status.isascii() and status.isdigit() and len(status) == 3):
        raise _not_http()
    headers: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    wish = headers.get("connection", "").lower()
    keep_alive = "close" not in wish if version == "HTTP/1.1" else "keep-alive" in wish
    return Head(int(status), headers, keep_alive)


class Body:
    """The body of one response, read as it arrives."""

    def __init__(self, connection: Connection, head: Head) -> None:
        self._connection = connection
        self._chunked = "chunked" in head.headers.get("transfer-encoding", "").lower()
        self._left: int | None = None
        """Bytes still to come: of the whole body, or of the current chunk. None: until the connection ends."""
        self._chunk_open = False
        """A chunk's data was read, its line end not yet."""
        self._trailers = False
        self.finished = False
        if self._chunked:
            self._left = 0
        elif "content-length" in head.headers:
            self._left = _size(head.headers["content-length"], 10)
            self.finished = self._left == 0
        elif head.status in (204, 304):
            self.finished = True

    async def read(self, timeout_s: float) -> bytes:
        """Everything that has arrived, at least a byte. Empty at the end; a body that breaks off is a Failure."""
        while not self.finished:
            if data := self.arrived():
                return data
            if not self.finished and not await self._connection.more(timeout_s):
                self._end()
        return b""

    def arrived(self) -> bytes:
        """What can be had without waiting."""
        if self.finished:
            return b""
        buffer = self._connection.buffer
        if self._chunked:
            return self._chunks(buffer)
        size = len(buffer) if self._left is None else min(len(buffer), self._left)
        data = bytes(buffer[:size])
        del buffer[:size]
        if self._left is not None:
            self._left -= size
            self.finished = self._left == 0
        return data

    def _end(self) -> None:
        if self._chunked or self._left is not None:
            raise self._connection.lost()
        self.finished = True

    def _chunks(self, buffer: bytearray) -> bytes:
        pieces: list[bytearray] = []
        at = 0
        while at < len(buffer) and not self.finished:
            if self._left:
                piece = buffer[at : at + self._left]
                pieces.append(piece)
                at += len(piece)
                self._left -= len(piece)
                continue
            end = buffer.find(b"\r\n", at)
            if end < 0:
                if len(buffer) - at > CHUNK_LINE_BYTES_MAX:
                    raise _not_http()
                break
            self._line(buffer[at:end])
            at = end + 2
        del buffer[:at]
        return b"".join(pieces)

    def _line(self, line: bytearray) -> None:
        """A line between the data: a chunk's end, the next one's size, or a trailer."""
        if self._chunk_open:
            if line:
                raise _not_http()
            self._chunk_open = False
        elif self._trailers:
            self.finished = not line
        else:
            self._left = _size(line.partition(b";")[0].decode("latin-1"), 16)
            self._chunk_open = self._left > 0
            self._trailers = self._left == 0


def _size(text: str, base: int) -> int:
    try:
        size = int(text, base)
    except ValueError as error:
        raise _not_http() from error
    if size < 0:
        raise _not_http()
    return size


def _not_http() -> Failure:
    return Failure(say("providers.not_http"), ErrorKind.CONFIGURATION, retry=False, advice=say("providers.check_url"))
