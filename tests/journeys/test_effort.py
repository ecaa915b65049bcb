"""Can a person say how hard the model shall think? On each vendor's wire, in its own words, and for its price."""

from typing import Any

import pytest

from tests.journeys.test_bad_input import configure
from tests.toolbox.model_server import ModelServer, call, say
from tests.toolbox.program import Daedal
from tests.toolbox.wire_client import Child

RESPONSES = """
[[providers]]
name = "modern"
kind = "openai"
wire = "responses"
base_url = "{url}/v1"
models = ["gpt-5.2", "gpt-4.1"]
output_tokens_max = 20000
[[providers]]
name = "adaptive"
kind = "anthropic"
base_url = "{url}"
model = "claude-opus-4-6"
temperature = 0.5
[[providers]]
name = "local"
kind = "openai"
base_url = "{url}/v1"
model = "qwen"
thinks = true
"""


def provided(daedal: Daedal, server: ModelServer, more: str = "") -> None:
    configure(daedal, more + RESPONSES.format(url=server.url))


@pytest.mark.parametrize(
    ("reference", "effort", "expected"),
    [
        ("sonnet", "low", {"thinking": {"type": "enabled", "budget_tokens": 4096}, "max_tokens": 16384}),
        ("opus", "max", {"thinking": {"type": "enabled", "budget_tokens": 23808}, "max_tokens": 32000}),
        ("adaptive", "xhigh", {"thinking": {"type": "adaptive"}, "output_config": {"effort": "high"}}),
        ("modern/gpt-5.2", "max", {"reasoning": {"effort": "xhigh"}, "max_output_tokens": 20000}),
        ("o3", "xhigh", {"reasoning_effort": "high"}),
        ("local", "medium", {"reasoning_effort": "medium"}),
    ],
)
def test_each_vendor_hears_it_in_its_own_words(
    daedal: Daedal, model, reference: str, effort: str, expected: dict[str, Any]
):
    server = model([say("Done.")])
    provided(daedal, server)
    run = daedal("exec", "Think.", "--model", reference, "--effort", effort)
    assert run.code == 0, run.err
    asked = server.requests[0].json
    assert {key: asked.get(key) for key in expected} == expected
    assert "temperature" not in asked


@pytest.mark.parametrize("reference", ["haiku", "gpt_4o", "modern/gpt-4.1"])
def test_a_model_that_cannot_think_is_told_nothing_and_the_person_hears_so_once(daedal: Daedal, model, reference: str):
    server = model([say("Done.")])
    provided(daedal, server)
    run = daedal("exec", "Think.", "--model", reference, "--effort", "high")
    assert run.code == 0, run.err
    assert run.err.count("cannot be told how hard to think") == 1
    assert not {"thinking", "reasoning", "reasoning_effort", "output_config"} & server.requests[0].json.keys()


def test_the_settings_say_it_for_all_and_a_thread_says_otherwise(daedal: Daedal, model):
    server = model([say("1"), say("2"), say("3")])
    provided(daedal, server, '[agent]\neffort = "low"\n')
    with Child(daedal) as client:
        client.hello()
        opened = client.call("thread/start", {"model": "o3"})
        assert opened["reasoningEffort"] == "low"
        thread = opened["thread"]["id"]
        client.turn(thread, effort="high")
        client.turn(thread)
        client.turn(thread, effort="auto")
    assert [request.json["reasoning_effort"] for request in server.requests] == ["high", "high", "low"]


def test_a_repository_cannot_say_how_hard_the_model_thinks(daedal: Daedal, model):
    (daedal.workspace / "daedal.toml").write_text('[agent]\neffort = "max"\n')
    server = model([say("1")])
    run = daedal("exec", "Go.", "--model", "o3")
    assert run.code == 0, run.err
    assert "reasoning_effort" not in server.requests[0].json


def test_sub_agents_think_as_hard_as_they_are_told_or_as_their_parent(daedal: Daedal, model):
    agent = {"description": "d", "prompt": "p", "subagent_type": "general-purpose", "run_in_background": False}
    server = model(
        [call("Agent", **agent), say("report"), call("Agent", **agent, effort="max"), say("report"), say("Done.")]
    )
    run = daedal("exec", "Go.", "--model", "o3", "--effort", "low", "--approval", "yolo")
    assert run.code == 0, run.err
    assert [request.json["reasoning_effort"] for request in server.requests] == ["low", "low", "low", "high", "low"]


def test_a_budget_reserves_for_what_may_be_thought(daedal: Daedal, model):
    """Sonnet: 15 dollars per million tokens said. Of 16,384 the budget holds the worst, of 24,576 it does not."""
    model([say("1"), say("2")])
    with Child(daedal) as client:
        client.hello()
        limits = {"maxBudgetUsd": 0.38, "reserves": True}
        thread = client.thread(model="sonnet", limits=limits)
        assert client.turn(thread)["turn"]["status"] == "completed"
        ended = client.turn(thread, effort="high")["turn"]
        assert (ended["status"], ended["error"]["kind"]) == ("failed", "budget")


def test_the_prefix_of_a_request_stays_the_same_bytes_until_the_effort_changes(daedal: Daedal, model):
    step = call("Bash", command="true")
    server = model([step, step, say("1"), step, say("2")])
    with Child(daedal) as client:
        client.hello()
        thread = client.thread(model="sonnet", effort="high", approvalPolicy="auto")
        client.turn(thread)
        client.turn(thread, effort="high")
    opening = {request.body.partition(b'"messages":[')[0] for request in server.requests}
    assert len(opening) == 1


def test_faces_can_ask_which_models_think(daedal: Daedal, model):
    model([])
    with Child(daedal) as client:
        client.hello()
        listed = {one["id"]: one["supportedReasoningEfforts"] for one in client.call("model/list", {})["data"]}
    assert [one["reasoningEffort"] for one in listed["openai_compatible/o3"]] == [
        "low",
        "medium",
        "high",
        "xhigh",
        "max",
    ]
    assert listed["openai_compatible/gpt_4o"] == []
    assert listed["claude_code_subscription/claude_3_5_haiku"] == []
