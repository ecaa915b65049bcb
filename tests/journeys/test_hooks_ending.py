"""Do scripts hear of every end? Of a failed turn, an interrupted one, the session's; they can hold up none of them."""

import signal
import time

import pytest

from tests.journeys.test_cli_signals import working_in
from tests.journeys.test_hooks import TOUCH, heard, listening, outcomes, runs, saying, with_hooks
from tests.journeys.test_interrupting import interrupted, wait_for
from tests.toolbox.model_server import Reply, call, cut_off, empty, fail, refuse, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

HANG = "touch begun; sleep 1000"


@requirement("SD-09")
@pytest.mark.parametrize(
    ("replies", "error"),
    [
        ([fail(401)], "authentication_failed"),
        ([fail(400)], "invalid_request"),
        ([cut_off("I was about to")], "max_output_tokens"),
        ([refuse("No.")], "unknown"),
        ([empty(), empty()], "unknown"),
    ],
    ids=["401", "400", "cut off", "refused", "empty"],
)
def test_a_failed_turn_is_told_by_its_kind_and_the_session_ends_all_the_same(
    daedal: Daedal, model, replies: list[Reply], error: str
):
    with_hooks(
        daedal,
        ("StopFailure", listening(daedal), {"matcher": error}),
        ("Stop", "exit 2"),
        ("SessionEnd", listening(daedal)),
    )
    model(replies)
    run = daedal("exec", "Go.")
    assert run.code != 0
    failure, end = heard(daedal)
    assert failure["error"] == error
    assert failure["error_details"]
    assert (end["hook_event_name"], end["reason"]) == ("SessionEnd", "other")
    assert [row["hook_event"] for row in runs(daedal)] == ["StopFailure", "SessionEnd"]
    assert daedal.rows("SELECT status FROM turns") == [("failed",)]


@requirement("SD-09", "RX-21")
def test_the_session_ends_for_hooks_after_an_interruption_too(daedal: Daedal, model):
    with_hooks(daedal, ("SessionEnd", listening(daedal)), ("StopFailure", listening(daedal)))
    server = model([stall(after=4)])
    process = daedal.start("exec", "Go.")
    server.wait_for_stall()
    assert interrupted(process)[0] == 130
    assert [stdin["hook_event_name"] for stdin in heard(daedal)] == ["SessionEnd"]
    assert outcomes(daedal) == ["ran"]


@requirement("SD-12")
def test_the_end_waits_for_a_hook_only_a_moment(daedal: Daedal, model):
    with_hooks(daedal, ("SessionEnd", HANG))
    model([say("Hello.")])
    began = time.monotonic()
    run = daedal("exec", "Go.")
    assert run.code == 0
    assert time.monotonic() - began < 8
    assert outcomes(daedal) == ["timed_out"]
    assert "SessionEnd hook 0 timed out" in run.err
    wait_for(lambda: working_in(daedal.workspace) == [])


@requirement("SD-11", "RX-21")
@pytest.mark.parametrize(
    ("event", "replies"),
    [
        ("SessionStart", [say("Never.")]),
        ("UserPromptSubmit", [say("Never.")]),
        ("PreToolUse", [TOUCH, say("Never.")]),
        ("PostToolUse", [TOUCH, say("Never.")]),
        ("Stop", [say("Done.")]),
        ("StopFailure", [fail(400)]),
    ],
)
def test_an_interruption_ends_a_hanging_hook_with_its_row(daedal: Daedal, model, event: str, replies: list[Reply]):
    with_hooks(daedal, (event, "true"), (event, HANG))
    model(replies)
    process = daedal.start("exec", "Go.")
    wait_for((daedal.workspace / "begun").exists)
    code = interrupted(process)[0]
    assert code == (1 if event == "StopFailure" else 130)
    wait_for(lambda: working_in(daedal.workspace) == [])
    assert outcomes(daedal, event) == ["ran", "broken"]
    assert "interrupted" in runs(daedal, event)[1]["stderr_text"]
    assert (daedal.workspace / "ran").exists() is (event == "PostToolUse")
    for result in daedal.results():
        assert result["is_error"] is (event == "PreToolUse")


@requirement("SD-02", "SD-11")
def test_a_known_outcome_is_kept_when_the_turn_is_stopped_over_the_instructions_it_found(daedal: Daedal, model):
    sub = daedal.workspace / "sub"
    sub.mkdir()
    (sub / "AGENTS.md").write_text("Be kind.\n")
    with_hooks(daedal, ("InstructionsLoaded", HANG), ("CwdChanged", "true"))
    model([call("Bash", command="cd sub && touch made"), say("Never.")])
    process = daedal.start("exec", "Go.")
    wait_for((sub / "begun").exists)
    assert interrupted(process)[0] == 130
    (result,) = daedal.results()
    assert not result["is_error"]
    assert outcomes(daedal, "InstructionsLoaded") == ["broken"]
    wait_for(lambda: working_in(sub) == [])


@requirement("SD-02", "SD-09")
def test_a_move_and_what_hooks_said_of_it_are_kept_when_the_turn_is_stopped_right_after(daedal: Daedal, model):
    sub = daedal.workspace / "sub"
    sub.mkdir()
    with_hooks(daedal, ("CwdChanged", HANG), ("PostToolUse", saying("PostToolUse", additionalContext="mind the step")))
    model([call("Bash", command="cd sub"), call("Bash", command="pwd"), say("Here.")])
    process = daedal.start("exec", "Go.")
    wait_for((sub / "begun").exists)
    assert interrupted(process)[0] == 130
    assert "mind the step" in daedal.results()[0]["content"]
    assert outcomes(daedal) == ["ran", "broken"]
    assert daedal("exec", "Where are we?", "-r", daedal.session).code == 0
    assert str(sub) in daedal.results()[1]["content"]


@requirement("SD-09")
def test_a_terminated_program_tells_its_hooks_too(daedal: Daedal, model):
    with_hooks(daedal, ("SessionEnd", listening(daedal)))
    server = model([stall(after=4)])
    process = daedal.start("exec", "Go.")
    server.wait_for_stall()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert len(heard(daedal)) == 1
