"""What ends a delivery before its goal, and how does it go on? Quota, budget, time, Ctrl-C, a crash, a second run."""

import json
import signal
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from tests.journeys.delivering import TEST, Agent, bash, board, built, claim, create, deliver, plant, prepared
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
@pytest.mark.parametrize(
    "reply",
    [say("You've hit your limit · resets 6pm (UTC)"), fail(400, "You've hit your limit · resets 6pm (UTC)")],
)
def test_without_quota_it_ends_at_once(project: Daedal, model, reply):
    agent = Agent([reply])
    model(agent)
    done = deliver(project)
    assert done.code == 75
    assert "Quota exceeded" in done.out
    assert agent.begun == 1
    assert "in a row" not in done.err


@requirement("AU-08", "AU-09")
def test_with_waiting_it_goes_on_when_the_quota_is_there_again(project: Daedal, model):
    soon = datetime.now(UTC) + timedelta(seconds=3)
    said = f"You've hit your limit · resets {soon:%I:%M:%S%p} (UTC)".lower().replace("you've", "You've")
    agent = Agent([say(said)], finished())
    model(agent)
    done = deliver(project, "--wait-for-quota", "--max-retries", "0")
    assert done.code == 0, done.out + done.err
    assert "⏳ Waiting... " in done.out
    assert f"remaining (resets at {int(f'{soon:%I}')}:{soon:%M} {soon:%p} UTC)" in done.out


@requirement("AU-08")
@pytest.mark.parametrize(
    ("zone", "named"),
    [("America/New_York", "America/New_York"), ("Asia/Kolkata", "Asia/Kolkata"), ("Etc/GMT-9", "+09:00")],
)
def test_a_reset_is_waited_for_in_the_zone_it_is_named_in(project: Daedal, model, zone: str, named: str):
    soon = (datetime.now(UTC) + timedelta(seconds=3)).astimezone(ZoneInfo(zone))
    agent = Agent([say(f"You've hit your limit · resets {soon:%I:%M:%S%p} ({named})")], finished())
    model(agent)
    done = deliver(project, "--wait-for-quota", "--json")
    assert done.code == 0, done.out + done.err
    waited = [line for line in done.lines if line["type"] == "waiting"]
    assert waited[0]["remaining_s"] <= 5
    assert waited[0]["resets_at"].startswith(f"{int(f'{soon:%I}')}:{soon:%M} {soon:%p} ")


@requirement("AU-08")
def test_ctrl_c_ends_the_wait_at_once(project: Daedal, model):
    later = datetime.now(UTC) + timedelta(hours=3)
    model(Agent([say(f"You've hit your limit · resets {later:%I%p} (UTC)")]))
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


@requirement("AU-01", "AU-05")
def test_killed_while_planning_it_plans_on(project: Daedal, model):
    (project.workspace / ".daedal" / "status.json").unlink()
    server = model(Agent([create("CORE-001"), stall(after=-1)], finished()))
    process = project.start("run", "--session-delay", "0")
    server.wait_for_stall()
    process.kill()
    process.communicate(timeout=20)
    assert board(project) == {"CORE-001": "pending"}
    assert deliver(project).code == 0


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
        (["--thinking", "1000"], "Thinking budget must be at least 1024 tokens, got 1000"),
        (["--max-iterations", "0"], "Max iterations must be positive, got 0"),
        (["-n", "-2"], "Max iterations must be positive, got -2"),
        (["-n", "many"], "Max iterations must be positive, got many"),
        (["--max-retries", "-1"], "Max retries must be non-negative, got -1"),
        (["--max-duration", "soon"], "Max duration must be a time as 90s, 30m or 8h, got soon"),
    ],
)
@pytest.mark.parametrize("command", ["run", "sync"])
def test_what_is_wrong_with_an_option_is_said_before_anything_is_done(project, command, words, message):
    done = project(command, *words)
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
@pytest.mark.parametrize(
    "content", ["{", '{"deliverables": 1}', '{"createdAt": "", "updatedAt": "", "deliverables": [{}]}']
)
def test_a_board_that_cannot_be_read_is_kept_and_nothing_is_overwritten(project: Daedal, model, content: str):
    server = model([])
    path = project.workspace / ".daedal" / "status.json"
    path.write_text(content)
    for command in ("run", "sync", "status"):
        done = project(command)
        assert done.code == 2
        assert "cannot be understood" in done.err
    assert path.read_text() == content
    kept = [one.read_text() for one in path.parent.glob("status.json.broken-*")]
    assert kept == [content]
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


@requirement("AU-18")
def test_without_the_sandbox_it_warns_and_works(project: Daedal, model):
    model(Agent(finished()))
    done = deliver(project, "--no-sandbox")
    assert "--no-sandbox" in done.err
    assert done.code == 0, done.out + done.err


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
