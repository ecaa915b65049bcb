"""Does Ctrl-C stop at once, whatever is under way, and leave a consistent record?"""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable

from tests.journeys.test_bad_input import configure
from tests.toolbox.model_server import call, calls, fail, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

PATIENCE_S = 30


def wait_for(condition: Callable[[], object]) -> None:
    """Waits for something another process does; there is no event to wait for across the border."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)


def interrupted(process: subprocess.Popen[bytes]) -> tuple[int, str, str]:
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE_S)
    assert time.monotonic() - began < 10
    return process.returncode, out.decode(), err.decode()


@requirement("RX-21")
def test_while_the_model_streams(daedal: Daedal, model):
    server = model([stall(after=4)])
    process = daedal.start("exec", "Tell a story.")
    server.wait_for_stall()
    code, out, _ = interrupted(process)
    assert code == 130
    assert daedal.rows("SELECT status FROM turns") == [("interrupted",)]
    server.wait_for_hang_ups(1)
    said = daedal.entries("assistant")
    assert [entry["content"][0]["text"] for entry in said] == ([out.rstrip("\n")] if out else [])


@requirement("RX-21")
def test_while_a_command_runs_and_no_process_stays_behind(daedal: Daedal, model):
    server = model(
        [
            calls(
                ("Bash", {"command": "echo $$ > started; setsid sleep 1000 & sleep 1000"}),
                ("Bash", {"command": "touch never"}),
            ),
            say("I was interrupted."),
        ]
    )
    process = daedal.start("exec", "Sleep.", "--approval", "yolo")
    started = daedal.workspace / "started"
    wait_for(lambda: started.exists() and started.read_text().strip())
    assert interrupted(process)[0] == 130
    assert not (daedal.workspace / "never").exists()
    left = subprocess.run(["pgrep", "-f", "sleep 1000"], capture_output=True, text=True).stdout.split()
    assert not [pid for pid in left if _works_in(pid, str(daedal.workspace))]
    running, waiting = daedal.results()
    assert running["content"].startswith("[SDLC_INTERNAL]")
    assert "did not run" in waiting["content"]
    assert daedal.rows("SELECT status FROM turns") == [("interrupted",)]
    again = daedal("exec", "--resume", daedal.session, "--approval", "yolo")
    assert (again.code, again.out) == (0, "I was interrupted.\n")
    told = server.requests[-1].json["messages"][-1]["content"]
    assert [block["type"] for block in told] == ["tool_result", "tool_result"]


def _works_in(pid: str, folder: str) -> bool:
    try:
        return os.readlink(f"/proc/{pid}/cwd") == os.path.realpath(folder)
    except OSError:
        return False


@requirement("RX-21", "RX-18")
def test_while_waiting_to_try_again(daedal: Daedal, model):
    configure(daedal, "[network]\nbackoff_base_s = 60\nbackoff_max_s = 60\n")
    server = model([fail(429, retry_after="60")], after="repeat")
    process = daedal.start("exec", "Hello.")
    server.wait_for_requests(1)
    assert process.stderr is not None
    lines: list[str] = []
    while not any("trying again" in line for line in lines):
        lines.append(process.stderr.readline().decode())
    assert interrupted(process)[0] == 130
    assert daedal.rows("SELECT status FROM turns") == [("interrupted",)]


@requirement("RX-21")
def test_json_output_tells_of_the_interruption(daedal: Daedal, model):
    server = model([stall(after=2)])
    process = daedal.start("exec", "Hello.", "--output-format", "json")
    server.wait_for_stall()
    code, out, _ = interrupted(process)
    assert code == 130
    assert json.loads(out)["status"] == "interrupted"


@requirement("RX-21")
def test_a_terminated_process_keeps_the_record_too(daedal: Daedal, model):
    server = model([stall(after=2)])
    process = daedal.start("exec", "Hello.")
    server.wait_for_stall()
    process.terminate()
    process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert daedal.rows("SELECT status FROM turns") == [("interrupted",)]


def test_two_processes_never_drive_one_session(daedal: Daedal, model):
    server = model([say("Hi."), stall(after=2)], after="repeat")
    daedal("exec", "Hello.")
    process = daedal.start("exec", "--continue", "Wait.")
    server.wait_for_stall()
    second = daedal("exec", "--resume", daedal.session, "Me too.")
    assert second.code == 75
    assert str(process.pid) in second.err
    interrupted(process)
    assert daedal.rows("SELECT COUNT(*) FROM turns") == [(2,)]


def test_after_a_kill_the_lease_is_free_again(daedal: Daedal, model):
    server = model([stall(after=2), say("Here I am.")])
    process = daedal.start("exec", "Hello.")
    server.wait_for_stall()
    process.kill()
    process.communicate()
    again = daedal("exec", "--resume", daedal.session)
    assert (again.code, again.out) == (0, "Here I am.\n")


def test_a_call_is_not_lost_when_the_reader_of_the_answer_leaves(daedal: Daedal, model):
    model([say("word " * 50_000, chunks=500) + call("Bash", command="true"), say("end")])
    process = daedal.start("exec", "Talk.", "--approval", "yolo")
    assert process.stdout is not None
    process.stdout.read(10)
    process.stdout.close()
    process.stdout = None
    process.communicate(timeout=PATIENCE_S)
    assert process.returncode in (0, 1, 130)
    assert daedal.rows("SELECT status FROM turns")[0][0] in ("completed", "interrupted")
