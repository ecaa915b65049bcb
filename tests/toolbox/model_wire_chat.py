"""How does a scripted reply look to a Chat Completions client? One choice in deltas, usage in a chunk of its own."""

from collections.abc import Iterator
from typing import Any

from tests.toolbox.model_replies import Call, Reply, Thinking, Tokens, Words, cut

Json = dict[str, Any]


_STOPS = {
    "end_turn": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "refusal": "content_filter",
}


def _usage(usage: Tokens) -> Json:
    prompt = usage.input + usage.cache_read + usage.cache_write
    return {
        "prompt_tokens": prompt,
        "completion_tokens": usage.output,
        "total_tokens": prompt + usage.output,
        "prompt_tokens_details": {"cached_tokens": usage.cache_read},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    }


def _finish(reply: Reply) -> str:
    return "stop" if "stop_with_calls" in reply.quirks else _STOPS[reply.stopped]


def _call(part: Call, number: int, at: int, arguments: str) -> Json:
    call: Json = {"type": "function", "function": {"name": part.tool, "arguments": arguments}}
    name = part.id_at(number, at)
    return {"id": name} | call if name else call


def events(reply: Reply, model: str, number: int, *, include_usage: bool) -> Iterator[Json]:
    head = {"id": f"chatcmpl-{number:04}", "object": "chat.completion.chunk", "created": 1700000000, "model": model}

    def chunk(delta: Json, finish: str | None = None) -> Json:
        return head | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    yield chunk({"role": "assistant", "content": None if "null_content" in reply.quirks else ""})
    if "unknown_events" in reply.quirks:
        yield head | {"choices": [], "sky": [1, 2, 3]}
    count = 0
    for at, part in enumerate(reply.parts):
        if isinstance(part, Words):
            for piece in cut(part.text, part.chunks):
                yield chunk({"content": piece})
        elif isinstance(part, Thinking):
            for piece in cut(part.text, part.chunks):
                yield chunk({"reasoning_content": piece})
        elif isinstance(part, Call):
            if "no_index" in reply.quirks:
                yield chunk({"tool_calls": [_call(part, number, at, part.argument_text)]})
            else:
                yield chunk({"tool_calls": [{"index": count} | _call(part, number, at, "")]})
                for piece in cut(part.argument_text, part.pieces):
                    yield chunk({"tool_calls": [{"index": count, "function": {"arguments": piece}}]})
            count += 1
    yield chunk({}, _finish(reply))
    if include_usage and reply.usage is not None:
        yield head | {"choices": [], "usage": _usage(reply.usage)}


def whole(reply: Reply, model: str, number: int) -> Json:
    message: Json = {"role": "assistant", "content": "".join(p.text for p in reply.parts if isinstance(p, Words))}
    called = [
        _call(part, number, at, part.argument_text) for at, part in enumerate(reply.parts) if isinstance(part, Call)
    ]
    if called:
        message["tool_calls"] = called
    return {
        "id": f"chatcmpl-{number:04}",
        "object": "chat.completion",
        "created": 1700000000,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": _finish(reply)}],
        "usage": _usage(reply.usage or Tokens()),
    }


def trouble(kind: str) -> Json:
    """An error inside a stream."""
    return {"error": {"message": "Overloaded", "type": kind, "code": 503}}
