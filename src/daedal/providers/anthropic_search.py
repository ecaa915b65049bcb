"""How does the Anthropic Messages API search the web? With a tool that its own server runs.

Results come as one block, whole when it opens; their text is encrypted, so what a page says is known only from the
passages that the model then cites.
"""

import msgspec
from msgspec import Raw, Struct

from daedal.providers.anthropic_stream import AnthropicReader
from daedal.providers.choice import Choice
from daedal.providers.findings import ANSWER_TOKENS_MAX, TASK, SearchHits, WebQuery
from daedal.providers.wire import Reader, Reply, to_json

TOOL = "web_search_20250305"
SEARCHES_MAX = 1
"""One query, one search: each costs extra."""


class AnthropicSearch:
    def __init__(self, choice: Choice) -> None:
        self._model = choice.card.wire_model
        self._output_tokens_max = min(choice.card.output_tokens_max, ANSWER_TOKENS_MAX)

    def request(self, query: WebQuery) -> bytes:
        tool: dict[str, object] = {"type": TOOL, "name": "web_search", "max_uses": SEARCHES_MAX}
        # The API takes one of the two lists, never both.
        if query.allowed_domains:
            tool["allowed_domains"] = query.allowed_domains
        elif query.blocked_domains:
            tool["blocked_domains"] = query.blocked_domains
        asked = {
            "model": self._model,
            "stream": True,
            "max_tokens": self._output_tokens_max,
            "tools": [tool],
            "messages": [{"role": "user", "content": TASK + query.text}],
        }
        return to_json(asked)

    def reader(self, hits: SearchHits) -> Reader:
        return AnthropicSearchReader(hits)


class _Page(Struct):
    url: str = ""
    title: str | None = None
    page_age: str | None = None


class _Trouble(Struct):
    error_code: str = ""


class _Citation(Struct):
    url: str | None = None
    title: str | None = None
    cited_text: str | None = None


class _Delta(Struct):
    citation: _Citation | None = None


class _Block(Struct):
    type: str = ""
    content: Raw = Raw(b"")


class _Event(Struct):
    type: str = ""
    content_block: _Block | None = None
    delta: _Delta | None = None


_EVENT = msgspec.json.Decoder(_Event)
_CONTENT = msgspec.json.Decoder(list[_Page] | _Trouble)


class AnthropicSearchReader(AnthropicReader):
    """Reads a reply as any other, and what was found beside it."""

    def __init__(self, hits: SearchHits) -> None:
        super().__init__()
        self._hits = hits

    def read(self, payload: bytes, reply: Reply) -> None:
        super().read(payload, reply)
        try:
            event = _EVENT.decode(payload)
            if event.content_block is not None and event.content_block.type == "web_search_tool_result":
                self._found(event.content_block.content)
        except ValueError:
            return  # Whatever it is, it is no result of a search; as a part of the reply it was read above.
        if event.delta is not None and (cited := event.delta.citation) is not None:
            self._hits.add(cited.url or "", cited.title, cited.cited_text)

    def _found(self, content: Raw) -> None:
        found = _CONTENT.decode(content)
        if isinstance(found, _Trouble):
            self._hits.trouble = self._hits.trouble or found.error_code
            return
        self._hits.is_searched = True
        for page in found:
            self._hits.add(page.url, page.title, age=page.page_age)
