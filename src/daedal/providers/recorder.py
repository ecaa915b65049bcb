"""How does a conversation get onto a cassette? A provider is wrapped, and each call that ends is appended as it was."""

import errno
import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing

import msgspec
from msgspec import Raw

from daedal.protocol.catalogue import say
from daedal.protocol.content import Kept, Message
from daedal.protocol.errors import ConfigurationError, ProviderError
from daedal.protocol.model import Brief, CallRequested, Chunk, ModelCard, ToolSpec
from daedal.protocol.seams import Dialogue, Provider, Sendable
from daedal.providers.cassette import (
    RecordedCall,
    RecordedChunk,
    RecordedError,
    RecordedRequest,
    open_for_append,
    recorded,
)

Redact = Callable[[str], str]


def recording(provider: Provider, path: str, redact: Redact) -> Provider:
    """The same provider, whose finished calls are appended to the cassette. Cancelled calls leave no trace."""
    return RecordingProvider(provider, path, redact)


class RecordingProvider:
    def __init__(self, provider: Provider, path: str, redact: Redact) -> None:
        self._provider = provider
        self._path = path
        self._redact = redact
        self._file = open_for_append(path)

    @property
    def card(self) -> ModelCard:
        return self._provider.card

    def open(self, brief: Brief) -> "RecordingDialogue":
        return RecordingDialogue(self._provider.open(brief), self, brief)

    async def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        await self._provider.close()

    def keep(self, place: str, request: RecordedRequest, chunks: list[Chunk], error: ProviderError | None) -> None:
        """One write per line, so that two processes on one cassette do not mix theirs."""
        call = RecordedCall(
            card=self.card,
            place=place,
            request=request,
            chunks=redacted([recorded(chunk) for chunk in chunks], self._redact),
            error=None
            if error is None
            else RecordedError(message=self._redact(str(error)), kind=error.kind, status=error.status),
        )
        try:
            line = msgspec.json.encode(call) + b"\n"
            if os.write(self._file, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as failed:
            why = failed.strerror
            raise ConfigurationError(say("providers.cassette_unwritable", path=self._path, why=why)) from failed


class RecordingDialogue:
    def __init__(self, dialogue: Dialogue, cassette: RecordingProvider, brief: Brief) -> None:
        self._dialogue = dialogue
        self._cassette = cassette
        self._place = brief.place
        self._tools = len(brief.tools)
        self._messages = 0
        self._last: list[str] = []

    def append(self, message: Message) -> None:
        self._dialogue.append(message)
        self._messages += 1
        self._last = [str(block.__struct_config__.tag) for block in message.content]

    def offer(self, tools: Sequence[ToolSpec]) -> None:
        self._dialogue.offer(tools)
        self._tools = len(tools)

    @property
    def size(self) -> int:
        return self._dialogue.size

    def request(self) -> bytes:
        return self._dialogue.request() if isinstance(self._dialogue, Sendable) else b""

    def stream(self, *, output_tokens_max: int | None = None) -> AsyncIterator[Chunk]:
        request = RecordedRequest(messages=self._messages, last=self._last, tools=self._tools)
        return self._recorded(request, self._dialogue.stream(output_tokens_max=output_tokens_max))

    async def _recorded(self, request: RecordedRequest, stream: AsyncIterator[Chunk]) -> AsyncGenerator[Chunk, None]:
        chunks: list[Chunk] = []
        try:
            async with aclosing(_generator(stream)) as source:
                async for chunk in source:
                    chunks.append(chunk)
                    yield chunk
        except ProviderError as error:
            self._cassette.keep(self._place, request, chunks, error)
            raise
        self._cassette.keep(self._place, request, chunks, None)


async def _generator(stream: AsyncIterator[Chunk]) -> AsyncGenerator[Chunk, None]:
    async for chunk in stream:
        yield chunk


def redacted(chunks: list[RecordedChunk], redact: Redact) -> list[RecordedChunk]:
    """Without known secrets, also where one is spread over several deltas."""
    clean = [_clean(chunk, redact) for chunk in chunks]
    clean = _joined_if_secret(clean, [chunk.text for chunk in clean], lambda text: RecordedChunk(text=text), redact)
    thoughts = [chunk.reasoning for chunk in clean]
    return _joined_if_secret(clean, thoughts, lambda text: RecordedChunk(reasoning=text), redact)


def _clean(chunk: RecordedChunk, redact: Redact) -> RecordedChunk:
    if chunk.call is not None:
        call = chunk.call
        return RecordedChunk(call=CallRequested(call.id, call.name, redact(call.arguments)))
    if chunk.kept is not None:
        kept = chunk.kept
        block = Raw(redact(bytes(kept.block).decode()).encode())
        return RecordedChunk(kept=Kept(index=kept.index, block=block, wire=kept.wire))
    if chunk.text is not None:
        return RecordedChunk(text=redact(chunk.text))
    if chunk.reasoning is not None:
        return RecordedChunk(reasoning=redact(chunk.reasoning))
    return chunk


def _joined_if_secret(
    chunks: list[RecordedChunk], texts: list[str | None], made: Callable[[str], RecordedChunk], redact: Redact
) -> list[RecordedChunk]:
    """Where the deltas of one kind hold a secret only when read together, the first one gets the whole clean text."""
    joined = "".join(text for text in texts if text is not None)
    whole = redact(joined)
    if whole == joined:
        return chunks
    first = next(at for at, text in enumerate(texts) if text is not None)
    return [
        made(whole) if at == first else chunk for at, chunk in enumerate(chunks) if at == first or texts[at] is None
    ]
