"""How is a recorded conversation kept? A cassette: a JSONL file with one line per model call, all or nothing per line.

{"cassette": 1, "card": {…}, "request": {"messages": 3, "last": ["tool_result"], "tools": 6},
 "chunks": [{"text": "Reading."}, {"call": {"id": "…", "name": "Read", "arguments": "{…}"}}, {"finished": {…}}],
 "error": null}
"""

import os
from typing import Literal

import msgspec
from msgspec import Struct

from daedal.protocol.catalogue import say
from daedal.protocol.content import Kept
from daedal.protocol.errors import ConfigurationError
from daedal.protocol.model import (
    BlockKept,
    CallRequested,
    Chunk,
    Finished,
    ModelCard,
    ReasoningDelta,
    Retrying,
    TextDelta,
)
from daedal.protocol.turns import ErrorKind


class RecordedRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Enough to see what was asked; the words themselves are in the ledger."""

    messages: int
    last: list[str]
    """The kinds of blocks in the last message."""
    tools: int


class RecordedChunk(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Exactly one of these is set."""

    text: str | None = None
    reasoning: str | None = None
    call: CallRequested | None = None
    kept: Kept | None = None
    retrying: Retrying | None = None
    finished: Finished | None = None


class RecordedError(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    message: str
    kind: ErrorKind
    status: int | None = None


class RecordedCall(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    cassette: Literal[1] = 1
    card: ModelCard
    request: RecordedRequest
    chunks: list[RecordedChunk]
    place: str = ""
    """Which dialogue of the run it belongs to: sub-agents have theirs, side by side."""
    error: RecordedError | None = None
    """Set where the provider gave up after the chunks."""


_CALL = msgspec.json.Decoder(RecordedCall)


def recorded(chunk: Chunk) -> RecordedChunk:
    match chunk:
        case TextDelta(text):
            return RecordedChunk(text=text)
        case ReasoningDelta(text):
            return RecordedChunk(reasoning=text)
        case CallRequested():
            return RecordedChunk(call=chunk)
        case BlockKept(kept):
            return RecordedChunk(kept=kept)
        case Retrying():
            return RecordedChunk(retrying=chunk)
        case Finished():
            return RecordedChunk(finished=chunk)


def played(recorded: RecordedChunk) -> Chunk | None:
    """The chunk again; None where the line had none of them."""
    if recorded.text is not None:
        return TextDelta(recorded.text)
    if recorded.reasoning is not None:
        return ReasoningDelta(recorded.reasoning)
    if recorded.kept is not None:
        return BlockKept(recorded.kept)
    return recorded.call or recorded.retrying or recorded.finished


def open_for_append(path: str) -> int:
    """A file descriptor; the file can be read by nobody else. Raises ConfigurationError."""
    try:
        return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    except OSError as error:
        raise ConfigurationError(say("providers.cassette_unwritable", path=path, why=error.strerror)) from error


def read(path: str) -> list[RecordedCall]:
    """All calls of a cassette. Raises ConfigurationError with the file and the line."""
    try:
        with open(path, "rb") as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise ConfigurationError(say("providers.file_unreadable", path=path, why=error.strerror)) from error
    calls = [_call(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not calls:
        raise ConfigurationError(say("providers.cassette_empty", path=path))
    return calls


def _call(path: str, number: int, line: bytes) -> RecordedCall:
    try:
        call = _CALL.decode(line)
    except ValueError as error:
        raise ConfigurationError(say("providers.cassette_damaged", path=path, line=number, why=error)) from error
    whole = call.error is not None or (bool(call.chunks) and call.chunks[-1].finished is not None)
    if not whole or any(played(chunk) is None for chunk in call.chunks):
        why = say("providers.cassette_unfinished")
        raise ConfigurationError(say("providers.cassette_damaged", path=path, line=number, why=why))
    return call
