"""How do envelopes travel over a stream of bytes? One JSON object a line, both ways, as the Codex app-server has it.

Nothing that the other end sends is trusted: a line has a bound, and what is no envelope becomes a `Malformed` that the
owner of the connection may answer. What waits to be written has a bound too: whoever does not read is let go, with a
last line that says so, instead of memory growing or the engine waiting.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol, cast

import msgspec

from daedal.protocol.catalogue import say
from daedal.protocol.events import METHODS, Warned
from daedal.protocol.wire import (
    INVALID_REQUEST,
    PARSE_ERROR,
    Envelope,
    Malformed,
    Notification,
    Request,
    Response,
    WireError,
)

LINE_BYTES_MAX = 16 * 1024 * 1024
WAITING_BYTES_MAX = 16 * 1024 * 1024
"""What may wait for a slow reader."""
WRITTEN_AT_ONCE = 256 * 1024
READ_AT_ONCE = 64 * 1024
LAST_WORD_S = 5.0
"""How long a reader that was too slow, or is told to go, may take for what it still gets."""
INT64_MAX = 2**63 - 1

_encode = msgspec.json.Encoder().encode


class Source(Protocol):
    """Where bytes come from; `asyncio.StreamReader` is one."""

    async def read(self, n: int) -> bytes: ...


class Sink(Protocol):
    """Where bytes go."""

    def write(self, data: bytes) -> None: ...

    async def drain(self) -> None:
        """Waits while the other end is slow. Raises OSError when it is gone."""
        ...

    async def close(self) -> None:
        """Returns when everything has been handed over."""
        ...

    def abort(self) -> None:
        """At once. Nothing more can be read from the source either."""
        ...


class StreamSink:
    """The writing side of a socket."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self.write = writer.write
        self.drain = writer.drain
        self._is_closed = False

    async def close(self) -> None:
        self._writer.close()
        await self._writer.wait_closed()
        self._is_closed = True

    def abort(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._writer.transport.abort()


class LineTransport:
    """One end. `send` never waits: it is the other end's business to keep up."""

    def __init__(self, source: Source, sink: Sink, *, waiting_bytes_max: int = WAITING_BYTES_MAX) -> None:
        self._source = source
        self._sink = sink
        self._waiting_bytes_max = waiting_bytes_max
        self._heard = bytearray()
        self._searched = 0
        self._is_skipping = False
        self._is_over = False
        self._waiting: list[bytes] = []
        self._waiting_bytes = 0
        self._has_work = asyncio.Event()
        self._closed = False
        self.is_slow = False
        """Let go because it did not read."""
        self.on_slow: Callable[[], None] | None = None
        """Told when that happens."""
        self._writing = asyncio.create_task(self._write())

    async def send(self, envelope: Envelope) -> None:
        self.push(envelope)

    def push(self, envelope: Envelope) -> None:
        if self._closed:
            raise ConnectionError("the other end is gone")
        line = line_of(envelope)
        self._waiting.append(line)
        self._waiting_bytes += len(line)
        if self._waiting_bytes > self._waiting_bytes_max:
            self._let_go()
        self._has_work.set()

    async def receive(self) -> Envelope | Malformed | None:
        while True:
            line = await self._line()
            if line is None or isinstance(line, Malformed):
                return line
            if line.strip():
                return read_line(line)

    def close(self) -> None:
        """What waits is still written, for a moment."""
        if not self._closed:
            self._closed = True
            self._has_work.set()
            asyncio.get_running_loop().call_later(LAST_WORD_S, self._writing.cancel)

    async def finished(self) -> None:
        """Everything that will ever be written has been."""
        await asyncio.wait([self._writing])

    def _let_go(self) -> None:
        notice = Warned(message=say("server.too_slow", size=self._waiting_bytes_max))
        last = Notification(method=METHODS[Warned], params=notice, emitted_at_ms=0)
        self._waiting = [line_of(last)]
        self._waiting_bytes = 0
        self.is_slow = True
        if self.on_slow is not None:
            self.on_slow()
        self.close()

    async def _write(self) -> None:
        try:
            while self._waiting or not self._closed:
                if self._waiting:
                    await self._flush()
                else:
                    self._has_work.clear()
                    await self._has_work.wait()
            await self._sink.close()
        except OSError:
            pass  # It left without reading to the end.
        finally:
            self._closed = True
            self._waiting.clear()
            self._sink.abort()

    async def _flush(self) -> None:
        """Hands over a part of what waits, and waits until the other end has taken most of it."""
        part, size = 0, 0
        while part < len(self._waiting) and size < WRITTEN_AT_ONCE:
            size += len(self._waiting[part])
            part += 1
        data = b"".join(self._waiting[:part])
        del self._waiting[:part]
        self._waiting_bytes = max(0, self._waiting_bytes - size)
        self._sink.write(data)
        await self._sink.drain()

    async def _line(self) -> bytes | Malformed | None:
        while True:
            at = self._heard.find(b"\n", self._searched)
            if at >= 0:
                line = bytes(self._heard[:at])
                del self._heard[: at + 1]
                self._searched = 0
                if self._is_skipping:
                    self._is_skipping = False
                    return _too_long()
                return line
            self._searched = len(self._heard)
            if self._searched > LINE_BYTES_MAX or self._is_skipping:
                self._is_skipping = True
                self._heard.clear()
                self._searched = 0
            if self._is_over or not (more := await self._read()):
                return self._rest()
            self._heard += more

    async def _read(self) -> bytes:
        try:
            return await self._source.read(READ_AT_ONCE)
        except OSError:
            return b""

    def _rest(self) -> bytes | Malformed | None:
        """Half a line at the end is a line all the same."""
        self._is_over = True
        rest, self._heard = bytes(self._heard), bytearray()
        self._searched = 0
        if self._is_skipping:
            self._is_skipping = False
            return _too_long()
        return rest or None


def line_of(envelope: Envelope) -> bytes:
    """Said to several clients, an envelope is written only once."""
    global _last  # the one that was written last, and its line
    if envelope is _last[0]:
        return _last[1]
    try:
        line = _encode(envelope) + b"\n"
    except UnicodeEncodeError:
        line = _escaped(envelope)
    _last = (envelope, line)
    return line


_last: tuple[Any, bytes] = (None, b"")


def _escaped(envelope: Envelope) -> bytes:
    """For file names that are no UTF-8: JSON can say them, but only as escapes."""
    import json

    return json.dumps(msgspec.to_builtins(envelope)).encode() + b"\n"


def read_line(line: bytes | str) -> Envelope | Malformed:
    """`jsonrpc` may stand in it or not."""
    try:
        told = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as trouble:
        return _malformed(None, PARSE_ERROR, f"this is no JSON: {trouble}")
    if not isinstance(told, dict):
        return _malformed(None, INVALID_REQUEST, "a message is one JSON object; batches are not supported")
    return _envelope(cast("dict[str, Any]", told))


def _envelope(told: dict[str, Any]) -> Envelope | Malformed:
    has_id, name = "id" in told, told.get("id")
    if has_id and (isinstance(name, bool) or not isinstance(name, int | str) or _is_beyond(name)):
        return _malformed(None, INVALID_REQUEST, "an id is a string or a 64-bit whole number")
    method = told.get("method")
    if "method" in told:
        if not isinstance(method, str):
            return _malformed(name, INVALID_REQUEST, "a method is a string")
        if has_id:
            return Request(id=cast("int | str", name), method=method, params=told.get("params"))
        sequence = told.get("sequence")
        return Notification(
            method=method,
            params=told.get("params"),
            emitted_at_ms=_whole(told.get("emittedAtMs")),
            sequence=_whole(sequence) if sequence is not None else None,
        )
    if not has_id or ("result" not in told and "error" not in told):
        return _malformed(name, INVALID_REQUEST, "this is neither a request nor an answer nor a notification")
    try:
        error = msgspec.convert(told.get("error"), WireError | None)
    except msgspec.ValidationError as trouble:
        return _malformed(None, INVALID_REQUEST, f"the error of this answer cannot be read: {trouble}")
    return Response(id=name, result=told.get("result"), error=error)


def _is_beyond(name: int | str) -> bool:
    return isinstance(name, int) and not -INT64_MAX - 1 <= name <= INT64_MAX


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _malformed(name: int | str | None, code: int, message: str) -> Malformed:
    return Malformed(id=name, error=WireError(code=code, message=message))


def _too_long() -> Malformed:
    return _malformed(None, INVALID_REQUEST, f"the line is longer than {LINE_BYTES_MAX} bytes and was not read")
