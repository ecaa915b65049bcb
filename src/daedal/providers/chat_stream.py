"""How is a streamed Chat Completions reply read? Deltas of one choice; calls assembled by index.

Many servers speak this wire, not all of them exactly. What we bear: content null or missing, calls without index or
without id, whole calls in one piece, several calls under one index, `stop` in spite of calls, no usage, no `[DONE]`.
"""

from typing import Any

import msgspec
from msgspec import Struct

from daedal.protocol.model import Finished, StopReason, Usage
from daedal.providers.failures import from_stream, garbled, vendor_error
from daedal.providers.wire import Reply

DONE = b"[DONE]"
RETRIED = frozenset({"overloaded", "overloaded_error", "server_error", "internal_server_error", "api_error", "timeout"})


class _Function(Struct):
    name: str | None = None
    arguments: str | None = None


class _Call(Struct):
    index: int | None = None
    id: str | None = None
    function: _Function | None = None


class _Delta(Struct):
    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    refusal: str | None = None
    tool_calls: list[_Call] | None = None


class _Choice(Struct):
    delta: _Delta | None = None
    finish_reason: str | None = None


class _PromptDetails(Struct):
    cached_tokens: int | None = None


class _CompletionDetails(Struct):
    reasoning_tokens: int | None = None


class _Usage(Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _PromptDetails | None = None
    completion_tokens_details: _CompletionDetails | None = None
    prompt_cache_hit_tokens: int | None = None
    """DeepSeek's word for cached tokens."""


class _Chunk(Struct):
    choices: list[_Choice] | None = None
    usage: _Usage | None = None
    error: Any = None


class _Assembled:
    """A call as far as it has come."""

    def __init__(self) -> None:
        self.id = ""
        self.name = ""
        self.arguments: list[str] = []


_CHUNK = msgspec.json.Decoder(_Chunk)


class ChatReader:
    def __init__(self) -> None:
        self._calls: list[_Assembled] = []
        self._by_index: dict[int, _Assembled] = {}
        self._stop: str | None = None
        self._refused = False
        self._usage: _Usage | None = None
        self.ended = False

    @property
    def complete(self) -> bool:
        return self.ended or self._stop is not None

    def read(self, payload: bytes, reply: Reply) -> None:
        if payload == DONE:
            self.ended = True
            return
        try:
            chunk = _CHUNK.decode(payload)
        except ValueError as error:
            raise garbled(str(error)) from error
        if chunk.error is not None:
            raise from_stream(vendor_error(payload), retried=RETRIED)
        if chunk.usage is not None:
            self._usage = chunk.usage
        for choice in chunk.choices or ():
            if choice.delta is not None:
                self._tell(choice.delta, reply)
            if choice.finish_reason:
                self._stop = choice.finish_reason

    def _tell(self, delta: _Delta, reply: Reply) -> None:
        if delta.content:
            reply.text(delta.content)
        if thought := delta.reasoning_content or delta.reasoning:
            reply.reasoning(thought)
        if delta.refusal:
            self._refused = True
            reply.text(delta.refusal)
        for piece in delta.tool_calls or ():
            self._add(piece)

    def _add(self, piece: _Call) -> None:
        call = self._call_of(piece)
        call.id = call.id or piece.id or ""
        if piece.function is not None:
            call.name = call.name or piece.function.name or ""
            if piece.function.arguments:
                call.arguments.append(piece.function.arguments)

    def _call_of(self, piece: _Call) -> _Assembled:
        """The call a piece belongs to: by index, or else the latest one, unless the piece clearly begins another."""
        known = (self._calls[-1] if self._calls else None) if piece.index is None else self._by_index.get(piece.index)
        named = piece.function is not None and bool(piece.function.name)
        other = named and known is not None and (piece.index is None or bool(piece.id and piece.id != known.id))
        if known is not None and not other:
            return known
        fresh = _Assembled()
        self._calls.append(fresh)
        if piece.index is not None:
            self._by_index[piece.index] = fresh
        return fresh

    def finish(self, reply: Reply) -> Finished:
        for call in self._calls:
            reply.call(call.id, call.name, "".join(call.arguments))
        return Finished(self._stop_reason(), self._used())

    def _stop_reason(self) -> StopReason:
        match self._stop:
            case "length":
                return StopReason.MAX_TOKENS
            case "content_filter":
                return StopReason.REFUSAL
            case _:
                pass
        if self._calls:
            return StopReason.TOOL_USE
        return StopReason.REFUSAL if self._refused else StopReason.END_TURN

    def _used(self) -> Usage:
        used = self._usage or _Usage()
        details = used.prompt_tokens_details
        cached = (details.cached_tokens if details else None) or used.prompt_cache_hit_tokens or 0
        written = used.completion_tokens_details
        return Usage(
            input_tokens=max(0, (used.prompt_tokens or 0) - cached),
            output_tokens=used.completion_tokens or 0,
            cache_read_tokens=cached,
            reasoning_tokens=(written.reasoning_tokens if written else None) or 0,
        )
