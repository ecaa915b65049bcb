"""Do guests reach the tools that we lend them? Those of servers and some of ours, by our gate and ledger."""

import json
import sys
from pathlib import Path

import pytest

from daedal.protocol.approvals import ApprovalAnswer, ApprovalDecision
from daedal.protocol.inquiries import Chosen, InputAnswer, InputRequest
from daedal.protocol.records import TurnStatus
from daedal.protocol.wire import Request
from tests.guests.dialects import Dialect
from tests.guests.driving import drive
from tests.toolbox.model_server import call, say
from tests.toolbox.requirement import requirement

ROOT = Path(__file__).parents[2]
PLUGIN = [sys.executable, str(ROOT / "examples" / "mcp_plugin" / "server.py")]
QUESTION = {
    "question": "Which colour?",
    "header": "Colour",
    "multiSelect": False,
    "options": [{"label": "Blue", "description": "b"}, {"label": "Red", "description": "r"}],
}


def add_plugin(guest: Dialect) -> None:
    assert guest.daedal("mcp", "add", "example", "--", *PLUGIN).code == 0


@requirement("DX-11", "RX-05")
def test_a_servers_tool_is_offered_judged_run_and_recorded(guest: Dialect, model):
    add_plugin(guest)
    server = model([guest.lent("example", "wordcount", text="two words"), say("Two.")])
    done = guest.ask("--allow", "mcp__example__wordcount", "--output-format", "stream-json")
    assert (done.code, done.lines[-1]["result"]) == (0, "Two."), done.err
    assert "example/wordcount" in guest.offered(server.requests[0])
    (result,) = guest.daedal.results()
    assert (result["is_error"], json.loads(result["content"])["words"]) == (False, 2)
    assert guest.verdicts() == [("mcp__example__wordcount", "allow", "allow: mcp__example__wordcount")]
    items = [line["params"]["item"] for line in done.lines if line.get("method") == "item/completed"]
    assert "mcp__example__wordcount" in [item.get("tool") for item in items]
    assert '\\"words\\"' in guest.told(server.requests[-1]).replace('\\\\"', '\\"')


@requirement("DX-11", "RX-05")
def test_a_servers_tool_that_a_rule_refuses_does_not_run_and_the_model_hears_why(guest: Dialect, model):
    add_plugin(guest)
    server = model([guest.lent("example", "echo", text="parrot"), say("No.")])
    assert guest.ask("--deny", "mcp__example").code == 0
    assert [(tool, decision) for tool, decision, _ in guest.verdicts()] == [("mcp__example__echo", "deny")]
    assert "Permission denied by deny: mcp__example" in guest.told(server.requests[-1])


def test_a_hook_that_changes_a_lent_call_changes_what_runs(guest: Dialect, model):
    add_plugin(guest)
    changed = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"text": "changed"}}}
    with (guest.daedal.home / ".daedal" / "config.toml").open("a") as config:
        config.write("\n[[hooks]]\nhook_event_name = 'PreToolUse'\nmatcher = 'mcp__example__echo'\n")
        config.write(f"command = '''echo '{json.dumps(changed)}' '''\n")
    server = model([guest.lent("example", "echo", text="unchanged"), say("Done.")])
    done = guest.ask("--allow", "mcp__example")
    assert done.code == 0, done.err
    assert guest.daedal.results()[0]["content"] == "changed"
    assert "changed" in guest.told(server.requests[-1])


def test_a_tool_that_is_not_lent_is_refused_whatever_a_rule_says(guest: Dialect, model):
    model([guest.lent("nowhere", "act"), say("No.")])
    done = guest.ask("--allow", "mcp__nowhere")
    assert (done.code, done.out) == (0, "No.\n"), done.err


@requirement("DX-11")
def test_a_question_to_the_user_is_one_of_ours_and_the_answer_reaches_the_model(guest: Dialect, model, monkeypatch):
    question = guest.lent("", "AskUserQuestion", questions=[QUESTION])
    if guest.name == "claude":  # It has a tool of that name itself.
        question = call("AskUserQuestion", questions=[QUESTION])
    server = model([question, say("Blue it is.")])
    asked: list[InputRequest] = []

    async def answer(request: Request) -> InputAnswer | ApprovalAnswer:
        if not isinstance(request.params, InputRequest):
            return ApprovalAnswer(decision=ApprovalDecision.DECLINE)
        asked.append(request.params)
        return InputAnswer(answers={asked[0].questions[0].id: Chosen(answers=["Blue"])})

    model_name = "gpt-5.5" if guest.name == "codex" else None
    turn = drive(guest.daedal, monkeypatch, guest.name, model_name, answer)
    assert turn.status is TurnStatus.COMPLETED
    assert [each.question for each in asked[0].questions] == ["Which colour?"]
    assert "Blue" in guest.told(server.requests[-1]).rpartition("Which colour?")[2]


@requirement("DX-11", "RX-19")
def test_a_sub_agent_of_ours_works_as_a_guest_too_and_its_calls_are_judged(guest: Dialect, model):
    task = guest.lent("", "Agent", description="look", prompt="Look around.", subagent_type="general-purpose")
    model([task, guest.run("touch forbidden"), say("It is empty."), say("The agent says so.")])
    done = guest.ask("--deny", "Bash(touch:*)")
    assert (done.code, done.out) == (0, "The agent says so.\n"), done.err
    assert ("Bash", "deny", "deny: Bash(touch:*)") in guest.verdicts()
    assert not (guest.daedal.workspace / "forbidden").exists()
    assert guest.daedal.rows("SELECT provider FROM sessions") == [(guest.name,)] * 2
    assert any("It is empty." in result["content"] for result in guest.daedal.results())


def test_what_came_after_a_conversation_began_is_said_or_offered(guest: Dialect, model):
    model([say("One."), say("Two.")])
    assert guest.ask().code == 0
    add_plugin(guest)
    done = guest.ask("--continue")
    assert done.out == "Two.\n"
    assert ("begin a new one to use them" in done.err) is (guest.name == "codex")


@pytest.mark.parametrize("name", ["Task", "Agent", "KillShell", "Skill", "mcp__claude__x"])
def test_claude_may_use_nothing_that_it_was_not_given(claude, model, name: str):
    model([call(name, prompt="x", description="d", subagent_type="general-purpose"), say("No.")])
    done = claude("exec", "Go.", "--engine", "claude", "--allow", name)
    assert (done.code, done.out) == (0, "No.\n")
    assert claude.rows("SELECT count(*) FROM sessions") == [(1,)]
