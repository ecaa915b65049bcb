"""What is left of a delivery when the plug is pulled? What was true; and the next run counts on."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.journeys.delivering import (
    TEST,
    Agent,
    Proved,
    Steady,
    bash,
    board,
    built,
    claim,
    create,
    deliver,
    listing,
    plant,
    prepared,
    results,
    verify,
)
from tests.toolbox.model_server import Tokens, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

KILLER = Path(__file__).parents[1] / "crash" / "board_killer"
PATIENCE_S = 30


@pytest.fixture
def project(daedal: Daedal) -> Daedal:
    prepared(daedal)
    plant(daedal, CORE_001="pending")
    return daedal


def finished() -> list:
    return [*built("adding"), claim("CORE-001", TEST), say("Done.")]


def killed(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate(timeout=PATIENCE_S)


@requirement("AU-01", "AU-05")
@pytest.mark.parametrize(
    ("where", "number"),
    [
        ("after", 1),
        ("before", 2),
        pytest.param("before", 1, marks=pytest.mark.long),
        pytest.param("after", 2, marks=pytest.mark.long),
    ],
)
def test_killed_around_a_write_of_the_board_it_is_whole_and_the_work_goes_on(project, model, where, number):
    (project.workspace / ".daedal" / "status.json").unlink()
    model(Steady([create("CORE-001"), say("Planned.")], finished()))
    first = project("run", "--session-delay", "0", PYTHONPATH=str(KILLER), KILL_AT=f"{where}:{number}")
    assert first.code == -signal.SIGKILL
    begun = number  # the first write is in the planning session, the second in the one after it
    assert project("status").code == 0
    done = deliver(project)
    assert done.code == 0, done.out + done.err
    assert board(project) == {"CORE-001": "passed"}
    assert f"after {begun} session(s)" in done.out
    again = {("before", 1): 2, ("after", 1): 1, ("before", 2): 1, ("after", 2): 0}[where, number]
    assert f"Overall: {begun + again} session(s), 1/1 deliverables passed" in done.out
    assert "changed" not in done.err
    left = {path.name for path in (project.workspace / ".daedal").iterdir()}
    assert left == {"run", "status.json"}


@pytest.mark.long
@requirement("AU-01")
def test_killed_between_two_sessions_it_begins_with_the_next(project: Daedal, model):
    agent = Agent([*built("adding"), say("Half.")], [bash(TEST), claim("CORE-001", TEST), say("Done.")])
    model(agent)
    process = project.start("run", "--session-delay", "600", "--json")
    assert process.stdout is not None
    for line in process.stdout:
        if json.loads(line)["type"] == "session_ended":
            break
    killed(process)
    done = deliver(project)
    assert done.code == 0, done.out
    assert "Session 2: coding" in done.out
    assert "Overall: 2 session(s), 1/1 deliverables passed" in done.out


@pytest.fixture
def rechecking(daedal: Daedal, proved: Proved):
    """A run that verifies again, and is in the middle of it; with what lets its test pass at once."""
    project = proved.copy(daedal)
    gate, test = project.root / "tmp" / "gate", project.workspace / "test_adding.py"
    os.mkfifo(gate)
    plain = test.read_text()
    test.write_text(f"open({str(gate)!r}).read()\n" + plain)
    process = project.start("run", "--session-delay", "0")
    with open(gate, "w"):  # opens when somebody reads there
        yield project, process, lambda: test.write_text(plain + "# mended\n")


@requirement("DX-05")
def test_killed_while_it_verifies_again_the_next_run_does_so(rechecking):
    project, process, mend = rechecking
    killed(process)
    assert project("status", "--json").json["stale"] == 1
    mend()
    done = deliver(project)
    assert done.code == 0, done.out
    assert "[PASS] Feature CORE-001 (CORE-001), verified again" in done.out
    assert "Overall: 0 session(s), 1/2 deliverables passed" in done.out


@requirement("AU-06", "DX-05")
def test_ctrl_c_while_it_verifies_again_ends_it_and_nothing_is_claimed(rechecking):
    project, process, _ = rechecking
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, err
    assert b"User interrupted" in out
    assert b"1 stale" in out
    assert board(project) == {"CORE-001": "passed", "CORE-002": "blocked"}


def test_what_a_killed_session_has_cost_counts(project: Daedal, model):
    dear = Tokens(input=100_000, output=10_000)
    server = model(Agent([*(reply.but(usage=dear) for reply in built("adding")), stall(after=-1)]))
    process = project.start("run", "--max-budget-usd", "5")
    server.wait_for_stall()
    killed(process)
    spent = project("status", "--json").json["costUsd"]
    assert spent > 1
    asked = len(server.requests)
    done = deliver(project, "--max-budget-usd", "1")
    assert done.code == 53
    assert "Budget used up" in done.out
    assert f"cost=${spent:.4f}" in done.out
    assert len(server.requests) == asked


@requirement("AU-02")
def test_what_a_killed_session_has_verified_stays_verified(project: Daedal, model):
    plant(project, CORE_001="pending", CORE_002="pending")
    agent = Agent(
        [listing(), say("Nothing new.")],
        [verify("CORE-001"), stall(after=-1)],
        [listing(filter={"verified": False}), verify("CORE-002"), say("Two.")],
    )
    server = model(agent)
    process = project.start("sync", "--session-delay", "0")
    server.wait_for_stall()
    killed(process)
    assert "1 verified" in project("status").out
    done = deliver(project, command="sync")
    assert done.code == 0, done.out + done.err
    assert agent.tools(2) == {"set_status", "verify", "list"}
    assert "CORE-001" not in results(server.requests[-1])[0]
    assert "Overall: 3 session(s), 2/2 verified" in done.out
