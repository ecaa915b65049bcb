"""How do messages travel over a pair of pipes? One JSON object a line; what is none gets an error for an answer.

The library's own reader ignores a broken line, gathers one of any length, and ends over one that is no object. So it is
given this one instead, through the seam that it has for it.
"""

import asyncio
import json
from typing import Any

from daedal.protocol.catalogue import say
from daedal.protocol.wire import INTERNAL_ERROR, INVALID_REQUEST

LINE_BYTES_MAX = 16 * 1024 * 1024
FAREWELL_S = 1.0
"""How long an editor may take to read our last words."""
PARSE_ERROR = -32700


class LineTransport:
    """The editor's end, as the library wants it. Once the editor is gone, what is sent goes nowhere."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pipe: asyncio.ReadTransport) -> None:
        self._reader = reader
        self._writer = writer
        self._pipe = pipe
        # Holds the order: an answer that waits for a slow editor must not be overtaken by what is said after it.
        self._turn = asyncio.Lock()
        self._is_gone = False

    async def send(self, message: dict[str, Any]) -> None:
        raw = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        async with self._turn:
            if self._is_gone:
                return
            try:
                self._writer.write(raw)
                await self._writer.drain()
            except OSError:
                self.end()

    async def receive(self) -> dict[str, Any] | None:
        """The next message that makes sense; None when the editor has left."""
        while (line := await self._line()) is not None:
            if line.strip():
                message = await self._sensible(line)
                if message is not None:
                    return message
        return None

    def end(self) -> None:
        """Nothing more is read or said: the editor left, or we want to."""
        self._is_gone = True
        self._pipe.close()

    async def close(self) -> None:
        self._writer.close()
        try:
            async with asyncio.timeout(FAREWELL_S):
                await self._writer.wait_closed()
        except (OSError, TimeoutError):
            self._writer.transport.abort()

    async def _line(self) -> bytes | None:
        is_too_long = False
        while True:
            try:
                line = await self._reader.readuntil(b"\n")
            except asyncio.LimitOverrunError as overrun:
                await self._reader.readexactly(overrun.consumed)
                is_too_long = True
                continue
            except asyncio.IncompleteReadError as end:
                return end.partial if end.partial and not is_too_long else None
            except OSError:
                return None
            if not is_too_long:
                return line
            await self._complain(None, INVALID_REQUEST, say("editor.line_too_long", limit=LINE_BYTES_MAX // 1024**2))
            is_too_long = False

    async def _sensible(self, line: bytes) -> dict[str, Any] | None:
        try:
            message: Any = json.loads(line)
        except (ValueError, RecursionError) as trouble:
            await self._complain(None, PARSE_ERROR, say("editor.no_json", error=trouble))
            return None
        if not isinstance(message, dict):
            await self._complain(None, INVALID_REQUEST, say("editor.no_object"))
            return None
        return await self._addressed(message)  # pyright: ignore[reportUnknownArgumentType]

    async def _addressed(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """A request, a notification or an answer; with ids and errors of a form that the library can take."""
        number = message.get("id")
        if not isinstance(number, str | int | None) or isinstance(number, bool):
            await self._complain(None, INVALID_REQUEST, say("editor.bad_id"))
            return None
        if "method" in message:
            if isinstance(message["method"], str):
                return message
            await self._complain(number, INVALID_REQUEST, say("editor.bad_method"))
            return None
        if number is None or not message.keys() & {"result", "error"}:
            await self._complain(number, INVALID_REQUEST, say("editor.no_method"))
            return None
        if "result" not in message and not isinstance(message["error"], dict):
            return {**message, "error": {"code": INTERNAL_ERROR, "message": str(message["error"])}}
        return message

    async def _complain(self, number: Any, code: int, sentence: str) -> None:
        await self.send({"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": sentence}})


async def line_transport(incoming: int, outgoing: int) -> LineTransport:
    """Over two pipes, sockets or terminals, which it closes in the end."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=LINE_BYTES_MAX)
    source, target = open(incoming, "rb", buffering=0), open(outgoing, "wb", buffering=0)  # noqa: SIM115 - they stay
    pipe, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), source)
    out, protocol = await loop.connect_write_pipe(lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), target)
    return LineTransport(reader, asyncio.StreamWriter(out, protocol, None, loop), pipe)
