"""Is each built-in provider live? A full turn with a tool, over a real socket, with exactly the specified names."""

import pytest

from tests.toolbox.model_server import call, malformed, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

CASES = [
    ("claude_code_subscription", "claude_opus_4", "claude-opus-4-20250514", "anthropic"),
    ("claude_code_subscription", "claude_sonnet_4", "claude-sonnet-4-20250514", "anthropic"),
    ("claude_code_subscription", "claude_3_5_haiku", "claude-3-5-haiku-20241022", "anthropic"),
    ("openai_compatible", "gpt_4o", "gpt-4o", "chat"),
    ("openai_compatible", "gpt_4o_mini", "gpt-4o-mini", "chat"),
    ("openai_compatible", "o3", "o3", "chat"),
    ("openai_compatible", "o3_mini", "o3-mini", "chat"),
    ("lm_studio_local", "lm_studio_server_routed", "local-model-7b", "chat"),
]


@requirement(
    "SD-05",
    "SD-05/claude_code_subscription",
    "SD-05/openai_compatible",
    "SD-05/lm_studio_local",
)
@pytest.mark.parametrize(("provider", "model_id", "wire_model", "wire"), CASES)
def test_every_provider_and_model_completes_a_turn_with_a_tool(
    daedal: Daedal, model, provider: str, model_id: str, wire_model: str, wire: str
):
    (daedal.workspace / "a.txt").write_text("alpha\n")
    server = model([call("Read", file_path="a.txt"), say("alpha")])
    run = daedal("exec", "Read a.txt.", "--provider", provider, "--model", model_id, LM_STUDIO_MODEL="local-model-7b")
    assert (run.code, run.out) == (0, "alpha\n"), run.err
    assert [(request.wire, request.json["model"]) for request in server.requests] == [(wire, wire_model)] * 2
    assert "alpha" in daedal.results()[0]["content"]
    assert daedal.rows("SELECT provider, model_id FROM sessions") == [(provider, model_id)]


@requirement("SD-05")
@pytest.mark.parametrize(
    ("provider", "variable"),
    [
        ("claude_code_subscription", "ANTHROPIC_API_KEY"),
        ("openai_compatible", "OPENAI_API_KEY"),
        ("lm_studio_local", "LM_STUDIO_MODEL"),
    ],
)
def test_a_missing_variable_is_named_recorded_and_never_tried_on_the_network(
    daedal: Daedal, model, provider: str, variable: str
):
    server = model([say("never")])
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY", "LM_STUDIO_MODEL"):
        daedal.env.pop(name, None)
    run = daedal("exec", "Hello.", "--provider", provider)
    assert run.code == 2
    assert variable in run.err
    assert server.requests == []
    assert daedal.rows("SELECT event_type FROM events") == [("StopFailure",)]


@requirement("SD-05")
def test_the_operators_own_snapshot_chooses_the_provider_until_a_file_changes(daedal: Daedal, model):
    import sqlite3

    server = model([say("One."), say("Two.")], after="repeat")
    daedal("exec", "Hello.")
    chosen = '{"model_config":{"provider":"openai_compatible","model_id":"gpt_4o_mini"}}'
    with sqlite3.connect(daedal.database) as ledger:
        ledger.execute("UPDATE settings_snapshot SET json = ? WHERE scope = 'effective'", (chosen,))
    ledger.close()
    daedal("exec", "Hello.")
    assert server.requests[-1].json["model"] == "gpt-4o-mini"
    (daedal.home / ".daedal" / "config.toml").write_text('default_model = "opus"\n')
    daedal("exec", "Hello.")
    assert server.requests[-1].json["model"] == "claude-opus-4-20250514"


def test_the_bearer_token_outranks_the_key(daedal: Daedal, model):
    server = model([say("Hi.")])
    daedal("exec", "Hello.", ANTHROPIC_AUTH_TOKEN="token-of-the-user", ANTHROPIC_API_KEY="key-of-the-user")
    headers = server.requests[0].headers
    assert headers["authorization"] == "Bearer token-of-the-user"
    assert "x-api-key" not in headers


@pytest.mark.parametrize("provider", ["claude_code_subscription", "openai_compatible"])
def test_malformed_arguments_become_an_error_that_the_model_sees(daedal: Daedal, model, provider: str):
    server = model([malformed("Bash", '{"command": "ls'), say("Sorry.")])
    assert daedal("exec", "Go.", "--provider", provider, "--approval", "yolo").code == 0
    (result,) = daedal.results()
    assert result["is_error"]
    assert "not valid JSON" in result["content"]
    assert "not valid JSON" in server.requests[1].body.decode()
