"""Does whatever we say come out, whole and harmless, or is it said that it could not?"""

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.journeys.test_bad_input import complained, configure
from tests.toolbox.model_server import call, calls, fail, say
from tests.toolbox.program import DEADLINE_S, Daedal, Finished

TITLE = "\x1b]0;owned\x07"


def run_with(daedal: Daedal, *words: str, stdout: int, **extra: str) -> Finished:
    done = subprocess.run(
        [*daedal.program, *words],
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        cwd=daedal.workspace,
        env=daedal.environment(**extra),
        timeout=DEADLINE_S,
    )
    return Finished(done.returncode, "", done.stderr.decode())


def on_a_terminal(daedal: Daedal, *words: str) -> str:
    """What a person sees of a command's standard output."""
    ours, theirs = pty.openpty()
    run = run_with(daedal, *words, stdout=theirs)
    os.close(theirs)
    assert run.code == 0, run.err
    seen = b""
    try:
        while piece := os.read(ours, 65536):
            seen += piece
    except OSError:
        pass  # so a terminal says that everything was read
    os.close(ours)
    return seen.decode()


@pytest.mark.parametrize(
    ("extra", "seen"),
    [
        ({"PYTHONIOENCODING": "ascii"}, "\\u20ac5 caf\\xe9"),
        ({"PYTHONIOENCODING": "latin-1"}, "\\u20ac5 caf"),
        ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, "caf"),
        ({"LC_ALL": "C"}, "€5 café"),
    ],
)
def test_no_encoding_is_too_poor_for_an_answer(daedal: Daedal, model, extra: dict[str, str], seen: str):
    model([say("€5 café")])
    done = subprocess.run(
        [*daedal.program, "exec", "x"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd=daedal.workspace,
        env=daedal.environment(**extra),
        timeout=DEADLINE_S,
    )
    assert done.returncode == 0
    assert seen in done.stdout.decode("utf-8", "replace")


def test_json_is_utf_8_whatever_the_terminal_speaks(daedal: Daedal, model):
    model([say("€5 café")], after="repeat")
    run = daedal("exec", "x", "--output-format", "json", PYTHONIOENCODING="ascii")
    assert run.json["result"] == "€5 café"
    (daedal.workspace / "é.txt").write_text("café\n")
    read = daedal("--eval", json.dumps({"tool": "Read", "input": {"file_path": "é.txt"}}), PYTHONIOENCODING="ascii")
    assert "café" in read.json["content"]


@pytest.mark.parametrize("words", [["exec", "x"], ["exec", "x", "--output-format", "json"], ["sessions"], ["doctor"]])
def test_a_full_disk_under_the_output_is_said(daedal: Daedal, model, words: list[str]):
    model([say("Hello.")])
    full = os.open("/dev/full", os.O_WRONLY)
    run = run_with(daedal, *words, stdout=full)
    os.close(full)
    complained(run, 1, "No space left on device")
    assert "Exception ignored" not in run.err


def test_a_full_disk_under_the_progress_does_not_stop_the_work(daedal: Daedal, model):
    model([call("Glob", pattern="*"), say("Hello.")])
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*daedal.program, "exec", "x"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=full.fileno(),
            cwd=daedal.workspace,
            env=daedal.environment(),
            timeout=DEADLINE_S,
        )
    assert (done.returncode, done.stdout) == (0, b"Hello.\n")


def test_with_every_stream_closed_the_work_is_done_and_no_file_takes_their_place(daedal: Daedal, model):
    model([call("Bash", command="echo made > made.txt"), say("Hello.")])
    daedal.program = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *daedal.program]
    assert daedal("exec", "x", "--approval", "yolo").code == 0
    assert (daedal.workspace / "made.txt").read_text() == "made\n"
    assert daedal.rows("PRAGMA integrity_check") == [("ok",)]
    assert daedal.rows("SELECT status FROM turns") == [("completed",)]


def test_what_a_model_or_a_file_says_is_never_obeyed_by_the_terminal(daedal: Daedal, model):
    configure(daedal, "[network]\nattempts_max = 2\nbackoff_base_s = 0.01\n")
    model(
        [
            call(f"{TITLE}X", a=1),
            say("Done."),
            fail(503, f"later {TITLE}"),
            fail(503, f"later {TITLE}"),
            fail(400, f"bad {TITLE}"),
        ]
    )
    made = daedal("exec", "x")
    assert "]0;owned" in made.err
    runs = [made, daedal("exec", "y"), daedal("exec", "z"), daedal("sessions", "show", made.err.split()[4])]
    (daedal.workspace / "daedal.toml").write_text('[tools]\nenabled = ["\\u001b]0;owned\\u0007"]\n')
    runs += [daedal("exec", "x"), daedal("exec", "x", "--model", TITLE), daedal("config"), daedal("exce", TITLE)]
    runs += [daedal(f"e{TITLE}"), daedal("exec", "--resume", TITLE, "x"), daedal("exec", "x", "--max-turns", TITLE)]
    for run in runs:
        assert "\x1b" not in run.err + run.out
        assert "\x07" not in run.err + run.out


def test_a_terminal_gets_a_harmless_export_and_a_pipe_gets_it_as_it_is(daedal: Daedal, model):
    model([say(f"a{TITLE}b")])
    assert TITLE in daedal("exec", "x").out
    words = ("export", daedal.session, "--format", "markdown")
    assert TITLE in daedal(*words).out
    seen = on_a_terminal(daedal, *words)
    assert "\x1b" not in seen
    assert "]0;owned" in seen


def test_a_refused_file_change_shows_its_path_and_the_true_reason(daedal: Daedal, model):
    changes = calls(
        ("Write", {"file_path": "a.txt", "content": "a"}),
        ("Edit", {"file_path": "b.txt", "old_string": "b", "new_string": "c"}),
        ("Write", {"file_path": "daedal.toml", "content": ""}),
    )
    model([changes, say("Done.")], after="cycle")
    asked = daedal("exec", "x", "--no-sandbox")
    for part in ("⊘ Write a.txt", "⊘ Edit b.txt", "--approval yolo"):
        assert part in asked.err
    steered = next(
        line for line in daedal("exec", "x", "--approval", "yolo").err.splitlines() if "⊘ Write daedal.toml" in line
    )
    assert "steer" in steered
    assert "--approval yolo" not in steered
    denials = daedal("exec", "x", "--no-sandbox", "--output-format", "json").json["permission_denials"]
    assert [denial["tool_name"] for denial in denials] == ["Write", "Edit", "Write"]
