"""How does a borrower that started us talk to us? One line of JSON per message, over a pair of pipes."""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    Streams = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]

LINE_BYTES_MAX = 16 * 1_048_576
FAREWELL_S = 1.0
"""How long a borrower may take to read our last words."""


@asynccontextmanager
async def pipe_streams(incoming: int, outgoing: int) -> AsyncGenerator["Streams"]:
    """Takes the descriptors over, and closes them. Raises OSError or ValueError for what is no pipe."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=LINE_BYTES_MAX)
    reading, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(incoming, "rb", 0)
    )
    # The flow of what is written is governed by a protocol, and only this one is there to be had.
    flow = asyncio.StreamReaderProtocol(asyncio.StreamReader())
    writing, _ = await loop.connect_write_pipe(lambda: flow, os.fdopen(outgoing, "wb", 0))
    writer = asyncio.StreamWriter(writing, flow, None, loop)
    heard, read_stream = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write_stream, said = anyio.create_memory_object_stream[SessionMessage](0)
    listening = asyncio.create_task(_listen(reader, heard, write_stream.clone()))
    speaking = asyncio.create_task(_speak(said, writer))
    try:
        yield read_stream, write_stream
    finally:
        with anyio.CancelScope(shield=True):
            listening.cancel()
            await asyncio.wait([listening])
            for stream in (heard, read_stream, write_stream):
                stream.close()
            await asyncio.wait([speaking], timeout=FAREWELL_S)
            speaking.cancel()
            await asyncio.wait([speaking])
            said.close()
            if not reading.is_closing():
                reading.close()
            if writing.get_write_buffer_size():
                writing.abort()
            elif not writing.is_closing():
                writing.close()


async def _listen(
    reader: asyncio.StreamReader,
    heard: "MemoryObjectSendStream[SessionMessage | Exception]",
    answers: "MemoryObjectSendStream[SessionMessage]",
) -> None:
    """Until the borrower closes its end, which closing `heard` tells the session."""
    with heard, answers:
        while (line := await _line(reader)) is not None:
            if not line.strip():
                continue
            try:
                message = jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValueError:
                is_json = line.lstrip().startswith(b"{")
                await answers.send(_refusal(INVALID_REQUEST if is_json else PARSE_ERROR))
                continue
            await heard.send(SessionMessage(message))


async def _line(reader: asyncio.StreamReader) -> bytes | None:
    """The next one; of one that is too long, nothing that makes sense."""
    is_too_long = False
    while True:
        try:
            line = await reader.readuntil(b"\n")
        except asyncio.LimitOverrunError as overrun:
            await reader.readexactly(overrun.consumed)
            is_too_long = True
            continue
        except asyncio.IncompleteReadError as end:
            return end.partial or None
        except OSError:
            return None
        return b"{" if is_too_long else line


def _refusal(code: int) -> SessionMessage:
    message = "this is no message of the protocol, or too long for one"
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=code, message=message)))


async def _speak(said: "MemoryObjectReceiveStream[SessionMessage]", writer: asyncio.StreamWriter) -> None:
    async for message in said:
        # Only what is unset is left out: an id that is null must be seen.
        text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
        writer.write(text.encode("utf-8", "replace") + b"\n")
        try:
            await writer.drain()
        except OSError:
            said.close()
            return  # It has closed its end: its leaving is noticed by what it says.
    writer.close()
    try:
        await writer.wait_closed()
    except OSError:
        return
