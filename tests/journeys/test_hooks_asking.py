"""Can a script answer in the person's place? Permission requests, refusals, and the note that somebody is asked."""

import asyncio
import json
import tomllib

import pytest

from daedal.protocol.approvals import ApprovalAnswer, ApprovalDecision, ApprovalRequest
from daedal.protocol.records import TurnStatus
from daedal.protocol.wire import Request
from tests.journeys.test_approvals import answering, drive
from tests.journeys.test_gate import verdicts
from tests.journeys.test_hooks import TOUCH, heard, listening, runs, saying, told, with_hooks
from tests.toolbox.model_server import call, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

EVENT = "PermissionRequest"
ASK = '[permissions]\nask = ["Bash(touch:*)"]\n'


def granting(**decision: object) -> str:
    return saying(EVENT, decision={"behavior": "allow", **decision})


def refusing(**decision: object) -> str:
    return saying(EVENT, decision={"behavior": "deny", **decision})


@requirement("SD-09", "SD-14")
def test_a_hook_allows_in_the_persons_place(daedal: Daedal, model):
    with_hooks(daedal, (EVENT, listening(daedal, then=granting())), ("Notification", "true"), further=ASK)
    model([TOUCH, say("Done.")])
    daedal("exec", "Go.")
    assert (daedal.workspace / "ran").exists()
    assert verdicts(daedal) == [("Bash", "allow", "hook PermissionRequest")]
    (stdin,) = heard(daedal)
    assert (stdin["tool_name"], stdin["tool_input"]) == ("Bash", {"command": "touch ran"})
    assert [run["hook_event"] for run in runs(daedal)] == [EVENT], "nobody else was asked"


@requirement("SD-14")
@pytest.mark.parametrize("command", [refusing(message="not on Fridays"), "echo 'not on Fridays' >&2; exit 2"])
def test_a_hook_refuses_in_the_persons_place(daedal: Daedal, model, command: str):
    with_hooks(daedal, (EVENT, command))
    server = model([TOUCH, say("Pity.")])
    assert daedal("exec", "Go.").code == 0
    assert not (daedal.workspace / "ran").exists()
    assert "not on Fridays" in told(server.requests[1])
    assert verdicts(daedal) == [("Bash", "deny", "hook PermissionRequest")]


@requirement("SD-14")
def test_a_refusal_that_interrupts_stops_the_turn(daedal: Daedal, model):
    with_hooks(daedal, (EVENT, refusing(message="enough", interrupt=True)))
    server = model([TOUCH, say("Never.")])
    assert daedal("exec", "Go.").code == 130
    assert len(server.requests) == 1
    assert daedal.rows("SELECT status FROM turns") == [("interrupted",)]
    assert verdicts(daedal) == [("Bash", "deny", "hook PermissionRequest")]
    assert "did not run" in daedal.results()[0]["content"]


@requirement("SD-14")
def test_a_granted_call_can_be_another_one(daedal: Daedal, model):
    with_hooks(daedal, (EVENT, granting(updatedInput={"command": "touch other"})))
    model([TOUCH, say("Done.")])
    daedal("exec", "Go.")
    assert [name for name in ("ran", "other") if (daedal.workspace / name).exists()] == ["other"]
    reason = json.loads(daedal.rows("SELECT reason_json FROM tool_permission_log")[0][0])
    assert reason["input"] == {"command": "touch other"}


@requirement("SD-14", "SD-15")
@pytest.mark.parametrize(
    ("changed", "rule"),
    [
        ({"command": "rm -r src"}, "deny: Bash(rm:*)"),
        ({"command": "touch out", "dangerouslyDisableSandbox": True}, "sandbox:escape"),
        ({"command": "touch .git/config"}, "baseline:steering"),
    ],
)
def test_a_granted_call_that_is_another_one_is_judged_again(daedal: Daedal, model, changed: dict, rule: str):
    with_hooks(daedal, (EVENT, granting(updatedInput=changed)), ("PermissionDenied", listening(daedal)))
    model([TOUCH, say("Pity.")])
    daedal("exec", "Go.", "--deny", "Bash(rm:*)")
    assert verdicts(daedal) == [("Bash", "deny", rule)]
    (stdin,) = heard(daedal)
    assert stdin["tool_input"] == changed
    assert list(daedal.workspace.iterdir()) == []


@requirement("SD-14")
def test_no_hook_answers_what_only_a_person_may(daedal: Daedal, model, monkeypatch):
    with_hooks(daedal, ("PreToolUse", saying("PreToolUse", permissionDecision="allow")), (EVENT, granting()))
    model([call("Write", file_path="daedal.toml", content="x = 1\n"), say("Done.")])
    asked: list[ApprovalRequest] = []
    drive(daedal, monkeypatch, answering(ApprovalDecision.DECLINE, asked))
    assert [request.rule for request in asked] == ["baseline:steering"]
    assert not (daedal.workspace / "daedal.toml").exists()


@requirement("SD-14", "SD-15")
def test_a_hook_adds_rules_for_the_session(daedal: Daedal, model):
    rules = [{"toolName": "Bash", "ruleContent": "touch:*"}]
    update = {"type": "addRules", "rules": rules, "behavior": "allow", "destination": "session"}
    with_hooks(daedal, (EVENT, granting(updatedPermissions=[update])))
    config = daedal.home / ".daedal" / "config.toml"
    before = config.read_text()
    model([TOUCH, call("Bash", command="touch other"), say("Done.")])
    daedal("exec", "Go.")
    assert verdicts(daedal) == [
        ("Bash", "allow", "hook PermissionRequest"),
        ("Bash", "allow", "allow: Bash(touch:*)"),
    ]
    assert config.read_text() == before


@requirement("SD-14", "SD-15")
def test_a_hook_adds_rules_to_the_users_file(daedal: Daedal, model):
    rules = [{"toolName": "Bash", "ruleContent": "touch:*"}]
    update = {"type": "addRules", "rules": rules, "behavior": "allow", "destination": "userSettings"}
    with_hooks(daedal, (EVENT, granting(updatedPermissions=[update])), further="[agent]\nmax_steps = 7  # mine\n")
    model([TOUCH, say("Done.")])
    daedal("exec", "Go.")
    text = (daedal.home / ".daedal" / "config.toml").read_text()
    assert tomllib.loads(text)["permissions"]["allow"] == ["Bash(touch:*)"]
    assert "# mine" in text


@requirement("SD-12", "SD-14")
def test_an_update_that_is_none_makes_the_answer_void(daedal: Daedal, model):
    with_hooks(daedal, (EVENT, granting(updatedPermissions=[{"type": "becomeRoot"}])), further=ASK)
    model([TOUCH, say("Pity.")])
    run = daedal("exec", "Go.")
    assert verdicts(daedal) == [("Bash", "deny", "ask: Bash(touch:*)")]
    assert "PermissionRequest hook 0 said nothing that counts" in run.err


@requirement("SD-09", "SD-14")
def test_whoever_is_asked_is_announced_and_the_announcement_may_add_context(daedal: Daedal, model, monkeypatch):
    adds = saying("Notification", additionalContext="the person is at lunch")
    with_hooks(daedal, ("Notification", listening(daedal, then=adds), {"matcher": "permission_prompt"}))
    server = model([TOUCH, say("Done.")])
    drive(daedal, monkeypatch, answering(ApprovalDecision.ACCEPT, []))
    (stdin,) = heard(daedal)
    assert stdin["notification_type"] == "permission_prompt"
    assert stdin["message"].startswith("Bash needs an answer")
    assert "the person is at lunch" in told(server.requests[1])


@requirement("SD-09", "SD-14")
def test_a_refusal_is_told_and_a_hook_may_let_the_model_try_again(daedal: Daedal, model):
    retry = saying("PermissionDenied", retry=True)
    with_hooks(daedal, ("PermissionDenied", listening(daedal, then=retry)))
    server = model([TOUCH, say("Pity.")])
    daedal("exec", "Go.", "--deny", "Bash(touch:*)")
    (stdin,) = heard(daedal)
    assert stdin["tool_use_id"] == daedal.results()[0]["tool_use_id"]
    assert stdin["reason"]
    assert "You may try again." in told(server.requests[1])


@requirement("SD-14")
@pytest.mark.parametrize("event", ["PermissionRequest", "Notification", "PermissionDenied"])
def test_every_hook_of_the_gate_may_end_the_turn(daedal: Daedal, model, event: str):
    with_hooks(daedal, (event, saying(beside={"continue": False, "stopReason": "closing time"})), further=ASK)
    server = model([TOUCH, say("Never.")])
    run = daedal("exec", "Go.")
    assert run.code == 1
    assert "a hook stopped the turn: closing time" in run.err
    assert len(server.requests) == 1
    assert not (daedal.workspace / "ran").exists()


def test_a_person_may_answer_while_a_hook_has_no_opinion(daedal: Daedal, model, monkeypatch):
    with_hooks(daedal, (EVENT, "echo no opinion"))
    model([TOUCH, say("Done.")])

    async def accept(request: Request) -> ApprovalAnswer:
        await asyncio.sleep(0)
        return ApprovalAnswer(decision=ApprovalDecision.ACCEPT)

    assert drive(daedal, monkeypatch, accept).status is TurnStatus.COMPLETED
    assert (daedal.workspace / "ran").exists()
