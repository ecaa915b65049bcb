"""What is sent to a model? Whole bodies as each wire wants them, and a prefix that only ever grows."""

import json
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from daedal import __version__
from daedal.protocol.content import Kept, Message, ToolUse
from daedal.protocol.model import Brief
from tests.providers.asking import KEY, ask, assistant, chunks_of, every_wire, opened, provider_at, result, run, user
from tests.toolbox.model_server import ModelServer, say

SCHEMA = {"type": "object", "properties": {"command": {"type": "string"}}}
MARK = {"type": "ephemeral"}
THOUGHT = b'{"type":"thinking","thinking":"Hm.","signature":"sig"}'
REASONING = b'{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"enc"}'

STORY = [
    user("Fix it."),
    assistant(
        "Looking.",
        ToolUse("c1", "Bash", {"command": "ls"}),
        ToolUse("c2", "Bash", {"command": "pwd"}),
        kept=[
            Kept(index=0, block=msgspec.Raw(THOUGHT), wire="anthropic"),
            Kept(index=1, block=msgspec.Raw(REASONING), wire="responses"),
        ],
    ),
    user(result("c1", "a.py"), result("c2", "no such thing", is_error=True), "Go on, please."),
]


def body_of(wire: str, *messages: Message, **changes: Any) -> dict[str, Any]:
    with ModelServer([say("ok")]) as server:
        ask(wire, server, *messages, **changes)
        return server.requests[0].json


def test_anthropic_gets_typed_blocks_with_thinking_in_its_place_and_two_cache_marks():
    assert body_of("anthropic", *STORY) == {
        "model": "model-x",
        "stream": True,
        "max_tokens": 8192,
        "system": [{"type": "text", "text": "You are a tester.", "cache_control": MARK}],
        "tools": [{"name": "Bash", "description": "Runs a command.", "input_schema": SCHEMA}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "Fix it."}]},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "Hm.", "signature": "sig"},
                    {"type": "text", "text": "Looking."},
                    {"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": "ls"}},
                    {"type": "tool_use", "id": "c2", "name": "Bash", "input": {"command": "pwd"}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "c1", "content": "a.py", "is_error": False},
                    {"type": "tool_result", "tool_use_id": "c2", "content": "no such thing", "is_error": True},
                    {"type": "text", "text": "Go on, please.", "cache_control": MARK},
                ],
            },
        ],
    }


def test_chat_gets_tool_messages_first_and_the_text_after_them():
    assert body_of("chat", *STORY) == {
        "model": "model-x",
        "stream": True,
        "stream_options": {"include_usage": True},
        "tools": [
            {
                "type": "function",
                "function": {"name": "Bash", "description": "Runs a command.", "parameters": SCHEMA},
            }
        ],
        "messages": [
            {"role": "system", "content": "You are a tester."},
            {"role": "user", "content": "Fix it."},
            {
                "role": "assistant",
                "content": "Looking.",
                "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "Bash", "arguments": '{"command":"ls"}'}},
                    {"id": "c2", "type": "function", "function": {"name": "Bash", "arguments": '{"command":"pwd"}'}},
                ],
            },
            {"role": "tool", "tool_call_id": "c1", "content": "a.py"},
            {"role": "tool", "tool_call_id": "c2", "content": "no such thing"},
            {"role": "user", "content": "Go on, please."},
        ],
    }


def test_responses_gets_items_with_reasoning_in_its_place_and_stores_nothing():
    assert body_of("responses", *STORY) == {
        "model": "model-x",
        "stream": True,
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "instructions": "You are a tester.",
        "tools": [
            {
                "type": "function",
                "name": "Bash",
                "description": "Runs a command.",
                "parameters": SCHEMA,
                "strict": False,
            }
        ],
        "input": [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Fix it."}]},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Looking."}]},
            {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "enc"},
            {"type": "function_call", "call_id": "c1", "name": "Bash", "arguments": '{"command":"ls"}'},
            {"type": "function_call", "call_id": "c2", "name": "Bash", "arguments": '{"command":"pwd"}'},
            {"type": "function_call_output", "call_id": "c1", "output": "a.py"},
            {"type": "function_call_output", "call_id": "c2", "output": "no such thing"},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Go on, please."}]},
        ],
    }


@every_wire
def test_requests_grow_by_bytes_that_never_change(wire: str):
    async def scenario(server: ModelServer) -> None:
        provider = provider_at(wire, server.url)
        dialogue = opened(provider)
        for message in [*STORY, assistant("Done."), user("Thanks.")]:
            dialogue.append(message)
            await chunks_of(dialogue.stream())
        await provider.close()

    with ModelServer([say("ok")], after="repeat") as server:
        run(scenario(server))
        bodies = [request.body for request in server.requests]
    mark = b',"cache_control":{"type":"ephemeral"}'
    for shorter, longer in pairwise(bodies):
        settled = shorter[: shorter.rindex(b"]")].replace(mark + b"}]}", b"}]}")
        assert longer.replace(mark + b"}]}", b"}]}").startswith(settled)
        assert longer.count(b"cache_control") <= 2


@every_wire
def test_what_a_dialogue_may_say_is_limited_when_asked(wire: str):
    async def scenario(server: ModelServer) -> None:
        provider = provider_at(wire, server.url)
        await chunks_of(opened(provider, user("Hi.")).stream(output_tokens_max=77))
        await provider.close()

    with ModelServer([say("ok")]) as server:
        run(scenario(server))
        name = {"anthropic": "max_tokens", "chat": "max_tokens", "responses": "max_output_tokens"}[wire]
        assert server.requests[0].json[name] == 77


@every_wire
def test_an_empty_brief_and_blank_messages_leave_no_empty_parts(wire: str):
    async def scenario(server: ModelServer) -> None:
        provider = provider_at(wire, server.url)
        dialogue = provider.open(Brief(system="", tools=[]))
        for message in (assistant(), user("Hi."), assistant(""), user("")):
            dialogue.append(message)
        await chunks_of(dialogue.stream())
        await provider.close()

    with ModelServer([say("ok")]) as server:
        run(scenario(server))
        body = server.requests[0].json
    assert len(body["input" if wire == "responses" else "messages"]) == 1
    assert not body.keys() & {"system", "tools", "instructions"}


@every_wire
def test_text_that_no_encoding_allows_is_sent_all_the_same(wire: str):
    text = json.dumps(body_of(wire, user(result("c1", "bad \udcff name"), "and \ud800 this")))
    assert "bad ? name" in text
    assert "and ? this" in text


def test_a_kept_block_of_a_shortened_message_still_comes_along():
    kept = [Kept(index=3, block=msgspec.Raw(THOUGHT), wire="anthropic")]
    body = body_of("anthropic", user("Hi."), assistant("One.", kept=kept), user("Go on."))
    assert [block["type"] for block in body["messages"][1]["content"]] == ["text", "thinking"]


def test_a_message_that_ends_with_the_models_words_carries_no_mark():
    body = body_of("anthropic", user("Hi."), assistant("The answer is"))
    assert body["messages"][-1] == {"role": "assistant", "content": [{"type": "text", "text": "The answer is"}]}


@every_wire
def test_headers_name_us_and_carry_the_key(wire: str):
    with ModelServer([say("ok")]) as server:
        ask(wire, server, headers={"x-team": "blue"})
        headers = server.requests[0].headers
        path = server.requests[0].path
    assert headers["user-agent"] == f"daedal/{__version__}"
    assert headers["x-team"] == "blue"
    assert headers["content-type"] == "application/json"
    if wire == "anthropic":
        assert path == "/v1/messages"
        assert (headers["x-api-key"], headers["anthropic-version"]) == (KEY, "2023-06-01")
        assert "authorization" not in headers
    else:
        assert path == {"chat": "/v1/chat/completions", "responses": "/v1/responses"}[wire]
        assert headers["authorization"] == f"Bearer {KEY}"


@every_wire
def test_a_slash_at_the_end_of_the_url_changes_nothing(wire: str):
    with ModelServer([say("ok")]) as server:
        base = server.url if wire == "anthropic" else f"{server.url}/deep/v1"
        ask(wire, server, base_url=f"{base}/")
        ask_path = server.requests[0].path
    ending = {"anthropic": "/v1/messages", "chat": "/deep/v1/chat/completions", "responses": "/deep/v1/responses"}
    assert ask_path == ending[wire]


def test_an_anthropic_token_variable_is_sent_as_a_bearer():
    with ModelServer([say("ok")]) as server:
        ask("anthropic", server, api_key_env="MY_AUTH_TOKEN", env={"MY_AUTH_TOKEN": "sk-ant-oat01-abc \n"})
        headers = server.requests[0].headers
    assert headers["authorization"] == "Bearer sk-ant-oat01-abc"
    assert headers["anthropic-beta"] == "oauth-2025-04-20"
    assert "x-api-key" not in headers


def test_no_key_is_sent_where_none_is_named():
    with ModelServer([say("ok")]) as server:
        ask("chat", server, api_key_env=None)
        assert "authorization" not in server.requests[0].headers


OPTIONS = [
    ("anthropic", {"thinking_tokens": 2048}, {"thinking": {"type": "enabled", "budget_tokens": 2048}}),
    ("anthropic", {"thinking_tokens": 9000, "output_tokens_max": 4000}, {"max_tokens": 9000 + 8192}),
    ("anthropic", {"temperature": 0.5, "output_tokens_max": 4000}, {"temperature": 0.5, "max_tokens": 4000}),
    ("chat", {"temperature": 0.0, "output_tokens_max": 4000}, {"temperature": 0.0, "max_tokens": 4000}),
    ("chat", {"reasoning_effort": "low"}, {"reasoning_effort": "low"}),
    ("chat", {"model": "o3", "output_tokens_max": 4000}, {"max_completion_tokens": 4000}),
    ("chat", {"model": "openai/gpt-5", "output_tokens_max": 4000}, {"max_completion_tokens": 4000}),
    ("responses", {"reasoning_effort": "high"}, {"reasoning": {"effort": "high"}}),
    ("responses", {"temperature": 1.5, "output_tokens_max": 9}, {"temperature": 1.5, "max_output_tokens": 9}),
]


@pytest.mark.parametrize(("wire", "changes", "expected"), OPTIONS)
def test_every_option_of_an_entry_reaches_the_model(wire: str, changes: dict[str, Any], expected: dict[str, Any]):
    body = body_of(wire, user("Hi."), **changes)
    assert {name: body.get(name) for name in expected} == expected


def test_encrypted_reasoning_is_not_asked_of_models_that_do_not_reason():
    assert "include" not in body_of("responses", user("Hi."), model="gpt-4o")
