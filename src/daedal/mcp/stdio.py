"""How does a server on this machine talk to us? One line of JSON per message, over its standard streams.

The process is started by the sandbox, which also ends it with everything it started. Standard input is a pipe of ours
that a shell puts in place, because the sandbox itself knows only input that is complete beforehand.
"""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Protocol

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from daedal.mcp.ending import Ending
from daedal.mcp.entries import ServerConfig
from daedal.mcp.lines import Lines
from daedal.protocol.seams import Finish, Job
from daedal.sandbox import SpawnFailed

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.client._transport import TransportStreams

PENDING_MAX = 4_096
"""Messages that wait to be looked at; a server that sends more at once is flooding."""
GRACE_S = 1.0
"""How long a server may take to leave once its input has ended."""
LAST_WORDS_BYTES = 65_536
SCRIPT = 'input=$1; shift; exec "$@" <"/dev/fd/$input"'


class Feeder(Protocol):
    """Starts processes, within walls or without."""

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]: ...

    async def feed(self, job: Job, take: Callable[[bytes], bool]) -> Finish:
        """Hands over the output piece by piece. Cancelled, it leaves no process behind. Raises SpawnFailed."""
        ...


@asynccontextmanager
async def process_streams(
    config: ServerConfig, spawner: Feeder, cwd: str, ending: Ending
) -> AsyncGenerator["TransportStreams"]:
    """Starts the server; leaving ends it."""
    child_end, our_end = os.pipe()
    try:
        writer = await _writer(our_end)
    except BaseException:
        os.close(child_end)
        raise
    incoming, read_stream = anyio.create_memory_object_stream[SessionMessage | Exception](PENDING_MAX)
    write_stream, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
    job = Job(
        argv=["/bin/sh", "-c", SCRIPT, "sh", str(child_end), config.command, *config.args],
        cwd=cwd,
        env=spawner.environment(config.env),
        output_bytes_max=LAST_WORDS_BYTES,
        pass_fds=(child_end,),
    )
    running = asyncio.create_task(_run(spawner, job, incoming, ending))
    running.add_done_callback(lambda _: ending.tell())
    sending = asyncio.create_task(_send(outgoing, writer))
    try:
        yield read_stream, write_stream
    finally:
        with anyio.CancelScope(shield=True):
            sending.cancel()
            writer.close()
            await asyncio.wait([running], timeout=GRACE_S)
            running.cancel()
            await asyncio.wait([running, sending])
        os.close(child_end)
        for stream in (incoming, read_stream, write_stream, outgoing):
            stream.close()


async def _writer(descriptor: int) -> asyncio.StreamWriter:
    loop = asyncio.get_running_loop()
    file = os.fdopen(descriptor, "wb", 0)
    protocol = asyncio.StreamReaderProtocol(asyncio.StreamReader())
    transport, _ = await loop.connect_write_pipe(lambda: protocol, file)
    return asyncio.StreamWriter(transport, protocol, None, loop)


async def _run(
    spawner: Feeder, job: Job, incoming: "MemoryObjectSendStream[SessionMessage | Exception]", ending: Ending
) -> None:
    """Until the server has ended. Closing `incoming` tells the session."""
    lines = Lines()

    def take(chunk: bytes) -> bool:
        for line in lines.feed(chunk):
            message = _message(line)
            if message is None:
                continue
            try:
                incoming.send_nowait(message)
            except anyio.WouldBlock:
                ending.reason = "it sent more messages than anybody could read"
                return False
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                return False  # nobody listens any more
        return True

    try:
        finish = await spawner.feed(job, take)
        ending.reason = ending.reason or _last_words(finish)
    except SpawnFailed as failure:
        ending.reason = str(failure)
    finally:
        incoming.close()


async def _send(outgoing: "MemoryObjectReceiveStream[SessionMessage]", writer: asyncio.StreamWriter) -> None:
    async for message in outgoing:
        text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
        writer.write(text.encode("utf-8", "replace") + b"\n")
        try:
            await writer.drain()
        except ConnectionError:
            return  # it has closed its input: its end is noticed by its output


def _message(line: bytes) -> SessionMessage | None:
    """None for what is no message: servers print all kinds of things."""
    if not line.lstrip().startswith(b"{"):
        return None
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError:
        return None


def _last_words(finish: Finish) -> str:
    said = finish.stderr.decode("utf-8", "replace").strip().splitlines()[-3:]
    code = f"it ended with exit code {finish.exit_code}"
    return f"{code}: {' / '.join(line.strip() for line in said)[-500:]}" if said else code
