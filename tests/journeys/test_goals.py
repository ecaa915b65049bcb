"""Does a run with a goal go on until the goal is reached, and not a turn longer?"""

import json
import os
import signal
from pathlib import Path

import pytest

from tests.autopilot.test_signals import STRONG, WEAK
from tests.journeys.test_bad_input import configure
from tests.journeys.test_interrupting import interrupted, wait_for
from tests.toolbox.model_server import call, cut_off, fail, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

MORE = say("Some of it is there.\n\n[goal:continue]")
CLAIM = say("All of it is there.\n\n[goal:complete]")


def goal_of(daedal: Daedal) -> dict:
    [(value,)] = daedal.rows("SELECT value FROM state WHERE key LIKE 'goal:%'")
    return json.loads(value)["goal"]


def last_words(request) -> str:
    """Everything that the newest message of a request says."""
    content = request.json["messages"][-1]["content"]
    return "\n".join(block.get("text", "") for block in content)


@requirement("RX-12")
def test_it_goes_on_by_itself_until_the_check_passes(daedal: Daedal, model):
    server = model([MORE, call("Write", file_path="done.txt", content="x"), CLAIM])
    run = daedal("exec", "--goal", "Make done.txt.", "--until", "test -f done.txt", "--approval", "yolo")
    assert run.code == 0
    assert "goal complete: the check passes: test -f done.txt · continued 1 of 25 times · model calls: 3" in run.err
    first, second, _ = server.requests
    assert "<active-goal>" in last_words(first)
    assert last_words(first).endswith("Make done.txt.")
    assert "Continue with the goal" in last_words(second)
    assert "<active-goal>" not in json.dumps(first.json["system"])
    assert first.json["system"] == second.json["system"]
    assert first.json["tools"] == second.json["tools"]
    assert daedal.rows("SELECT principal LIKE 'driver:goal', status FROM turns") == [
        (0, "completed"),
        (1, "completed"),
        (0, "completed"),  # The check is the person's own command.
    ]
    kinds = [kind for (kind,) in daedal.rows("SELECT kind FROM receipts ORDER BY id")]
    assert kinds == ["turn", "turn", "command", "goal"]
    [(body,)] = daedal.rows("SELECT body_json FROM receipts WHERE kind = 'goal'")
    assert json.loads(body)["check"] == {"command": "test -f done.txt", "exit_code": 0}


@requirement("RX-12")
def test_a_claim_that_the_check_refutes_is_told_back_with_the_end_of_its_output(daedal: Daedal, model):
    server = model([CLAIM, call("Write", file_path="done.txt", content="x"), CLAIM])
    check = "cat done.txt || { echo nothing there yet; exit 3; }"
    run = daedal("exec", "--goal", "Make done.txt.", "--until", check, "--approval", "yolo")
    assert run.code == 0
    told = last_words(server.requests[1])
    assert "but its check fails" in told
    assert "exit code 3" in told
    assert "nothing there yet" in told
    goal = goal_of(daedal)
    assert (goal["status"], goal["continuations"], goal["lastCheck"]["exitCode"]) == ("complete", 1, 0)


@requirement("RX-12")
def test_without_a_check_the_models_word_is_taken_and_named_as_such(daedal: Daedal, model):
    model([CLAIM])
    run = daedal("exec", "--goal", "Do it.", "--output-format", "json")
    assert (run.code, run.json["goal"]["status"]) == (0, "complete")
    assert run.json["goal"]["reason"] == "the model reports it as complete; no check was given"
    assert run.json["goal"]["lastCheck"] is None


@requirement("RX-12")
def test_the_same_thing_in_the_way_three_times_ends_it_however_it_is_spelled(daedal: Daedal, model):
    server = model(
        [
            say("[goal:blocked: Need the API key!]"),
            say("Still.\n[goal:blocked]   need  the API-key"),
            say("[Goal:Blocked: NEED THE API KEY...]"),
            CLAIM,
        ]
    )
    run = daedal("exec", "--goal", "Call the service.")
    assert run.code == 1
    assert len(server.requests) == 3
    assert "blocked 3 times in a row: Need the API key!" in run.err
    assert goal_of(daedal)["blocked"] == {"reason": "Need the API key!", "count": 3}


@requirement("RX-12")
def test_another_reason_or_progress_between_begins_to_count_anew(daedal: Daedal, model):
    key, net = say("[goal:blocked: no key]"), say("[goal:blocked: no network]")
    server = model([key, key, net, net, MORE, net, net, CLAIM])
    assert daedal("exec", "--goal", "Call the service.").code == 0
    assert len(server.requests) == 8


@requirement("RX-12")
def test_taken_up_again_it_begins_a_fresh_audit_of_what_is_in_the_way(daedal: Daedal, model):
    key = say("[goal:blocked: no key]")
    server = model([key, key, key, key, key, CLAIM])
    assert daedal("exec", "--goal", "Call the service.").code == 1
    assert daedal("exec", "--continue").code == 0
    assert len(server.requests) == 6


@requirement("RX-12")
def test_the_limit_of_continuations_ends_it_and_whoever_goes_on_has_it_anew(daedal: Daedal, model):
    server = model([MORE], after="repeat")
    run = daedal("exec", "--goal", "Never done.", "--goal-limit", "2", "--output-format", "json")
    assert (run.code, len(server.requests)) == (53, 3)
    goal = run.json["goal"]
    assert (goal["status"], goal["stoppedBy"], goal["continuations"]) == ("budgetLimited", "limit", 2)
    assert daedal("exec", "--continue").code == 53
    assert len(server.requests) == 6


@requirement("RX-12")
def test_steps_are_counted_over_all_turns_of_a_goal(daedal: Daedal, model):
    server = model([call("Bash", command="true"), MORE], after="cycle")
    run = daedal("exec", "--goal", "Never done.", "--max-turns", "3", "--approval", "yolo")
    assert (run.code, len(server.requests)) == (53, 3)
    assert (goal_of(daedal)["stoppedBy"], goal_of(daedal)["steps"]) == ("steps", 3)


@requirement("RX-12")
def test_the_budget_holds_over_all_turns_and_over_a_restart(daedal: Daedal, model):
    server = model([MORE], after="repeat")
    run = daedal("exec", "--goal", "Never done.", "--max-budget-usd", "0.002", "--model", "opus")
    spent = goal_of(daedal)["costUsd"]
    assert (run.code, goal_of(daedal)["stoppedBy"]) == (53, "budget")
    assert spent >= 0.002
    calls = len(server.requests)
    assert 2 <= calls < 10
    # Nobody names the budget again, and none of it is left.
    again = daedal("exec", "--continue")
    assert (again.code, len(server.requests)) == (53, calls)
    assert daedal("exec", "--continue", "--max-budget-usd", str(spent + 0.0001)).code == 53
    assert len(server.requests) == calls + 1


@requirement("RX-12")
def test_ctrl_c_pauses_it_and_continue_takes_the_same_turn_up(daedal: Daedal, model):
    server = model([MORE, stall(after=4), CLAIM])
    process = daedal.start("exec", "--goal", "Do it.")
    server.wait_for_stall()
    code, _, err = interrupted(process)
    assert code == 130
    assert "goal paused: stopped by the person" in err
    goal = goal_of(daedal)
    assert (goal["status"], goal["stoppedBy"], goal["continuations"]) == ("paused", "person", 1)
    assert daedal("exec", "--continue").code == 0
    goal = goal_of(daedal)
    assert (goal["status"], goal["continuations"]) == ("complete", 1)
    assert daedal.rows("SELECT status FROM turns") == [("completed",), ("completed",)]


@requirement("RX-12")
def test_ctrl_c_ends_a_check_that_runs(daedal: Daedal, model):
    server = model([CLAIM])
    check = "touch begun; sleep 1000"
    process = daedal.start("exec", "--goal", "Do it.", "--until", check, "--approval", "yolo")
    wait_for((daedal.workspace / "begun").exists)
    code, _, _ = interrupted(process)
    assert (code, goal_of(daedal)["status"]) == (130, "paused")
    # What the model claimed is checked when it goes on.
    run = daedal("exec", "--continue", "--until", "test -f begun", "--approval", "yolo")
    assert (run.code, len(server.requests)) == (0, 1)


@requirement("RX-12", "DX-04")
@pytest.mark.parametrize("again", [["--continue"], ["--continue", "--goal", "Do it."]])
def test_killed_in_the_middle_of_a_turn_it_goes_on_with_the_right_counts(daedal: Daedal, model, again: list[str]):
    server = model([MORE, MORE, stall(after=4), MORE, CLAIM])
    process = daedal.start("exec", "--goal", "Do it.", "--goal-limit", "3")
    server.wait_for_stall()
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    before = goal_of(daedal)
    assert (before["status"], before["continuations"]) == ("active", 2)
    run = daedal("exec", *again, "--output-format", "json")
    assert run.code == 0
    goal = run.json["goal"]
    # The call that was cut off left no reply, and its turn went on: two turns followed before, one after.
    assert (goal["status"], goal["continuations"], goal["steps"], goal["limit"]) == ("complete", 3, 4, 3)
    assert len(server.requests) == 5


@requirement("RX-12", "DX-04")
def test_killed_while_it_checks_it_checks_again(daedal: Daedal, model):
    server = model([CLAIM])
    check = "test -f second || { touch second; sleep 1000; }"
    process = daedal.start("exec", "--goal", "Do it.", "--until", check, "--approval", "yolo")
    wait_for((daedal.workspace / "second").exists)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    run = daedal("exec", "--continue", "--approval", "yolo")
    assert (run.code, len(server.requests)) == (0, 1)
    assert goal_of(daedal)["lastCheck"]["passed"] is True


@requirement("RX-12")
def test_a_check_that_may_not_run_stops_the_goal_and_says_what_to_do(daedal: Daedal, model):
    server = model([CLAIM], after="repeat")
    run = daedal("exec", "--goal", "Do it.", "--until", "rm -r build", "--deny", "Bash(rm:*)")
    assert (run.code, len(server.requests)) == (1, 1)
    assert "the check may not run" in run.err
    assert (goal_of(daedal)["status"], goal_of(daedal)["stoppedBy"]) == ("blocked", "check")


@requirement("RX-12")
def test_the_check_runs_in_the_project_wherever_the_model_went(daedal: Daedal, model):
    (daedal.workspace / "deep").mkdir()
    model([call("Bash", command="cd deep"), CLAIM])
    run = daedal("exec", "--goal", "Do it.", "--until", "test -d deep", "--approval", "yolo")
    assert run.code == 0


@requirement("RX-12")
def test_what_the_check_prints_is_never_taken_for_a_command_or_a_reference(daedal: Daedal, model):
    (daedal.workspace / "secret.txt").write_text("the contents")
    server = model([CLAIM, CLAIM])
    check = "test -f again || { touch again; echo /help @secret.txt; exit 1; }"
    run = daedal("exec", "--goal", "Do it.", "--until", check, "--approval", "yolo")
    assert run.code == 0
    assert "the contents" not in json.dumps(server.requests[1].json)


@requirement("RX-12")
def test_a_turn_that_fails_pauses_it_and_a_reply_that_was_cut_off_does_not(daedal: Daedal, model):
    server = model([cut_off("So far"), fail(400), CLAIM])
    run = daedal("exec", "--goal", "Do it.", "--output-format", "json")
    assert run.code != 0
    goal = run.json["goal"]
    assert (goal["status"], goal["stoppedBy"], goal["continuations"]) == ("paused", "failure", 1)
    assert daedal("exec", "--continue").code == 0
    assert len(server.requests) == 3


@requirement("RX-12")
def test_every_step_of_a_goal_is_an_event(daedal: Daedal, model):
    model([MORE, CLAIM])
    run = daedal("exec", "--goal", "Do it.", "--until", "true", "--output-format", "stream-json")
    goals = [line["params"]["goal"] for line in run.lines if line.get("method") == "thread/goal/updated"]
    assert [(goal["status"], goal["continuations"]) for goal in goals] == [
        ("active", 0),
        ("active", 1),
        ("active", 1),
        ("complete", 1),
    ]
    assert run.lines[-1]["goal"] == goals[-1]


@requirement("RX-12")
def test_a_prompt_on_top_of_a_goal_that_waits_leaves_it_waiting(daedal: Daedal, model):
    model([say("[goal:blocked: no key]")] * 3 + [say("Four.")])
    daedal("exec", "--goal", "Call the service.")
    run = daedal("exec", "--continue", "What is two and two?")
    assert (run.code, run.out) == (0, "Four.\n")
    assert goal_of(daedal)["status"] == "blocked"


@requirement("RX-12")
def test_plan_mode_ends_the_goal(daedal: Daedal, model):
    model([say("[goal:blocked: no key]")] * 3 + [say("A plan.")])
    daedal("exec", "--goal", "Call the service.")
    assert daedal("exec", "--continue", "Plan it.", "--permission-mode", "plan").code == 0
    assert daedal.rows("SELECT value FROM state WHERE key LIKE 'goal:%'") == []


@requirement("RX-12")
@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--goal", "A.", "B."], "the goal is the prompt"),
        (["--goal", "  "], "the goal is empty"),
        (["A.", "--until", "true"], "there is no goal"),
        (["A.", "--research"], "there is no goal"),
        (["--goal", "A.", "--research", "--simple"], "exclude each other"),
        (["--goal", "A.", "--until", " "], "the check is empty"),
        (["--goal", "x" * 40_000], "longer than 32000 characters"),
        (["--goal", "A.", "--goal-limit", "0"], "0"),
    ],
)
def test_options_that_make_no_sense_are_refused_before_anything_is_asked(
    daedal: Daedal, model, words: list[str], complaint: str
):
    server = model([CLAIM])
    run = daedal("exec", *words)
    assert run.code in (1, 2)
    assert complaint in run.err
    assert server.requests == []


def runs(workspace: Path) -> list[Path]:
    return sorted((workspace / ".daedal" / "autoresearch").glob("*"))


@requirement("RX-12")
def test_research_keeps_its_state_in_the_project_and_nowhere_else(daedal: Daedal, model):
    server = model([say("Tried A: 3 % slower.\n\n[goal:continue]"), CLAIM])
    (daedal.workspace / "AGENTS.md").write_text("Be brief.")
    run = daedal("exec", "--goal", "Make the Parser faster!", "--research", "--until", "true", "--approval", "yolo")
    assert run.code == 0
    [folder] = runs(daedal.workspace)
    date, clock, slug = folder.name.split("-", 2)
    assert (len(date), len(clock), slug) == (8, 6, "make-the-parser-faster")
    assert sorted(file.name for file in folder.iterdir()) == ["goal.md", "journal.md", "state.json"]
    assert "Make the Parser faster!" in (folder / "goal.md").read_text()
    journal = (folder / "journal.md").read_text()
    assert "Tried A: 3 % slower." in journal
    assert "All of it is there." in journal
    assert json.loads((folder / "state.json").read_text())["status"] == "complete"
    asked = server.requests[0].json
    assert "AutoResearch" in last_words(server.requests[0])
    assert str(folder) in last_words(server.requests[0])
    for part in ("system", "tools"):
        assert "autoresearch" not in json.dumps(asked[part]).lower()
    assert (daedal.workspace / "AGENTS.md").read_text() == "Be brief."
    assert daedal.rows("SELECT count(*) FROM memories") == [(0,)]


@requirement("RX-12")
def test_a_goal_forced_to_be_simple_leaves_nothing_in_the_project(daedal: Daedal, model):
    server = model([CLAIM])
    assert daedal("exec", "--goal", STRONG[0], "--simple").code == 0
    assert not (daedal.workspace / ".daedal").exists()
    assert "AutoResearch" not in last_words(server.requests[0])


@requirement("RX-12")
def test_research_state_is_never_written_through_a_link(daedal: Daedal, model, tmp_path: Path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (daedal.workspace / ".daedal").symlink_to(elsewhere)
    server = model([CLAIM])
    run = daedal("exec", "--goal", "Look into it.", "--research")
    assert (run.code, server.requests, list(elsewhere.iterdir())) == (2, [], [])
    assert "cannot be kept" in run.err
    # Nobody insists on it here, so the goal is worked at without.
    assert daedal("exec", "--goal", STRONG[0]).code == 0
    assert list(elsewhere.iterdir()) == []


@requirement("RX-12")
def test_an_ordinary_prompt_that_asks_for_long_research_becomes_a_goal(daedal: Daedal, model):
    server = model([MORE, CLAIM])
    run = daedal("exec", STRONG[1])
    assert (run.code, len(server.requests)) == (0, 2)
    goal = goal_of(daedal)
    assert (goal["objective"], goal["strategy"], goal["status"]) == (STRONG[1], "research", "complete")
    assert len(runs(daedal.workspace)) == 1


@requirement("RX-12")
@pytest.mark.parametrize("words", [[WEAK], [STRONG[1], "--simple"], [WEAK * 3]])
def test_any_other_prompt_stays_one_and_leaves_nothing(daedal: Daedal, model, words: list[str]):
    server = model([say("Done.\n[goal:continue]")])
    assert daedal("exec", *words).code == 0
    assert len(server.requests) == 1
    assert "active-goal" not in json.dumps(server.requests[0].json)
    assert daedal.rows("SELECT count(*) FROM state") == [(0,)]
    assert not (daedal.workspace / ".daedal").exists()


@requirement("RX-12")
def test_no_key_stays_in_what_a_goal_leaves_behind(daedal: Daedal, model):
    key = "test-anthropic-key"
    said = say(f"The key is {key}.\n\n[goal:continue]")
    model([said, say(f"{key}\n[goal:complete]"), say("[goal:complete]")])
    check = f"test -f again || {{ touch again; echo {key}; exit 1; }}"
    run = daedal("exec", "--goal", f"Use {key}.", "--research", "--until", check, "--approval", "yolo")
    assert run.code == 0, run.err
    assert runs(daedal.workspace)
    for folder in (daedal.workspace, daedal.home):
        for file in folder.rglob("*"):
            assert not file.is_file() or key.encode() not in file.read_bytes(), file
    assert key not in run.out + run.err


@requirement("RX-12")
def test_a_hook_that_refuses_the_next_turn_pauses_the_goal(daedal: Daedal, model):
    server = model([MORE, CLAIM])
    script = "grep -q 'Continue with' && { echo not now >&2; exit 2; } || exit 0"
    configure(daedal, f'[[hooks]]\nhook_event_name = "UserPromptSubmit"\ncommand = """{script}"""\n')
    run = daedal("exec", "--goal", "Do it.")
    assert (run.code, len(server.requests)) == (1, 1)
    assert "not now" in goal_of(daedal)["reason"]
    assert (goal_of(daedal)["status"], goal_of(daedal)["stoppedBy"]) == ("paused", "failure")
