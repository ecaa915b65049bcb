"""Does a signal always reach the program, wherever it is stuck, and does nothing that it started stay behind?"""

import json
import os
import select
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.test_bad_input import configure
from tests.journeys.test_interrupting import PATIENCE_S, interrupted, wait_for
from tests.toolbox.model_server import call, huge, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

STUBBORN = "trap '' TERM INT HUP; echo $$ > started; setsid sleep 1000 & while :; do sleep 0.2; done"


started: list[subprocess.Popen[bytes]] = []


@pytest.fixture(autouse=True)
def _nothing_outlives_a_failed_test(daedal: Daedal) -> Iterator[None]:
    yield
    while started:
        with started.pop() as process:
            process.kill()
    for pid in [*working_in(daedal.workspace), *working_in(daedal.workspace / "shop")]:
        os.kill(pid, signal.SIGKILL)


@pytest.fixture(autouse=True)
def _a_terminal_can_hang_up() -> Iterator[None]:
    """Also for whoever runs the tests under nohup: what is ignored is inherited, what is handled is not."""
    before = signal.signal(signal.SIGHUP, lambda *_: None)
    yield
    signal.signal(signal.SIGHUP, before)


def start(daedal: Daedal, *words: str, **streams: Any) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [*daedal.program, *words],
        stdin=subprocess.DEVNULL,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams},
        cwd=daedal.workspace,
        env=daedal.environment(),
    )
    started.append(process)
    return process


def working_in(folder: Path) -> list[int]:
    """The processes whose current folder it is."""
    found: list[int] = []
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{name}/cwd") == str(folder.resolve()):
                found.append(int(name))
        except OSError:
            continue
    return found


def has_begun(daedal: Daedal) -> bool:
    started = daedal.workspace / "started"
    return started.exists() and bool(started.read_text().strip())


@requirement("RX-21")
def test_a_reader_that_does_not_read_cannot_hold_the_program(daedal: Daedal, model):
    model([huge(500_000)])
    reader, writer = os.pipe()
    process = start(daedal, "exec", "Talk.", stdout=writer)
    try:
        wait_for(lambda: not select.select([], [writer], [], 0)[1])
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 130
        assert daedal.rows("SELECT status FROM turns")[0][0] in ("completed", "interrupted")
    finally:
        process.kill()
        os.close(reader)
        os.close(writer)


@requirement("RX-21")
def test_a_locked_ledger_cannot_hold_the_program(daedal: Daedal, model):
    model([say("Hi.")])
    daedal("exec", "Let the ledger exist.")
    configure(daedal, "[agent]\nmax_steps = 5\n")
    somebody = sqlite3.connect(daedal.database)
    somebody.execute("BEGIN EXCLUSIVE")
    process = start(daedal, "exec", "Wait for the ledger.")
    try:
        wait_for(lambda: str(daedal.database) in open_files(process.pid))
        assert interrupted(process) == (130, "", "")
    finally:
        process.kill()
        somebody.close()
    assert daedal.rows("SELECT COUNT(*) FROM turns") == [(1,)]


def open_files(pid: int) -> list[str]:
    files: list[str] = []
    for name in os.listdir(f"/proc/{pid}/fd"):
        try:
            files.append(os.readlink(f"/proc/{pid}/fd/{name}"))
        except OSError:
            continue
    return files


@requirement("RX-21")
def test_a_second_signal_leaves_at_once_and_takes_the_commands_with_it(daedal: Daedal, model):
    model([call("Bash", command=STUBBORN), say("never")])
    process = start(daedal, "exec", "Run it.", "--approval", "yolo")
    wait_for(lambda: has_begun(daedal))
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    while process.poll() is None and time.monotonic() - began < PATIENCE_S:
        process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode == 130
    wait_for(lambda: working_in(daedal.workspace) == [])


@requirement("RX-21", "SD-25")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_call_by_hand_is_stopped_and_recorded_so(daedal: Daedal, number: signal.Signals):
    wanted = json.dumps({"tool": "Bash", "input": {"command": STUBBORN}})
    process = start(daedal, "--eval", wanted, "--approval", "yolo")
    wait_for(lambda: has_begun(daedal))
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, out, err) == (130, b"", b"")
    wait_for(lambda: working_in(daedal.workspace) == [])
    assert daedal.rows("SELECT status FROM turns") == [("interrupted",)]


def test_the_demo_is_stopped_with_everything_it_started(daedal: Daedal, tmp_path: Path):
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text(f"#!/bin/bash\n{STUBBORN}\n")
    slow.chmod(0o755)
    daedal.env["PATH"] = f"{slow.parent}:{os.environ['PATH']}"
    process = start(daedal, "demo", "--keep", str(daedal.workspace / "shop"))
    started = daedal.workspace / "shop" / "started"
    wait_for(lambda: started.exists() and started.read_text().strip())
    process.terminate()
    process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    wait_for(lambda: working_in(daedal.workspace / "shop") == [])


def test_what_shall_outlive_the_terminal_does(daedal: Daedal, model):
    server = model([stall(after=4)])
    ignoring = ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *daedal.program]
    process = start(Daedal(daedal.root, env=daedal.env, program=ignoring), "exec", "Tell a story.")
    server.wait_for_stall()
    process.send_signal(signal.SIGHUP)
    server.release()
    process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0
    assert daedal.rows("SELECT status FROM turns") == [("completed",)]
