"""Which wire does a request speak, and how does a scripted reply look on it? One file per wire has the details."""

from typing import Any

import msgspec

from tests.toolbox import model_wire_anthropic, model_wire_chat, model_wire_responses
from tests.toolbox.model_replies import Reply

Json = dict[str, Any]

ANTHROPIC = "anthropic"
CHAT = "chat"
RESPONSES = "responses"
_WIRES = {ANTHROPIC: model_wire_anthropic, CHAT: model_wire_chat, RESPONSES: model_wire_responses}
_ENDINGS = (("/v1/messages", ANTHROPIC), ("/chat/completions", CHAT), ("/responses", RESPONSES))


def wire_of(path: str) -> str | None:
    """Which wire a path speaks, whatever stands before it."""
    plain = path.partition("?")[0].rstrip("/")
    return next((wire for ending, wire in _ENDINGS if plain.endswith(ending)), None)


def depth_of(wire: str, body: Json) -> int:
    """How many replies the conversation in a request already holds."""
    if wire != RESPONSES:
        return sum(1 for message in body.get("messages", ()) if message.get("role") == "assistant")
    depth, inside = 0, False
    given = body.get("input", ())
    for item in given if isinstance(given, list) else ():
        kinds = ("function_call", "custom_tool_call", "reasoning")
        ours = item.get("role") == "assistant" or item.get("type") in kinds
        depth += ours and not inside
        inside = ours
    return depth


def events(wire: str, reply: Reply, *, model: str, number: int, include_usage: bool = True) -> list[bytes]:
    """The reply as server-sent events. `number` makes ids unique and repeatable."""
    if wire == CHAT:
        sent = [_data(event) for event in model_wire_chat.events(reply, model, number, include_usage=include_usage)]
        return sent if "no_done" in reply.quirks else [*sent, b"data: [DONE]\n\n"]
    return [_named(event) for event in _WIRES[wire].events(reply, model, number)]


def whole(wire: str, reply: Reply, *, model: str, number: int) -> bytes:
    """The reply as one JSON object, for a client that did not ask for a stream."""
    return msgspec.json.encode(_WIRES[wire].whole(reply, model, number))


def trouble(wire: str, kind: str) -> bytes:
    """An error event inside a stream; `kind` is `overloaded` or `server_error`."""
    event = _WIRES[wire].trouble(kind)
    return _data(event) if wire == CHAT else _named(event)


def error_body(wire: str, status: int, message: str) -> bytes:
    kind = {401: "authentication_error", 429: "rate_limit_error", 529: "overloaded_error"}.get(status)
    kind = kind or ("invalid_request_error" if status < 500 else "api_error")
    error: Json = {"type": kind, "message": message}
    return msgspec.json.encode({"type": "error", "error": error} if wire == ANTHROPIC else {"error": error})


def _data(event: Json) -> bytes:
    return b"data: " + msgspec.json.encode(event) + b"\n\n"


def _named(event: Json) -> bytes:
    return b"event: " + event["type"].encode() + b"\n" + _data(event)
