"""How does a scripted reply look to a Responses client? Items, each added, filled and done; the last event has all."""

from collections.abc import Iterator
from typing import Any

from tests.toolbox.model_replies import Call, HiddenThinking, Reply, Thinking, Words, cut
from tests.toolbox.model_search import Searched

Json = dict[str, Any]


def _item(part: Any, number: int, at: int, *, done: bool) -> Json:
    if isinstance(part, Words):
        content = [{"type": "output_text", "text": part.text, "annotations": []}] if done else []
        status = "completed" if done else "in_progress"
        name = f"msg_{number:04}_{at}"
        return {"id": name, "type": "message", "status": status, "role": "assistant", "content": content}
    if isinstance(part, Thinking | HiddenThinking):
        summary = isinstance(part, Thinking) and done
        return {
            "id": f"rs_{number:04}_{at}",
            "type": "reasoning",
            "summary": [{"type": "summary_text", "text": part.text}] if summary else [],
            "encrypted_content": part.signature if isinstance(part, Thinking) else part.data,
        }
    return {
        "id": f"fc_{number:04}_{at}",
        "type": "function_call",
        "status": "completed" if done else "in_progress",
        "call_id": part.id_at(number, at),
        "name": part.tool,
        "arguments": part.argument_text if done else "",
    }


def _response(reply: Reply, model: str, number: int, output: list[Json]) -> Json:
    cut = reply.stopped == "max_tokens"
    response: Json = {
        "id": f"resp_{number:04}",
        "object": "response",
        "created_at": 1700000000,
        "model": model,
        "status": "incomplete" if cut else "completed",
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "output": output,
        "usage": None,
    }
    if reply.usage is not None:
        used = reply.usage
        cached = {"cached_tokens": used.cache_read}
        response["usage"] = {
            "input_tokens": used.input + used.cache_read + used.cache_write,
            "input_tokens_details": cached,
            "output_tokens": used.output,
            "output_tokens_details": {"reasoning_tokens": used.reasoning},
            "total_tokens": used.input + used.cache_read + used.cache_write + used.output,
        }
    return response


def events(reply: Reply, model: str, number: int) -> Iterator[Json]:
    count = 0

    def event(kind: str, **fields: Any) -> Json:
        nonlocal count
        count += 1
        return {"type": kind, "sequence_number": count - 1} | fields

    opened = _response(reply, model, number, []) | {"status": "in_progress", "usage": None, "incomplete_details": None}
    yield event("response.created", response=opened)
    yield event("response.in_progress", response=opened)
    if "unknown_events" in reply.quirks:
        yield event("response.weather_report", sky=[1, 2, 3])
    output: list[Json] = []
    for at, part in enumerate(reply.parts):
        if isinstance(part, Searched):
            for place, item in enumerate(_search(part, number, at), at):
                yield event("response.output_item.done", output_index=place, item=item)
                output.append(item)
            continue
        item = _item(part, number, at, done=True)
        refused = isinstance(part, Words) and reply.stopped == "refusal"
        if refused:
            item["content"] = [{"type": "refusal", "refusal": part.text}]
        where: Json = {"output_index": at, "item_id": item["id"]}
        yield event("response.output_item.added", output_index=at, item=_item(part, number, at, done=False))
        if isinstance(part, Words):
            kind = "response.refusal" if refused else "response.output_text"
            empty = {"type": "refusal", "refusal": ""} if refused else {"type": "output_text", "text": ""}
            yield event("response.content_part.added", **where, content_index=0, part=empty)
            for piece in cut(part.text, part.chunks):
                yield event(f"{kind}.delta", **where, content_index=0, delta=piece)
            yield event(f"{kind}.done", **where, content_index=0, **({} if refused else {"text": part.text}))
            yield event("response.content_part.done", **where, content_index=0, part=item["content"][0])
        elif isinstance(part, Thinking):
            for piece in cut(part.text, part.chunks):
                yield event("response.reasoning_summary_text.delta", **where, summary_index=0, delta=piece)
        elif isinstance(part, Call):
            for piece in cut(part.argument_text, part.pieces):
                yield event("response.function_call_arguments.delta", **where, delta=piece)
            yield event("response.function_call_arguments.done", **where, arguments=part.argument_text)
        yield event("response.output_item.done", output_index=at, item=item)
        output.append(item)
    ending = "response.incomplete" if reply.stopped == "max_tokens" else "response.completed"
    yield event(ending, response=_response(reply, model, number, output))


def _search(part: Searched, number: int, at: int) -> Iterator[Json]:
    """The search with all addresses it looked at, and a message whose citations stand behind the sentences."""
    call = {
        "id": f"ws_{number:04}_{at}",
        "type": "web_search_call",
        "status": "failed" if part.trouble else "completed",
    }
    sources = [{"type": "url", "url": page.url} for page in part.pages]
    yield call | {"action": {"type": "search", "query": "as asked", "sources": sources}}
    text, annotations = "", []
    for page in part.cited:
        text += f"- {page.said} ("
        start, text = len(text), f"{text}[{page.title}]({page.url})"
        cited = {"type": "url_citation", "start_index": start, "end_index": len(text), "title": page.title}
        annotations.append(cited | {"url": f"{page.url}{'&' if '?' in page.url else '?'}utm_source=openai"})
        text += ")\n"
    content = [{"type": "output_text", "text": text, "annotations": annotations}]
    name = f"msg_{number:04}_{at}"
    yield {"id": name, "type": "message", "status": "completed", "role": "assistant", "content": content}


def whole(reply: Reply, model: str, number: int) -> Json:
    """The reply as one object, for a client that did not ask for a stream."""
    return _response(reply, model, number, [_item(part, number, at, done=True) for at, part in enumerate(reply.parts)])


def trouble(kind: str) -> Json:
    """The event of a response that failed half-way."""
    code = "server_is_overloaded" if kind == "overloaded" else "server_error"
    return {
        "type": "response.failed",
        "response": {"status": "failed", "error": {"code": code, "message": "Overloaded"}},
    }
