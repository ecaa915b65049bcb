"""Does a vendor's own search come back as pages, with its cost, and does it fail with words where it cannot be had?"""

import asyncio
import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.protocol.errors import ConfigurationError, ProviderError
from daedal.protocol.model import Usage
from daedal.providers import WebFindings, WebHit, WebQuery, resolve, search_web
from daedal.providers.anthropic_search import AnthropicSearchReader
from daedal.providers.failures import Failure
from daedal.providers.findings import SearchHits
from daedal.providers.responses_search import ResponsesSearchReader
from daedal.providers.wire import Reply as Chunks
from tests.providers.asking import IMPATIENT, KEY, entry, run
from tests.toolbox.model_search import Page, found, search_failed
from tests.toolbox.model_server import ModelServer, Recorded, Reply, Tokens, fail, overloaded, page, say, stall

PAGES = [
    Page("https://a.example/1", "One", age="April 30, 2025", said="It says one thing."),
    Page("https://b.example/?q=2", "Two", said="It says another thing."),
    Page("https://c.example/3", "Three", age="May 2, 2025"),
]
BOTH = pytest.mark.parametrize("wire", ["anthropic", "responses"])
KEYS = ["type", "content", "url", "title", "citation", "action", "sources", "annotations", "text", "start_index"]
TYPES = ["content_block_start", "content_block_delta", "response.output_item.done", "response.completed", "?"]
QUERY = WebQuery(text="how to", allowed_domains=["a.example"], blocked_domains=["b.example"])


async def searched(wire: str, url: str, query: WebQuery = QUERY, **changes: Any) -> WebFindings:
    variables = {"TEST_KEY": KEY}
    choice = resolve(provider="test", model=None, entries=[entry(wire, url, **changes)], env=variables)
    return await search_web(choice, query, IMPATIENT, variables)


def search(wire: str, *replies: Reply, query: WebQuery = QUERY, **changes: Any) -> tuple[WebFindings, list[Recorded]]:
    with ModelServer(replies) as server:
        return run(searched(wire, server.url, query, **changes)), server.requests


def test_anthropic_lists_pages_with_their_age_and_what_was_cited_of_them():
    findings, [asked] = search("anthropic", found(*PAGES).but(usage=Tokens(input=900, output=40, cache_read=5)))
    assert findings.hits == [
        WebHit(url="https://a.example/1", title="One", snippet="April 30, 2025 · It says one thing."),
        WebHit(url="https://b.example/?q=2", title="Two", snippet="It says another thing."),
        WebHit(url="https://c.example/3", title="Three", snippet="May 2, 2025"),
    ]
    assert findings.usage == Usage(input_tokens=900, output_tokens=40, cache_read_tokens=5)
    assert findings.card.wire_model == "model-x"
    assert (asked.path, asked.headers["x-api-key"]) == ("/v1/messages", KEY)
    assert asked.json["tools"] == [
        {"type": "web_search_20250305", "name": "web_search", "max_uses": 1, "allowed_domains": ["a.example"]}
    ]
    assert asked.json["messages"][0]["content"].endswith("Query: how to")
    assert asked.json["max_tokens"] <= 4096


def test_responses_lists_what_is_cited_first_and_then_what_was_looked_at():
    findings, [asked] = search("responses", found(*reversed(PAGES)), reasoning_effort="minimal")
    assert findings.hits == [
        WebHit(url="https://b.example/?q=2", title="Two", snippet="It says another thing"),
        WebHit(url="https://a.example/1", title="One", snippet="It says one thing"),
        WebHit(url="https://c.example/3"),
    ]
    assert findings.usage == Usage(input_tokens=11, output_tokens=7)
    assert (asked.path, asked.headers["authorization"]) == ("/v1/responses", f"Bearer {KEY}")
    assert asked.json["tools"] == [{"type": "web_search", "filters": {"allowed_domains": ["a.example"]}}]
    assert asked.json["tool_choice"] == "required"
    assert asked.json["include"] == ["web_search_call.action.sources"]
    assert (asked.json["store"], asked.json["reasoning"]) == (False, {"effort": "low"})


def test_a_list_of_blocked_domains_is_sent_where_the_vendor_knows_one_and_none_is_allowed():
    query = WebQuery(text="how to", blocked_domains=["b.example"])
    _, [anthropic] = search("anthropic", found(*PAGES), query=query)
    _, [responses] = search("responses", found(*PAGES), query=query)
    assert anthropic.json["tools"][0]["blocked_domains"] == ["b.example"]
    assert responses.json["tools"] == [{"type": "web_search"}]


@BOTH
def test_a_search_that_finds_nothing_is_no_failure(wire: str):
    findings, _ = search(wire, found())
    assert (findings.hits, findings.trouble) == ([], "")


@BOTH
def test_a_search_that_the_vendor_could_not_make_is_told(wire: str):
    findings, _ = search(wire, search_failed())
    word = {"anthropic": "unavailable", "responses": "failed"}[wire]
    assert f"own search failed ({word})" in findings.trouble
    assert (findings.hits, findings.usage) == ([], Usage(input_tokens=11, output_tokens=7))


@BOTH
def test_an_answer_without_a_search_is_no_result(wire: str):
    findings, _ = search(wire, say("I know that by heart: https://made.up.example/"))
    assert "without searching" in findings.trouble
    assert (findings.hits, findings.usage) == ([], Usage(input_tokens=11, output_tokens=7))


@BOTH
def test_what_a_broken_attempt_brought_counts_for_nothing(wire: str):
    stale = overloaded(
        after=6 if wire == "anthropic" else 4, reply=found(Page("https://stale.example/", "Old", said="Old."))
    )
    findings, asked = search(wire, stale, fail(500), found(PAGES[0]))
    assert [hit.url for hit in findings.hits] == ["https://a.example/1"]
    assert len(asked) == 3


@BOTH
@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (fail(401, f"bad key {KEY}"), "TEST_KEY"),
        (fail(400, "unknown tool type web_search"), "unknown tool type"),
        (fail(307, location="https://thief.example/v1"), "keys are not sent elsewhere"),
        (page("<html>Welcome</html>"), "instead of a stream"),
    ],
)
def test_a_refusal_is_told_in_words_once_and_without_the_key(wire: str, reply: Reply, words: str):
    with ModelServer([reply]) as server, pytest.raises(ProviderError) as caught:
        run(searched(wire, server.url))
    assert words in str(caught.value)
    assert KEY not in str(caught.value)
    assert len(server.requests) == 1


NONSENSE = [
    {"type": "content_block_start", "index": 0, "content_block": {"type": "web_search_tool_result", "content": 5}},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "web_search_tool_result", "content": [{}]}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "citations_delta", "citation": {"url": None}}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "citations_delta", "citation": {"url": 7}}},
    {"type": "response.output_item.done", "item": {"type": "web_search_call", "action": {"sources": [{"url": 5}]}}},
    {"type": "response.output_item.done", "item": {"type": "web_search_call", "action": {"sources": None}}},
    {"type": "response.output_item.done", "item": {"type": "message", "content": [{"annotations": "x"}]}},
    {
        "type": "response.output_item.done",
        "item": {
            "type": "message",
            "content": [
                {
                    "text": "ab",
                    "annotations": [{"type": "url_citation", "url": "u", "start_index": 99, "end_index": -4}],
                }
            ],
        },
    },
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
    {"type": "message_stop"},
    {"type": "response.completed", "response": {}},
]


@BOTH
def test_nonsense_among_the_results_is_passed_over(wire: str):
    ours = [event for event in NONSENSE if event["type"].startswith("response.") == (wire == "responses")]
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in ours)
    reply = page(body, "text/event-stream")
    findings, _ = search(wire, reply)
    assert [hit.url for hit in findings.hits] == (["u"] if wire == "responses" else [])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 99) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(st.sampled_from(TYPES).flatmap(lambda kind: st.tuples(st.just(kind), JSON, JSON)), max_size=4))
def test_whatever_a_server_streams_ends_in_pages_or_in_a_failure(events: list[tuple[str, Any, Any]]):
    for make in (AnthropicSearchReader, ResponsesSearchReader):
        hits, reply = SearchHits(), Chunks()
        reader = make(hits)
        for kind, first, second in events:
            event = {"type": kind, "content_block": first, "delta": second, "item": first, "response": second}
            with suppress(Failure):
                reader.read(json.dumps(event).encode(), reply)
        assert all(page.url for page in hits.pages())


@pytest.mark.parametrize(
    ("wire", "changes"),
    [
        ("chat", {}),
        ("anthropic", {"kind": "script", "base_url": None, "api_key_env": None, "file": "replies.json"}),
        ("anthropic", {"kind": "replay", "base_url": None, "api_key_env": None, "file": "tape.jsonl"}),
    ],
)
def test_a_provider_without_a_search_says_which_have_one(wire: str, changes: dict[str, Any]):
    with pytest.raises(ConfigurationError, match=r'test \(\w+\) offers no web search .* wire = "responses"'):
        run(searched(wire, "http://127.0.0.1:1", **changes))


@BOTH
def test_a_cancelled_search_hangs_up_at_once(wire: str):
    async def scenario(server: ModelServer) -> None:
        task = asyncio.create_task(searched(wire, server.url))
        await asyncio.to_thread(server.wait_for_stall)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        await asyncio.to_thread(server.wait_for_hang_ups)

    with ModelServer([stall(2)]) as server:
        run(scenario(server))
