"""What does a person see of a delivery? One moving line on a terminal, and the board from any other one."""

import json
import os
import pty
import signal
import subprocess

import pytest

from tests.journeys.delivering import TEST, Agent, Proved, bash, built, claim, create, deliver, plant, prepared
from tests.toolbox.model_server import say, stall, think
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


@pytest.fixture
def project(daedal: Daedal) -> Daedal:
    return prepared(daedal)


def on_a_terminal(project: Daedal, kind: str, *words: str) -> tuple[subprocess.Popen[bytes], str]:
    """The program at its end, and what the terminal was sent."""
    here, there = pty.openpty()
    environment = project.environment(TERM=kind)
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [*project.program, *words],
        stdin=subprocess.DEVNULL,
        stdout=there,
        stderr=subprocess.PIPE,
        cwd=project.workspace,
        env=environment,
    )
    os.close(there)
    shown = b""
    while True:
        try:
            piece = os.read(here, 65_536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(here)
    process.communicate(timeout=30)
    return process, shown.decode()


@requirement("AU-12")
def test_on_a_terminal_one_line_moves_under_a_log_that_stays(project: Daedal, model):
    model(Agent([think("Hm.") + create("CORE-001"), say("Planned.")]))
    process, text = on_a_terminal(project, "xterm", "run", "-n", "1")
    assert process.returncode == 53
    assert "\r\x1b[K⚡ " in text
    assert "Thinking..." in text
    assert "Running mcp__deliverables__create..." in text
    assert "(1 tool)" in text
    # Nothing of the moving line is left at the end.
    assert "⚡" not in text.rsplit("\r\x1b[K", 1)[-1]
    assert "Overall: 1 session(s), 0/1 deliverables passed" in text


@requirement("AU-12")
def test_a_terminal_that_can_only_print_gets_plain_lines(project: Daedal, model):
    plant(project, CORE_001="pending")
    model(Agent([*built("adding"), claim("CORE-001", TEST), say("Done.")]))
    process, text = on_a_terminal(project, "dumb", "run")
    assert process.returncode == 0
    assert "\x1b" not in text
    assert "⚡" not in text
    assert "[PASS] Feature CORE-001 (CORE-001)" in text
    assert "\x1b" not in on_a_terminal(project, "dumb", "status")[1]
    assert "\x1b[32mpassed\x1b[0m" in on_a_terminal(project, "xterm", "status")[1]


@requirement("AU-12", "AU-13")
def test_the_end_shows_every_deliverable_with_what_it_took(proved: Proved):
    lines = [line.split() for line in proved.done.out.splitlines()]
    assert ["id", "status", "sessions", "time", "cost", "description"] in lines
    row = next(line for line in lines if line[:1] == ["CORE-001"])
    assert row[1:3] == ["passed", "1"]
    assert row[4].startswith("$0.0")
    status = proved.daedal("status", "--json").json
    assert (status["passed"], status["blocked"], status["total"], status["sessions"]) == (1, 1, 2, 1)
    assert status["deliverables"][0]["commands"] == [TEST]
    assert status["running"] is None
    assert "all_passed" in proved.daedal("status").out


def test_the_board_can_be_watched_from_elsewhere(project: Daedal, model):
    plant(project, CORE_001="pending")
    server = model(Agent([*built("adding"), claim("CORE-001", TEST), stall()]))
    watching = project.start("status", "--watch", "--json")
    assert watching.stdout is not None
    first = json.loads(watching.stdout.readline())
    assert first["pending"] == 1
    running = project.start("run")
    server.wait_for_stall()
    try:
        for line in watching.stdout:
            seen = json.loads(line)
            if seen["passed"] == 1:
                break
        assert seen["running"]["pid"] == running.pid
    finally:
        watching.send_signal(signal.SIGINT)
        watching.communicate(timeout=20)
        running.kill()
        running.communicate(timeout=20)
    assert watching.returncode == 130


def test_without_a_plan_it_says_what_to_do(project: Daedal):
    done = project("status")
    assert done.code == 0
    assert "daedal run" in done.out
    assert project("status", "--json").json is None


@requirement("AU-12")
def test_debug_shows_events_in_full_and_control_characters_are_not_obeyed(project: Daedal, model):
    model(Agent([bash("true"), create("CORE-001", criteria=["x\x1b[2J"])]))
    done = deliver(project, "-n", "1", "--debug")
    assert "item/completed" in done.out
    assert "acceptanceCriteria" in done.out
    assert "[2J" in done.out
    assert "\x1b" not in done.out
