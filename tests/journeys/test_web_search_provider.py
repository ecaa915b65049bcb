"""Can the model's own provider search the web? Over both wires that have a search; over others the setting is named."""

import pytest

from tests.journeys.test_bad_input import configure
from tests.toolbox.model_search import Page, found, search_failed
from tests.toolbox.model_server import ModelServer, Tokens, call, fail, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

pytestmark = requirement("SD-16/WebSearch")

PAGES = [
    Page("https://docs.example.org/a", "How to", said="It explains how."),
    Page("https://other.example/b", "Elsewhere", said="It does not."),
]
KEY = "key-of-the-own-provider"
BOTH = pytest.mark.parametrize("wire", ["anthropic", "responses"])


def set_up(daedal: Daedal, server: ModelServer, wire: str) -> None:
    """The scripted model as the default one, and its provider as the one who searches."""
    kind = 'kind = "anthropic"' if wire == "anthropic" else f'kind = "openai"\nwire = "{wire}"'
    url = server.url if wire == "anthropic" else f"{server.url}/v1"
    configure(
        daedal,
        f'default_model = "own"\n[tools.web.search]\nbackend = "provider"\n[[providers]]\nname = "own"\n{kind}\n'
        f'base_url = "{url}"\nmodel = "model-x"\napi_key_env = "OWN_KEY"\n',
    )
    daedal.env["OWN_KEY"] = KEY


@BOTH
def test_the_provider_of_the_model_searches_and_the_model_reads_what_it_found(daedal: Daedal, model, wire: str):
    results = found(*PAGES).but(usage=Tokens(input=1234, output=56))
    search = call("WebSearch", query="how to", allowed_domains=["example.org"])
    server = model([search, results, say("Found it.")])
    set_up(daedal, server, wire)
    run = daedal("exec", "Look it up.", "--allow", "WebSearch")
    assert (run.code, run.out) == (0, "Found it.\n"), run.err
    assert [request.wire for request in server.requests] == [wire] * 3
    asked = server.requests[1]
    assert [tool["type"].partition("_2025")[0] for tool in asked.json["tools"]] == ["web_search"]
    assert KEY in (asked.headers.get("x-api-key") or asked.headers["authorization"])
    (result,) = daedal.results()
    assert not result["is_error"]
    assert result["content"].startswith(
        "Results for: how to\n\n1. How to\n   https://docs.example.org/a\n   It explains"
    )
    assert "other.example" not in result["content"]
    paid = daedal.rows("SELECT input_tokens, output_tokens FROM model_calls ORDER BY id")
    assert (1234, 56) in paid
    assert "https://docs.example.org/a" in server.requests[2].body.decode()


def test_over_a_wire_without_a_search_the_setting_and_the_others_are_named(daedal: Daedal, model):
    server = model([call("WebSearch", query="how to"), say("Sorry.")])
    set_up(daedal, server, "chat")
    assert daedal("exec", "Look it up.", "--allow", "WebSearch").code == 0
    assert len(server.requests) == 2
    (result,) = daedal.results()
    assert result["is_error"]
    for name in ("own (chat)", "tools.web.search.backend", "searxng, brave or tavily", 'wire = "responses"'):
        assert name in result["content"]


@BOTH
def test_a_search_that_fails_is_an_error_that_the_model_reads(daedal: Daedal, model, wire: str):
    again = call("WebSearch", query="how to")
    server = model([again, search_failed(), again, fail(403, f"no search for {KEY}"), say("Sorry.")])
    set_up(daedal, server, wire)
    assert daedal("exec", "Look it up.", "--allow", "WebSearch").code == 0
    first, second = daedal.results()
    assert first["is_error"]
    assert "own search failed" in first["content"]
    assert len(daedal.rows("SELECT * FROM model_calls")) == 4  # Three by the turn, and the search that failed in words.
    assert second["is_error"]
    assert "the server answered 403" in second["content"]
    assert KEY not in second["content"]


def test_nothing_is_searched_without_being_allowed(daedal: Daedal, model):
    server = model([call("WebSearch", query="how to"), say("Sorry.")])
    set_up(daedal, server, "anthropic")
    assert daedal("exec", "Look it up.").code == 0
    assert len(server.requests) == 2
    assert "Permission denied" in daedal.results()[0]["content"]


def test_a_project_cannot_have_its_searches_made_by_the_users_provider(daedal: Daedal, model):
    server = model([call("WebSearch", query="how to"), say("Sorry.")])
    (daedal.workspace / "daedal.toml").write_text('[tools.web.search]\nbackend = "provider"\n')
    assert daedal("exec", "Look it up.", "--allow", "WebSearch").code == 0
    assert len(server.requests) == 2
    assert "tools.web.search.backend is not set" in daedal.results()[0]["content"]


def test_the_threads_own_model_searches_and_not_the_default_one(daedal: Daedal, model):
    server = model([call("WebSearch", query="how to"), found(*PAGES), say("Found it.")])
    set_up(daedal, server, "responses")
    run = daedal("exec", "Look it up.", "--allow", "WebSearch", "--model", "haiku")
    assert run.code == 0, run.err
    assert [request.wire for request in server.requests] == ["anthropic"] * 3
    assert set(daedal.rows("SELECT wire_model FROM model_calls")) == {("claude-3-5-haiku-20241022",)}
