"""Is the web searched by whoever the settings name, and does the key stay a secret?"""

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest

import daedal.tools
from daedal.protocol.errors import ConfigurationError, ProviderError
from daedal.protocol.model import ModelCard, SideCall, Usage
from daedal.protocol.seams import Outcome
from daedal.protocol.turns import ErrorKind
from daedal.tools.search_backends import Found, Hit, Query
from daedal.tools.way_out import WayOut
from daedal.tools.web_search import WebSearch, WebSearchInput
from daedal.tools.web_settings import SearchSettings, WebSettings
from tests.toolbox.requirement import requirement
from tests.tools.desk import Desk
from tests.tools.web_site import Answer, Asked, Site, endless, moved, reply, run, silent, spec

pytestmark = requirement("SD-16/WebSearch")

KEY = "sk-very-secret-key"
HITS = [
    {"title": "One", "url": "https://docs.example.org/1", "content": "the <strong>first</strong> &amp; best"},
    {"title": None, "url": "https://example.org/2", "content": None},
    {"title": "Three\nlines", "url": "https://other.example/3", "content": "x" * 1000},
    {"title": "Not a page", "url": "javascript:alert(1)", "content": ""},
]


def search(
    desk: Desk, backend: Any, answer: Answer, path: str, settings: dict[str, Any] | None = None, **arguments: Any
) -> tuple[Outcome, list[Asked]]:
    """What the model reads, and what the backend was asked."""

    async def scenario() -> tuple[Outcome, list[Asked]]:
        async with Site({path: answer}) as site:
            base = "" if backend == "searxng" else path
            named = SearchSettings(backend=backend, url=site.url(base), key_env="SEARCH_KEY" if base else None)
            tool = WebSearch(
                spec("WebSearch"), WebSettings(search=named, **(settings or {})), WayOut(), {"SEARCH_KEY": KEY}.get
            )
            outcome = await tool.run({"query": "how to", **arguments}, desk)
            assert KEY not in outcome.content
            return outcome, site.asked

    return run(scenario())


def as_json(value: Any) -> bytes:
    return reply(msgspec.json.encode(value), "application/json")


def test_searxng_is_asked_and_its_results_are_numbered(desk: Desk):
    outcome, [asked] = search(desk, "searxng", as_json({"results": HITS, "query": "x"}), "/search")
    assert parse_qs(urlsplit(asked.target).query) == {"q": ["how to"], "format": ["json"]}
    assert "authorization" not in asked.headers
    assert not outcome.is_error
    assert outcome.content == (
        "Results for: how to\n\n"
        "1. One\n   https://docs.example.org/1\n   the first & best\n"
        "2. https://example.org/2\n   https://example.org/2\n"
        f"3. Three lines\n   https://other.example/3\n   {'x' * 400}…"
    )


def test_brave_is_asked_with_its_key_in_a_header(desk: Desk):
    hits = [{"title": "One", "url": "https://a.example/", "description": "first"}]
    outcome, [asked] = search(desk, "brave", as_json({"web": {"results": hits}}), "/web", blocked_domains=["b.example"])
    assert parse_qs(urlsplit(asked.target).query)["q"] == ["how to -site:b.example"]
    assert asked.headers["x-subscription-token"] == KEY
    assert KEY not in asked.target
    assert outcome.content == "Results for: how to\n\n1. One\n   https://a.example/\n   first"


def test_tavily_is_asked_by_post(desk: Desk):
    outcome, [asked] = search(desk, "tavily", as_json({"results": HITS}), "/t", allowed_domains=["*.example.org"])
    assert (asked.method, asked.headers["authorization"]) == ("POST", f"Bearer {KEY}")
    assert msgspec.json.decode(asked.body) == {
        "query": "how to",
        "max_results": 10,
        "include_domains": ["example.org"],
        "exclude_domains": [],
    }
    assert "1. One" in outcome.content


@pytest.mark.parametrize(
    ("arguments", "hosts"),
    [
        ({"allowed_domains": ["example.org"]}, ["docs.example.org", "example.org"]),
        ({"allowed_domains": ["https://Docs.example.org/path"]}, ["docs.example.org"]),
        ({"blocked_domains": ["example.org"]}, ["other.example"]),
        ({"allowed_domains": ["example.org"], "blocked_domains": ["docs.example.org"]}, ["example.org"]),
        ({"allowed_domains": ["ample.org"]}, []),
    ],
)
def test_results_are_kept_to_the_domains_that_are_wanted(desk: Desk, arguments: dict[str, Any], hosts: list[str]):
    outcome, _ = search(desk, "searxng", as_json({"results": HITS}), "/search", **arguments)
    shown = [line.strip() for line in outcome.content.split("\n") if line.startswith("   http")]
    assert [urlsplit(url).hostname for url in shown] == hosts
    assert not outcome.is_error
    assert bool(hosts) != outcome.content.startswith("No results for: how to")


@pytest.mark.parametrize(
    ("backend", "answer", "said"),
    [
        ("brave", reply(f"bad token {KEY}".encode(), status="401 No"), "the key in SEARCH_KEY was refused"),
        ("brave", reply(b"slow down", status="429 Too Many"), "Wait before the next search."),
        ("tavily", reply(b"oops", status="500 Oops"), "tavily answered HTTP 500"),
        ("tavily", moved("https://thief.example/"), "tavily answered HTTP 302"),
        ("tavily", reply(b"<html>"), "did not answer with search results in JSON"),
        ("brave", as_json({"web": {"results": [{"url": 5}]}}), "did not answer with search results in JSON"),
        ("brave", endless(b" " * 100_000, "application/json"), "did not answer with search results in JSON"),
        ("brave", b"HTTP/1.1 200", "ended in the middle"),
    ],
)
def test_a_failed_search_is_told_and_the_key_is_not(desk: Desk, backend: str, answer: Answer, said: str):
    outcome, asked = search(desk, backend, answer, "/s")
    assert outcome.is_error
    assert said in outcome.content
    assert len(asked) == 1


def test_a_key_that_comes_back_among_the_results_is_hidden(desk: Desk):
    hit = {"title": f"your {KEY}", "url": f"https://a.example/{KEY}", "description": KEY}
    outcome, _ = search(desk, "brave", as_json({"web": {"results": [hit]}}), "/s")
    assert "[REDACTED:SEARCH_KEY]" in outcome.content


def test_searxng_without_json_is_told_how_to_get_it(desk: Desk):
    outcome, _ = search(desk, "searxng", reply(b"", status="403 Forbidden"), "/search")
    assert "search.formats" in outcome.content


def test_a_search_that_takes_too_long_is_an_internal_failure(desk: Desk):
    outcome, _ = search(desk, "searxng", silent, "/search", {"timeout_seconds": 0.05})
    assert outcome.is_error
    assert outcome.content == "[SDLC_INTERNAL] searxng did not answer within 0.05 s."


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (SearchSettings(), "tools.web.search.backend is not set"),
        (SearchSettings(backend="provider"), "this model's provider offers no search"),
        (SearchSettings(backend="searxng"), "searxng needs tools.web.search.url"),
        (SearchSettings(backend="brave"), "the environment variable BRAVE_API_KEY"),
        (SearchSettings(backend="tavily", key_env="MINE"), "the environment variable MINE"),
        (SearchSettings(backend="tavily", key_env="BROKEN"), "is not set or holds no key"),
        (SearchSettings(backend="brave", url="http://b.example/", key_env="KEY"), "must be https"),
        (SearchSettings(backend="brave", url="b.example", key_env="KEY"), "no absolute URL"),
    ],
)
def test_what_is_not_set_up_is_told_by_the_name_of_the_setting(desk: Desk, settings: SearchSettings, said: str):
    async def far(host: str, port: int) -> list[str]:
        return ["93.184.216.34"]

    secrets = {"KEY": KEY, "BROKEN": f"{KEY}\nX-Injected: 1"}
    tool = WebSearch(spec("WebSearch"), WebSettings(search=settings), WayOut(resolve=far), secrets.get)
    outcome = run(tool.run({"query": "how to"}, desk))
    assert outcome.is_error
    assert said in outcome.content
    assert KEY not in outcome.content


class Own:
    """The search of a model's own provider."""

    name = "own"

    def __init__(self, answer: Found | Exception) -> None:
        self._answer = answer

    async def search(self, query: Query) -> Found:
        await asyncio.sleep(0)
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


def asked_of_own(desk: Desk, answer: Found | Exception) -> Outcome:
    settings = WebSettings(search=SearchSettings(backend="provider"))
    tool = WebSearch(spec("WebSearch"), settings, WayOut(), provided=Own(answer))
    return run(tool.run({"query": "how to", "blocked_domains": ["b.example"]}, desk))


def test_the_search_of_the_models_own_provider_is_kept_to_the_domains_and_says_what_it_cost(desk: Desk):
    card = ModelCard(provider="p", model_id="m", wire_model="model-x")
    usage = Usage(input_tokens=1000, output_tokens=20, cache_read_tokens=200)
    hits = [Hit(url="https://a.example/", title="A"), Hit(url="https://b.example/"), Hit(url="file:///etc/passwd")]
    outcome = asked_of_own(desk, Found(hits=hits, card=card, usage=usage))
    assert outcome.content == "Results for: how to\n\n1. A\n   https://a.example/"
    assert outcome.side_calls == [SideCall(card=card, usage=usage)]


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        (
            ConfigurationError("p (chat) offers no web search"),
            "not set up: p (chat) offers no web search. Tell the user",
        ),
        (ConfigurationError("X_KEY is not set"), "tools.web.search.backend to searxng, brave or tavily"),
        (ProviderError("the server answered 500", ErrorKind.SERVER), "The search failed: the server answered 500"),
    ],
)
def test_what_the_models_own_provider_cannot_do_is_told(desk: Desk, trouble: Exception, said: str):
    outcome = asked_of_own(desk, trouble)
    assert outcome.is_error
    assert said in outcome.content


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"query": "x"}, "key `query`"),
        ({}, "missing key `query`"),
        ({"query": "how to", "allowed_domains": ["a b"]}, "a blank"),
        ({"query": "how to", "blocked_domains": ["a.example"] * 21}, "too many"),
    ],
)
def test_wrong_input_is_told(desk: Desk, arguments: dict[str, Any], said: str):
    outcome = run(WebSearch(spec("WebSearch"), WebSettings(), WayOut()).run(arguments, desk))
    assert outcome.is_error
    assert said in outcome.content


def test_the_schema_says_what_the_input_takes():
    beside = Path(daedal.tools.__file__).parent
    written = msgspec.json.decode((beside / "web_search.json").read_bytes())
    made = msgspec.json.schema(WebSearchInput)["$defs"]["WebSearchInput"]
    assert written["required"] == made["required"]
    assert list(written["properties"]) == list(made["properties"])
    assert len((beside / "web_search.md").read_bytes()) <= 350
