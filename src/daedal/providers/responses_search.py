"""How does the Responses API search the web? With a tool that its own server runs.

A search is an item that lists every page it looked at, by its URL alone. Titles, and what a page says, are known from
the citations in the message that follows: each stands behind the words it supports.
"""

import msgspec
from msgspec import Struct

from daedal.providers.choice import Choice
from daedal.providers.findings import ANSWER_TOKENS_MAX, TASK, SearchHits, WebQuery
from daedal.providers.responses_stream import ResponsesReader
from daedal.providers.wire import Reader, Reply, to_json

THINKING_TOKENS = 4_096
"""Reasoning counts as output here."""


class ResponsesSearch:
    def __init__(self, choice: Choice) -> None:
        self._model = choice.card.wire_model
        self._reasons = choice.endpoint.reasoning_effort is not None
        limit = ANSWER_TOKENS_MAX + THINKING_TOKENS
        self._output_tokens_max = min(choice.model.output_tokens_max or limit, limit)

    def request(self, query: WebQuery) -> bytes:
        tool: dict[str, object] = {"type": "web_search"}
        if query.allowed_domains:
            tool["filters"] = {"allowed_domains": query.allowed_domains}
        content = [{"type": "input_text", "text": TASK + query.text}]
        asked: dict[str, object] = {
            "model": self._model,
            "stream": True,
            "store": False,
            "include": ["web_search_call.action.sources"],
            "tools": [tool],
            "tool_choice": "required",
            "max_output_tokens": self._output_tokens_max,
            "input": [{"type": "message", "role": "user", "content": content}],
        }
        if self._reasons:
            asked["reasoning"] = {"effort": "low"}  # The least that searches with every model.
        return to_json(asked)

    def reader(self, hits: SearchHits) -> Reader:
        return ResponsesSearchReader(hits)


class _Source(Struct):
    url: str = ""


class _Action(Struct):
    sources: list[_Source] | None = None


class _Annotation(Struct):
    type: str = ""
    url: str = ""
    title: str | None = None
    start_index: int = 0
    end_index: int = 0


class _Part(Struct):
    text: str = ""
    annotations: list[_Annotation] = []


class _Item(Struct):
    type: str = ""
    status: str | None = None
    action: _Action | None = None
    content: list[_Part] | None = None


class _Event(Struct):
    type: str = ""
    item: _Item | None = None


_EVENT = msgspec.json.Decoder(_Event)


class ResponsesSearchReader(ResponsesReader):
    """Reads a reply as any other, and what was found beside it."""

    def __init__(self, hits: SearchHits) -> None:
        super().__init__()
        self._hits = hits
        self._sources: list[str] = []

    def read(self, payload: bytes, reply: Reply) -> None:
        super().read(payload, reply)
        if self.ended:
            for url in self._sources:  # Last, since those that are cited are the better ones.
                self._hits.add(url)
            return
        try:
            event = _EVENT.decode(payload)
        except ValueError:
            return  # Whatever it is, it is no result of a search; as a part of the reply it was read above.
        if event.type == "response.output_item.done" and event.item is not None:
            self._gather(event.item)

    def _gather(self, item: _Item) -> None:
        if item.type == "web_search_call":
            if item.status == "failed":
                self._hits.trouble = self._hits.trouble or "failed"
                return
            self._hits.is_searched = True
            self._sources += [source.url for source in (item.action and item.action.sources) or ()]
        elif item.type == "message":
            for part in item.content or ():
                self._cited(part)

    def _cited(self, part: _Part) -> None:
        end, said = 0, ""
        for cited in part.annotations:
            if cited.type != "url_citation":
                continue
            # Several in a row stand behind the same words.
            said = _last_line(part.text[end : max(end, cited.start_index)]) or said
            self._hits.add(cited.url, cited.title, said)
            end = max(end, cited.end_index)


def _last_line(text: str) -> str:
    """The words right before a citation, without what a list begins with or a bracket that the citation closes."""
    lines = [line.strip(" \t-*•([)].,;") for line in text.splitlines()]
    return next((line for line in reversed(lines) if line), "")
