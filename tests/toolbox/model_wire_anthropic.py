"""How does a scripted reply look to an Anthropic client? Typed blocks, each opened, filled and closed by its index."""

from collections.abc import Iterator
from typing import Any

from tests.toolbox.model_replies import Call, HiddenThinking, Reply, Thinking, Tokens, Words, cut
from tests.toolbox.model_search import Page, Searched

Json = dict[str, Any]


def _usage(usage: Tokens) -> Json:
    return {
        "input_tokens": usage.input,
        "cache_creation_input_tokens": usage.cache_write,
        "cache_read_input_tokens": usage.cache_read,
        "output_tokens": usage.output,
    }


def _message(reply: Reply, model: str, number: int) -> Json:
    message: Json = {
        "id": f"msg_{number:04}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
    }
    if reply.usage is not None:
        message["usage"] = _usage(reply.usage) | {"output_tokens": 1}
    return message


def _block(part: Any, number: int, at: int) -> Json:
    if isinstance(part, Words):
        return {"type": "text", "text": part.text}
    if isinstance(part, Thinking):
        return {"type": "thinking", "thinking": part.text, "signature": part.signature}
    if isinstance(part, HiddenThinking):
        return {"type": "redacted_thinking", "data": part.data}
    return {"type": "tool_use", "id": part.id_at(number, at), "name": part.tool, "input": part.input}


def events(reply: Reply, model: str, number: int) -> Iterator[Json]:
    yield {"type": "message_start", "message": _message(reply, model, number)}
    yield {"type": "ping"}
    if "unknown_events" in reply.quirks:
        yield {"type": "weather_report", "sky": [1, 2, 3]}
    for at, part in enumerate(reply.parts):
        if isinstance(part, Searched):
            yield from _search(part, at)
            continue
        opened = _block(part, number, at)
        filled: list[Json] = []
        if isinstance(part, Words):
            opened["text"] = ""
            filled = [{"type": "text_delta", "text": piece} for piece in cut(part.text, part.chunks)]
        elif isinstance(part, Thinking):
            opened |= {"thinking": "", "signature": ""}
            filled = [{"type": "thinking_delta", "thinking": piece} for piece in cut(part.text, part.chunks)]
            filled.append({"type": "signature_delta", "signature": part.signature})
        elif isinstance(part, Call):
            opened["input"] = {}
            pieces = cut(part.argument_text, part.pieces) if part.input or part.arguments is not None else []
            filled = [{"type": "input_json_delta", "partial_json": piece} for piece in ("", *pieces)]
        yield {"type": "content_block_start", "index": at, "content_block": opened}
        for delta in filled:
            yield {"type": "content_block_delta", "index": at, "delta": delta}
        yield {"type": "content_block_stop", "index": at}
    ending: Json = {"type": "message_delta", "delta": {"stop_reason": reply.stopped, "stop_sequence": None}}
    if reply.usage is not None:
        ending["usage"] = {"output_tokens": reply.usage.output}
    yield ending
    yield {"type": "message_stop"}


def _search(part: Searched, at: int) -> Iterator[Json]:
    """The query, the results in one block that is whole when it opens, and a cited sentence for each page."""
    asked = {"type": "server_tool_use", "id": f"srvtoolu_{at}", "name": "web_search", "input": {}}
    query = {"type": "input_json_delta", "partial_json": '{"query":"as asked"}'}
    yield from _filled(at, asked, [query])
    content: Any = [_result(page) for page in part.pages]
    if part.trouble:
        content = {"type": "web_search_tool_result_error", "error_code": part.trouble}
    result = {"type": "web_search_tool_result", "tool_use_id": asked["id"], "content": content}
    yield from _filled(at + 1, result, [])
    for place, page in enumerate(part.cited, at + 2):
        where = {"type": "web_search_result_location", "url": page.url, "title": page.title, "cited_text": page.said}
        deltas = [
            {"type": "citations_delta", "citation": where | {"encrypted_index": "ZW5j"}},
            {"type": "text_delta", "text": page.said},
        ]
        yield from _filled(place, {"type": "text", "text": "", "citations": []}, deltas)


def _result(page: Page) -> Json:
    return {
        "type": "web_search_result",
        "url": page.url,
        "title": page.title,
        "encrypted_content": "ZW5jcnlwdGVk",
        "page_age": page.age,
    }


def _filled(index: int, block: Json, deltas: list[Json]) -> Iterator[Json]:
    yield {"type": "content_block_start", "index": index, "content_block": block}
    for delta in deltas:
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}


def whole(reply: Reply, model: str, number: int) -> Json:
    """The reply as one object, for a client that did not ask for a stream."""
    answer = _message(reply, model, number)
    answer["content"] = [_block(part, number, at) for at, part in enumerate(reply.parts)]
    answer["stop_reason"] = reply.stopped
    answer["usage"] = _usage(reply.usage or Tokens())
    return answer


def trouble(kind: str) -> Json:
    """An error event inside a stream."""
    code = "overloaded_error" if kind == "overloaded" else "api_error"
    return {"type": "error", "error": {"type": code, "message": "Overloaded"}}
