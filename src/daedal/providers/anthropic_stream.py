"""How is a streamed reply of the Anthropic Messages API read? Blocks open, fill and close by their index."""

import msgspec
from msgspec import Raw, Struct

from daedal.protocol.model import Finished, StopReason, Usage
from daedal.providers.failures import from_stream, garbled, vendor_error
from daedal.providers.wire import ANTHROPIC, Reply

RETRIED = frozenset({"overloaded_error", "api_error", "rate_limit_error", "timeout_error"})
STOPS = {
    "tool_use": StopReason.TOOL_USE,
    "max_tokens": StopReason.MAX_TOKENS,
    "model_context_window_exceeded": StopReason.MAX_TOKENS,
    "refusal": StopReason.REFUSAL,
}


class _Delta(Struct):
    text: str = ""
    thinking: str = ""
    signature: str = ""
    partial_json: str = ""
    stop_reason: str | None = None


class _Block(Struct):
    type: str = ""
    id: str = ""
    name: str = ""
    text: str = ""
    thinking: str = ""
    signature: str = ""
    input: Raw = Raw(b"")


class _Usage(Struct):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class _Message(Struct):
    usage: _Usage | None = None


class _Event(Struct):
    type: str
    index: int = 0
    delta: _Delta | None = None
    content_block: Raw = Raw(b"")
    message: _Message | None = None
    usage: _Usage | None = None


class _Type(Struct):
    type: str = ""


class _Thinking(Struct, tag_field="type", tag="thinking"):
    thinking: str
    signature: str


class _Open:
    """A block that is being filled."""

    def __init__(self, block: _Block, raw: bytes) -> None:
        self.block = block
        self.raw = raw
        self.pieces: list[str] = []
        self.signature = block.signature


_EVENT = msgspec.json.Decoder(_Event)
_TYPE = msgspec.json.Decoder(_Type)
_BLOCK = msgspec.json.Decoder(_Block)
_KNOWN = frozenset(
    {"message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta"}
)


class AnthropicReader:
    def __init__(self) -> None:
        self._open: dict[int, _Open] = {}
        self._stop: str | None = None
        self._usage = _Usage()
        self.ended = False

    @property
    def complete(self) -> bool:
        return self.ended or self._stop is not None

    def read(self, payload: bytes, reply: Reply) -> None:
        try:
            event = _EVENT.decode(payload)
        except ValueError as error:
            if _is_foreign(payload):
                return
            raise garbled(str(error)) from error
        match event.type:
            case "content_block_delta":
                self._fill(event, reply)
            case "content_block_start":
                self._begin(event, reply)
            case "content_block_stop":
                self._close(event.index, reply)
            case "message_start":
                self._count(event.message.usage if event.message else None)
            case "message_delta":
                self._stop = event.delta.stop_reason if event.delta else None
                self._count(event.usage)
            case "message_stop":
                self.ended = True
            case "error":
                raise from_stream(vendor_error(payload), retried=RETRIED)
            case _:
                pass  # `ping`, and whatever the vendor adds later

    def _begin(self, event: _Event, reply: Reply) -> None:
        try:
            block = _BLOCK.decode(event.content_block)
        except ValueError as error:
            raise garbled(str(error)) from error
        self._open[event.index] = _Open(block, bytes(event.content_block))
        reply.text(block.text)
        reply.reasoning(block.thinking)
        if block.thinking:
            self._open[event.index].pieces.append(block.thinking)

    def _fill(self, event: _Event, reply: Reply) -> None:
        delta = event.delta
        if delta is None:
            return
        if delta.text:
            reply.text(delta.text)
            return
        block = self._open.get(event.index)
        if block is None:
            raise garbled(f"content_block_delta {event.index}")
        if delta.thinking:
            reply.reasoning(delta.thinking)
        block.pieces.append(delta.partial_json or delta.thinking)
        block.signature += delta.signature

    def _close(self, index: int, reply: Reply) -> None:
        block = self._open.pop(index, None)
        if block is None:
            return
        match block.block.type:
            case "tool_use":
                whole = bytes(block.block.input)  # some gateways send the input at once, and no deltas
                reply.call(block.block.id, block.block.name, "".join(block.pieces) or whole.decode())
            case "thinking":
                kept = _Thinking(thinking="".join(block.pieces), signature=block.signature)
                reply.keep(msgspec.json.encode(kept), ANTHROPIC)
            case "redacted_thinking":
                reply.keep(block.raw, ANTHROPIC)
            case _:
                pass

    def _count(self, usage: _Usage | None) -> None:
        """Later figures replace earlier ones; the last event repeats only some of them."""
        if usage is None:
            return
        known = self._usage
        for name in _Usage.__struct_fields__:
            value = getattr(usage, name)
            if value is not None:
                setattr(known, name, value)

    def finish(self, reply: Reply) -> Finished:
        used = self._usage
        stop = STOPS.get(self._stop or "", StopReason.TOOL_USE if reply.calls else StopReason.END_TURN)
        return Finished(
            stop,
            Usage(
                input_tokens=used.input_tokens or 0,
                output_tokens=used.output_tokens or 0,
                cache_read_tokens=used.cache_read_input_tokens or 0,
                cache_write_tokens=used.cache_creation_input_tokens or 0,
            ),
        )


def _is_foreign(payload: bytes) -> bool:
    """An event of a type that is not ours to understand."""
    try:
        return _TYPE.decode(payload).type not in _KNOWN
    except ValueError:
        return False
