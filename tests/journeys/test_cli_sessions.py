"""Is the right session continued, with its own settings and with the prompt that was piped in?"""

import json
import os
import subprocess
from typing import Any

from tests.journeys.test_bad_input import complained
from tests.journeys.test_interrupting import interrupted
from tests.toolbox.model_server import fail, say, stall
from tests.toolbox.program import DEADLINE_S, Daedal

BY_HAND = json.dumps({"tool": "Glob", "input": {"pattern": "*"}})


def prompts(request: Any) -> list[str]:
    return [message["content"][-1]["text"] for message in request.json["messages"] if message["role"] == "user"]


def test_continue_passes_over_refused_starts_and_calls_by_hand(daedal: Daedal, model):
    server = model([say("Noted."), say("42.")])
    assert daedal("exec", "Remember 42.").code == 0
    conversation = daedal.session
    complained(daedal("exec", "x", "--provider", "nobody"), 2)
    complained(daedal("exec", "x", "--model", "gpt_9"), 2)
    assert daedal("--eval", BY_HAND).code == 0
    assert daedal.session != conversation
    run = daedal("exec", "--continue", "What number?")
    assert (run.code, run.out) == (0, "42.\n")
    assert prompts(server.requests[-1]) == ["Remember 42.", "What number?"]


def test_where_there_are_only_calls_by_hand_there_is_nothing_to_continue(daedal: Daedal, model):
    model([say("never")])
    assert daedal("--eval", BY_HAND).code == 0
    complained(daedal("exec", "--continue", "x"), 2, "--continue")


def test_a_session_resumed_from_elsewhere_keeps_the_settings_of_its_own_folder(daedal: Daedal, model):
    model([say("One."), say("Two.")])
    own = daedal.workspace / "daedal.toml"
    own.write_text("[agent]\nmax_steps = 1\n")
    assert daedal("exec", "first").code == 0
    elsewhere = daedal.root / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "daedal.toml").write_text("this is not toml\n")
    run = daedal("exec", "--resume", daedal.session, "second", cwd=elsewhere)
    assert (run.code, run.out) == (0, "Two.\n")
    assert f"{own}:2: agent.max_steps" in run.err
    call_by_hand = json.dumps({"tool": "Bash", "input": {"command": "pwd"}})
    again = daedal("--eval", call_by_hand, "--resume", daedal.session, "--approval", "yolo", cwd=elsewhere)
    assert again.json["content"].strip() == str(daedal.workspace)
    named = daedal("exec", "--resume", daedal.session, "third", "-C", str(elsewhere))
    assert str(elsewhere / "daedal.toml") in named.err


def test_a_prompt_piped_into_a_resumed_session_is_taken(daedal: Daedal, model):
    server = model([say("One."), say("Two.")])
    daedal("exec", "first")
    assert daedal("exec", "--resume", daedal.session, stdin="the next one").out == "Two.\n"
    assert prompts(server.requests[-1]) == ["first", "the next one"]


def test_a_pipe_that_stays_silent_means_that_the_turn_goes_on(daedal: Daedal, model):
    server = model([stall(after=2), say("Here I am.")])
    process = daedal.start("exec", "Hello.")
    server.wait_for_stall()
    interrupted(process)
    silent, held = os.pipe()
    done = subprocess.run(
        [*daedal.program, "exec", "--resume", daedal.session],
        stdin=silent,
        capture_output=True,
        cwd=daedal.workspace,
        env=daedal.environment(),
        timeout=DEADLINE_S,
    )
    os.close(silent)
    os.close(held)
    assert (done.returncode, done.stdout) == (0, b"Here I am.\n")


def test_closed_standard_input_means_that_the_turn_goes_on(daedal: Daedal, model):
    model([fail(400), say("Here I am.")])
    daedal("exec", "Hello.")
    daedal.program = ["sh", "-c", 'exec "$@" <&-', "sh", *daedal.program]
    assert daedal("exec", "--resume", daedal.session).out == "Here I am.\n"


def test_a_busy_session_for_calls_by_hand_is_left_alone_and_other_trouble_is_said(daedal: Daedal, tmp_path):
    pipe = daedal.workspace / "pipe"
    os.mkfifo(pipe)
    waiting = json.dumps({"tool": "Bash", "input": {"command": "echo begun > pipe; sleep 1000"}})
    process = daedal.start("--eval", waiting, "--approval", "yolo")
    assert pipe.read_text() == "begun\n"
    assert daedal("--eval", BY_HAND).code == 0
    assert daedal.rows("SELECT COUNT(*) FROM sessions") == [(2,)]
    interrupted(process)
    (daedal.home / ".daedal" / "config.toml").write_text("[tools]\nenabled = ['Nope']\n")
    complained(daedal("--eval", BY_HAND), 2, "Nope")
    assert daedal.rows("SELECT COUNT(*) FROM sessions") == [(2,)]
