"""How is a streamed Responses API reply read? Items, each whole when done; reasoning is kept as the vendor sent it."""

from typing import Any

import msgspec
from msgspec import Raw, Struct

from daedal.protocol.model import Finished, StopReason, Usage
from daedal.providers.failures import VendorError, from_stream, garbled, vendor_error
from daedal.providers.wire import Reply

WIRE = "responses"

RETRIED = frozenset(
    {"server_error", "server_is_overloaded", "slow_down", "rate_limit_exceeded", "vector_store_timeout"}
)
_TEXT = frozenset({"response.output_text.delta", "response.refusal.delta"})
_REASONING = frozenset({"response.reasoning_summary_text.delta", "response.reasoning_text.delta"})
_ENDS = frozenset({"response.completed", "response.incomplete"})


class _InputDetails(Struct):
    cached_tokens: int | None = None


class _OutputDetails(Struct):
    reasoning_tokens: int | None = None


class _Usage(Struct):
    input_tokens: int | None = None
    output_tokens: int | None = None
    input_tokens_details: _InputDetails | None = None
    output_tokens_details: _OutputDetails | None = None


class _Incomplete(Struct):
    reason: str | None = None


class _Error(Struct):
    code: str | None = None
    message: str | None = None


class _Response(Struct):
    usage: _Usage | None = None
    incomplete_details: _Incomplete | None = None
    error: _Error | None = None


class _Item(Struct):
    type: str = ""
    call_id: str = ""
    name: str = ""
    arguments: str = ""


class _Event(Struct):
    """Of `item` and `response` only those are looked into whose event is ours."""

    type: str
    delta: Any = None
    item: Raw = Raw(b"")
    response: Raw = Raw(b"")


_EVENT = msgspec.json.Decoder(_Event)
_ITEM = msgspec.json.Decoder(_Item)
_RESPONSE = msgspec.json.Decoder(_Response)


class ResponsesReader:
    def __init__(self) -> None:
        self._response: _Response | None = None
        self._refused = False
        self.ended = False

    @property
    def complete(self) -> bool:
        return self.ended

    def read(self, payload: bytes, reply: Reply) -> None:
        if payload == b"[DONE]":
            return
        try:
            self._read(payload, reply)
        except ValueError as error:
            raise garbled(str(error)) from error

    def _read(self, payload: bytes, reply: Reply) -> None:
        event = _EVENT.decode(payload)
        kind = event.type
        if kind in _TEXT:
            self._refused = self._refused or kind == "response.refusal.delta"
            reply.text(str(event.delta))
        elif kind in _REASONING:
            reply.reasoning(str(event.delta))
        elif kind == "response.output_item.done":
            self._done(event.item, reply)
        elif kind in _ENDS:
            self._response = _RESPONSE.decode(event.response)
            self.ended = True
        elif kind == "response.failed":
            error = _RESPONSE.decode(event.response).error or _Error()
            raise from_stream(VendorError(error.message or "", error.code or "server_error"), retried=RETRIED)
        elif kind == "error":
            raise from_stream(vendor_error(payload), retried=RETRIED)

    def _done(self, raw: Raw, reply: Reply) -> None:
        item = _ITEM.decode(raw)
        if item.type == "function_call":
            reply.call(item.call_id, item.name, item.arguments)
        elif item.type == "reasoning":
            reply.keep(bytes(raw), WIRE)

    def finish(self, reply: Reply) -> Finished:
        response = self._response or _Response()
        return Finished(self._stop_reason(response, reply), _used(response.usage or _Usage()))

    def _stop_reason(self, response: _Response, reply: Reply) -> StopReason:
        if response.incomplete_details is not None:
            filtered = response.incomplete_details.reason == "content_filter"
            return StopReason.REFUSAL if filtered else StopReason.MAX_TOKENS
        if reply.calls:
            return StopReason.TOOL_USE
        return StopReason.REFUSAL if self._refused else StopReason.END_TURN


def _used(usage: _Usage) -> Usage:
    cached = (usage.input_tokens_details.cached_tokens if usage.input_tokens_details else None) or 0
    details = usage.output_tokens_details
    return Usage(
        input_tokens=max(0, (usage.input_tokens or 0) - cached),
        output_tokens=usage.output_tokens or 0,
        cache_read_tokens=cached,
        reasoning_tokens=(details.reasoning_tokens if details else None) or 0,
    )
