"""What can a script do about a call before it runs? Refuse, ask, allow, change it, add to it, end the turn."""

import json

import pytest

from tests.journeys.test_gate import verdicts
from tests.journeys.test_hooks import TOUCH, heard, listening, outcomes, runs, saying, told, with_hooks
from tests.toolbox.model_server import calls, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

EVENT = "PreToolUse"


def ran(daedal: Daedal) -> bool:
    return (daedal.workspace / "ran").exists()


@requirement("SD-12", "SD-14")
@pytest.mark.parametrize(
    ("command", "says", "code"),
    [
        ("echo 'not today' >&2; exit 2", "[0] not today", 2),
        (saying(EVENT, permissionDecision="deny", permissionDecisionReason="not today"), "not today", 0),
        (saying(beside={"decision": "block", "reason": "not today"}), "not today", 0),
    ],
    ids=["exit 2", "deny", "block"],
)
def test_a_denied_call_does_not_run_and_the_model_hears_why(daedal: Daedal, model, command: str, says: str, code: int):
    with_hooks(daedal, (EVENT, command), (EVENT, "touch second"), ("PostToolUse", "true"))
    server = model([TOUCH, say("Pity.")])
    run = daedal("exec", "Go.", "--approval", "yolo", "--allow", "Bash")
    assert run.code == 0
    assert not ran(daedal)
    assert not (daedal.workspace / "second").exists()
    assert f"Permission denied by hook PreToolUse: {says}." in told(server.requests[1])
    assert verdicts(daedal) == [("Bash", "deny", "hook PreToolUse")]
    first, second = runs(daedal)
    assert (first["outcome"], first["exit_code"], first["skipped_reason"]) == ("denied", code, None)
    assert (second["outcome"], second["exit_code"]) == ("skipped", None)
    assert second["skipped_reason"] == "prior_block_or_deny"
    assert "could not" not in run.err


@requirement("SD-12", "SD-14")
@pytest.mark.parametrize("flags", [[], ["--allow", "Bash"], ["--approval", "auto"]])
def test_a_hook_that_wants_to_be_asked_is_not_answered_by_walls_or_rules(daedal: Daedal, model, flags: list[str]):
    asks = saying(EVENT, permissionDecision="ask", permissionDecisionReason="a person must see this")
    with_hooks(daedal, (EVENT, asks))
    server = model([TOUCH, say("Pity.")])
    daedal("exec", "Go.", *flags)
    assert not ran(daedal)
    assert "a person must see this, and nobody was there to be asked" in told(server.requests[1])
    assert verdicts(daedal) == [("Bash", "deny", "hook PreToolUse")]


@requirement("SD-12", "SD-14", "SD-15", "SD-19")
@pytest.mark.parametrize(
    ("flags", "rules", "verdict"),
    [
        (["--no-sandbox"], "", ("allow", "hook PreToolUse")),
        (["--deny", "Bash(touch:*)"], "", ("deny", "deny: Bash(touch:*)")),
        ([], '[permissions]\nask = ["Bash(touch:*)"]\n', ("deny", "ask: Bash(touch:*)")),
        (["--permission-mode", "plan"], "", ("deny", "phase:planning")),
        (["--approval", "never"], "", ("deny", "posture:never")),
    ],
    ids=["fallback", "deny rule", "ask rule", "planning", "never"],
)
@pytest.mark.parametrize("allows", [saying(EVENT, permissionDecision="allow"), saying(beside={"decision": "approve"})])
def test_an_allowing_hook_answers_only_the_ask_that_no_rule_wrote(
    daedal: Daedal, model, flags: list[str], rules: str, verdict: tuple[str, str], allows: str
):
    with_hooks(daedal, (EVENT, allows), further=rules)
    model([TOUCH, say("Done.")])
    daedal("exec", "Go.", *flags)
    assert verdicts(daedal) == [("Bash", *verdict)]
    assert ran(daedal) is (verdict[0] == "allow")


@requirement("SD-12")
def test_deny_outweighs_ask_and_ask_outweighs_allow(daedal: Daedal, model):
    allow, ask = (saying(EVENT, permissionDecision=word) for word in ("allow", "ask"))
    with_hooks(daedal, (EVENT, ask), (EVENT, allow), (EVENT, "exit 2", {"matcher": "Read"}))
    model([calls(("Read", {"file_path": "none"}), ("Bash", {"command": "touch ran"})), say("Done.")])
    daedal("exec", "Go.")
    assert verdicts(daedal) == [("Read", "deny", "hook PreToolUse"), ("Bash", "deny", "hook PreToolUse")]
    assert [json.loads(row[0])["asked"] for row in daedal.rows("SELECT reason_json FROM tool_permission_log")] == [
        False,
        True,
    ]


@requirement("SD-11", "SD-14")
def test_a_changed_input_is_what_later_hooks_hear_what_runs_and_what_is_on_the_record(daedal: Daedal, model):
    with_hooks(
        daedal,
        (EVENT, saying(EVENT, updatedInput={"command": "touch first"})),
        (EVENT, listening(daedal, then=saying(EVENT, updatedInput={"command": "touch last; echo done"}))),
        ("PostToolUse", listening(daedal)),
    )
    model([TOUCH, say("Done.")])
    daedal("exec", "Go.", "--allow", "Bash(touch last)", "--allow", "Bash(echo done)")
    assert [name for name in ("ran", "first", "last") if (daedal.workspace / name).exists()] == ["last"]
    assert [stdin["tool_input"]["command"] for stdin in heard(daedal)] == ["touch first", "touch last; echo done"]
    changed = {"command": "touch last; echo done"}
    reason = json.loads(daedal.rows("SELECT reason_json FROM tool_permission_log")[0][0])
    assert reason["input"] == changed
    assert (
        json.loads(daedal.rows("SELECT body_json FROM receipts WHERE kind = 'command'")[0][0])["command"]
        == (changed["command"])
    )
    # What the model asked for stays what it asked for.
    assert daedal.entries("tool_use")[0]["input"] == {"command": "touch ran"}


@requirement("SD-12", "SD-15")
def test_the_rules_judge_the_changed_input(daedal: Daedal, model):
    with_hooks(daedal, (EVENT, saying(EVENT, permissionDecision="allow", updatedInput={"command": "rm -r src"})))
    server = model([TOUCH, say("Pity.")])
    daedal("exec", "Go.", "--approval", "yolo", "--deny", "Bash(rm:*)")
    assert verdicts(daedal) == [("Bash", "deny", "deny: Bash(rm:*)")]
    assert not ran(daedal)
    assert "Permission denied" in told(server.requests[1])


@requirement("SD-14")
def test_context_reaches_the_model_with_the_result_of_an_allowed_and_of_a_denied_call(daedal: Daedal, model):
    with_hooks(
        daedal,
        (EVENT, saying(EVENT, additionalContext="mind the step")),
        (EVENT, saying(EVENT, additionalContext="and the gap")),
        (EVENT, "exit 2", {"matcher": "Read"}),
    )
    server = model([calls(("Bash", {"command": "echo hi"}), ("Read", {"file_path": "none"})), say("Done.")])
    daedal("exec", "Go.")
    for block in server.requests[1].json["messages"][-1]["content"]:
        assert block["content"].endswith("<hook>\nmind the step\n</hook>\n<hook>\nand the gap\n</hook>")
    assert "mind the step" in daedal.results()[0]["content"]


@requirement("SD-14")
@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUse"])
def test_a_hook_ends_the_turn_and_what_was_not_begun_does_not_run(daedal: Daedal, model, event: str):
    with_hooks(daedal, (event, saying(beside={"continue": False, "stopReason": "lunch"}), {"matcher": "Bash"}))
    server = model([calls(("Bash", {"command": "touch ran"}), ("Bash", {"command": "touch never"})), say("Never.")])
    run = daedal("exec", "Go.", "--approval", "yolo")
    assert run.code == 1
    assert "a hook stopped the turn: lunch" in run.err
    assert len(server.requests) == 1
    assert ran(daedal) is (event == "PostToolUse")
    assert not (daedal.workspace / "never").exists()
    assert len(daedal.results()) == 2
    assert daedal.rows("SELECT status FROM turns") == [("failed",)]
    # The next turn is a new one.
    assert daedal("exec", "Again.", "-r", daedal.session, SDLC_DISABLE_ALL_HOOKS="1").code == 0


@requirement("SD-14")
def test_a_message_for_the_person_is_shown(daedal: Daedal, model):
    with_hooks(daedal, (EVENT, saying(beside={"systemMessage": "look at this"})))
    server = model([TOUCH, say("Done.")])
    run = daedal("exec", "Go.")
    assert "look at this" in run.err
    assert "look at this" not in told(server.requests[1])


@requirement("SD-12")
def test_a_condition_chooses_by_a_permission_rule(daedal: Daedal, model):
    with_hooks(daedal, (EVENT, "exit 2", {"matcher": "Bash", "if": "Bash(git push:*)"}))
    model([calls(("Bash", {"command": "touch ran"}), ("Bash", {"command": "git push origin"})), say("Done.")])
    daedal("exec", "Go.", "--approval", "yolo")
    assert ran(daedal)
    assert outcomes(daedal) == ["denied"]
    assert [decision for _, decision, _ in verdicts(daedal)] == ["allow", "deny"]
