"""What ends a delivery before its goal, and how does it go on? Quota, budget, time, Ctrl-C, a crash, a second run."""

import json
import signal
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from tests.journeys.delivering import TEST, Agent, bash, board, built, claim, deliver, plant, prepared
from tests.toolbox.model_server import Tokens, fail, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


@pytest.fixture
def project(daedal: Daedal) -> Daedal:
    prepared(daedal)
    plant(daedal, CORE_001="pending")
    return daedal


def finished() -> list:
    return [*built("adding"), claim("CORE-001", TEST), say("Done.")]


@requirement("AU-06", "AU-08")
def test_without_quota_it_ends_at_once(project: Daedal, model):
    agent = Agent([say("You've hit your limit · resets 6pm (UTC)")])
    model(agent)
    done = deliver(project)
    assert done.code == 75
    assert "Quota exceeded" in done.out
    assert agent.begun == 1
    assert "in a row" not in done.err


@requirement("AU-08", "AU-09")
def test_with_waiting_it_goes_on_when_the_quota_is_there_again_in_the_zone_that_is_named(project: Daedal, model):
    soon = (datetime.now(UTC) + timedelta(seconds=3)).astimezone(ZoneInfo("Asia/Kolkata"))
    agent = Agent([say(f"You've hit your limit · resets {soon:%I:%M:%S%p} (Asia/Kolkata)")], finished())
    model(agent)
    done = deliver(project, "--wait-for-quota", "--max-retries", "0")
    assert done.code == 0, done.out + done.err
    waited = done.out.partition("⏳ Waiting... ")[2].splitlines()[0]
    assert waited.startswith(("1s", "2s", "3s", "4s", "5s"))
    assert f"remaining (resets at {int(f'{soon:%I}')}:{soon:%M} {soon:%p} " in waited


@requirement("AU-08")
def test_ctrl_c_ends_the_wait_at_once(project: Daedal, model):
    later = datetime.now(UTC) + timedelta(hours=3)
    model(Agent([fail(400, f"You've hit your limit · resets {later:%I%p} (UTC)")]))  # as an error it is the same
    process = project.start("run", "--wait-for-quota", "--json")
    assert process.stdout is not None
    for line in process.stdout:
        if json.loads(line)["type"] == "waiting":
            break
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert process.returncode == 130
    assert json.loads(out.splitlines()[-1])["interrupted"] is True


@requirement("AU-06")
def test_ctrl_c_ends_the_session_cleanly_and_a_new_run_goes_on(project: Daedal, model):
    server = model(Agent([*built("adding"), stall()], [bash(TEST), claim("CORE-001", TEST), say("Done.")]))
    process = project.start("run", "--session-delay", "0")
    server.wait_for_stall()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert b"User interrupted" in out
    assert b"Overall: 1 session(s), 0/1 deliverables passed" in out
    done = deliver(project)
    assert done.code == 0, done.out
    assert "Session 2: coding" in done.out
    assert "Overall: 1 session(s), 1/1" in done.out


def test_ctrl_c_twice_ends_it_at_once(project: Daedal, model):
    server = model(Agent([stall(after=-1)], []))
    process = project.start("run")
    server.wait_for_stall()
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130
    assert board(project) == {"CORE-001": "pending"}


@requirement("AU-01")
def test_a_killed_run_resumes_with_its_counters(project: Daedal, model):
    agent = Agent(
        [*built("adding"), say("Half.")], [stall(after=-1)], [bash(TEST), claim("CORE-001", TEST), say("Done.")]
    )
    server = model(agent)
    process = project.start("run", "--session-delay", "0", "-n", "3")
    server.wait_for_stall()
    process.kill()
    process.communicate(timeout=20)
    shown = project("status").out
    assert "was cut off" in shown
    done = deliver(project, "-n", "3")
    assert done.code == 0, done.out
    assert "after 2 session(s)" in done.out
    assert "Overall: 3 session(s), 1/1 deliverables passed" in done.out


def test_a_second_run_says_who_holds_the_project(project: Daedal, model):
    server = model(Agent([stall(after=-1)]))
    process = project.start("run")
    server.wait_for_stall()
    try:
        second = deliver(project)
        assert second.code == 75
        assert f"daedal run (process {process.pid}" in second.err
        assert deliver(project, command="sync").code == 75
        shown = project("status").out
        assert f"daedal run is at work (process {process.pid}" in shown
        assert "session 1, coding" in shown
    finally:
        process.kill()
        process.communicate(timeout=20)


def test_a_call_that_could_cost_more_than_is_left_is_not_made(project: Daedal, model):
    server = model(Agent([say("Done.")]))
    done = deliver(project, "--max-budget-usd", "0.10")
    assert done.code == 53
    assert not server.requests


def test_the_budget_holds_for_all_sessions_together(project: Daedal, model):
    dear = Tokens(input=100_000, output=10_000)
    agent = Agent(after=[reply.but(usage=dear) for reply in [*built("adding"), say("Half.")]])
    model(agent)
    done = deliver(project, "--max-budget-usd", "1")
    assert done.code == 53
    assert "Budget used up" in done.out


def test_it_ends_when_its_time_is_over(project: Daedal, model):
    model(Agent([stall(after=-1)]))
    done = deliver(project, "--max-duration", "2s")
    assert done.code == 53
    assert "Max duration reached" in done.out


@requirement("AU-10")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "--thinking", "1000"], "Thinking budget must be at least 1024 tokens, got 1000"),
        (["sync", "--max-iterations", "0"], "Max iterations must be positive, got 0"),
        (["run", "-n", "-2"], "Max iterations must be positive, got -2"),
        (["sync", "-n", "many"], "Max iterations must be positive, got many"),
        (["run", "--max-retries", "-1"], "Max retries must be non-negative, got -1"),
        (["sync", "--max-duration", "soon"], "Max duration must be a time as 90s, 30m or 8h, got soon"),
    ],
)
def test_what_is_wrong_with_an_option_is_said_before_anything_is_done(project, words, message):
    done = project(*words)
    assert done.code == 2
    assert done.err == f"error: {message}\n"


@requirement("AU-10")
def test_a_project_needs_to_be_there_with_a_specification_that_can_be_read(daedal: Daedal):
    spec = daedal.workspace / "SPEC.md"
    assert daedal("run").err == f"error: SPEC.md not found in {daedal.workspace}\n"
    assert (
        daedal("sync", "-p", "nowhere").err == f"error: Project directory does not exist: {daedal.workspace}/nowhere\n"
    )
    for content, complaint in [
        (b" \n", "is empty"),
        (b"# caf\xe9\n", "line 1: this is not UTF-8"),
        (b"x" * (5 * 1024 * 1024), "larger than 4 MiB"),
    ]:
        spec.write_bytes(content)
        done = daedal("run", "--project-dir", str(daedal.workspace), cwd=daedal.root)
        assert done.code == 2
        assert complaint in done.err
    assert not (daedal.workspace / ".daedal").exists()


@requirement("AU-05")
def test_a_board_that_cannot_be_read_is_kept_and_nothing_is_overwritten(project: Daedal, model):
    server = model([])
    path = project.workspace / ".daedal" / "status.json"
    incomplete = '{"createdAt": "", "updatedAt": "", "deliverables": [{}]}'
    met: list[str] = []
    for content, command in [("{", "run"), ("{", "status"), ('{"deliverables": 1}', "sync"), (incomplete, "run")]:
        path.write_text(content)
        done = project(command)
        assert done.code == 2
        assert "cannot be understood" in done.err
        assert path.read_text() == content
        met.append(content)
        kept = [one.read_text() for one in path.parent.glob("status.json.broken-*")]
        assert sorted(kept) == sorted(set(met))
    assert not server.requests


def test_a_state_folder_that_leads_elsewhere_is_refused(daedal: Daedal):
    prepared(daedal)
    elsewhere = daedal.root / "elsewhere"
    elsewhere.mkdir()
    (daedal.workspace / ".daedal").symlink_to(elsewhere)
    done = daedal("run")
    assert done.code == 2
    assert "is a link" in done.err
    assert not list(elsewhere.iterdir())


def test_a_missing_key_is_said_at_once_and_not_retried(project: Daedal):
    done = deliver(project)
    assert done.code == 2
    assert "in a row" not in done.err


@requirement("AU-08")
def test_killed_while_waiting_for_quota_it_goes_on_without_counting_an_error(project: Daedal, model):
    later = datetime.now(UTC) + timedelta(hours=3)
    agent = Agent([say(f"You've hit your limit · resets {later:%I%p} (UTC)")], finished())
    model(agent)
    process = project.start("run", "--wait-for-quota", "--json")
    assert process.stdout is not None
    for line in process.stdout:
        if json.loads(line)["type"] == "waiting":
            break
    process.kill()
    process.communicate(timeout=20)
    done = deliver(project, "--max-retries", "0")
    assert done.code == 0, done.out
    assert "Overall: 2 session(s), 1/1" in done.out
