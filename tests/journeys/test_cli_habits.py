"""Does it take what people of other agents type?"""

import os
import subprocess
import sys

from tests.journeys.test_bad_input import QUICK, complained, configure
from tests.toolbox.model_server import call, drop, say, stall
from tests.toolbox.program import Daedal


def prompt(server) -> str:
    return server.requests[-1].json["messages"][-1]["content"][-1]["text"]


def test_what_is_piped_in_follows_the_prompt(daedal: Daedal, model):
    server = model([say("Ok.")], after="repeat")
    daedal("exec", "Review this.", stdin="a diff\n")
    assert prompt(server) == "Review this.\n\na diff\n"
    daedal("-p", "--output-format", "json", "Flag before prompt.")
    assert prompt(server) == "Flag before prompt."
    daedal("-p", stdin="only piped")
    assert prompt(server) == "only piped"


def test_a_pipe_that_stays_silent_is_left_out_with_a_word(daedal: Daedal, model):
    server = model([say("Ok.")])
    ear, mouth = os.pipe()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "daedal", "exec", "Hello."],
            stdin=ear,
            capture_output=True,
            text=True,
            cwd=daedal.workspace,
            env=daedal.environment(),
            timeout=60,
        )
    finally:
        os.close(ear)
        os.close(mouth)
    assert (done.returncode, done.stdout) == (0, "Ok.\n")
    assert "said nothing" in done.stderr
    assert prompt(server) == "Hello."


def test_continue_without_a_prompt_goes_on_with_a_turn_that_was_cut_off(daedal: Daedal, model):
    server = model([stall(after=2), say("Here I am.")])
    process = daedal.start("exec", "Hello.")
    server.wait_for_stall()
    process.kill()
    process.communicate()
    again = daedal("exec", "--continue")
    assert (again.code, again.out) == (0, "Here I am.\n")


def test_options_may_stand_anywhere(daedal: Daedal, model):
    model([say("Hi.")])
    daedal("exec", "x")
    assert daedal("sessions", "show", "--json", daedal.session).json["session"]["session_id"] == daedal.session
    assert daedal("config", "set", "--project", "agent.system_prompt", "Be brief.").code == 0
    assert "Be brief." in (daedal.workspace / "daedal.toml").read_text()


def test_an_empty_id_is_not_taken_for_a_new_session(daedal: Daedal, model):
    model([say("never")])
    complained(daedal("exec", "--resume", "", "x"), 2, "--resume")


def test_a_stream_that_breaks_twice_and_earlier_the_second_time_is_printed_once(daedal: Daedal, model):
    configure(daedal, QUICK)
    story = say("half a sentence that finally ends", chunks=8).but(separately=True)
    model([drop(after=6, reply=story), drop(after=4, reply=story), story])
    assert daedal("exec", "x").out == "half a sentence that finally ends\n"


def test_a_different_second_attempt_starts_on_a_line_of_its_own(daedal: Daedal, model):
    configure(daedal, QUICK)
    model([drop(after=5, reply=say("One thing or so", chunks=8)), say("Another.")])
    *_, last = daedal("exec", "x").out.splitlines()
    assert last == "Another."


def test_a_failed_call_says_why_and_an_interrupted_run_says_so(daedal: Daedal, model):
    model([call("Read", file_path="missing.txt"), say("Pity.")])
    assert "✗ Read missing.txt · File does not exist" in daedal("exec", "x").err


def test_a_folder_that_vanished_is_said(daedal: Daedal, model):
    model([say("never")])
    gone = daedal.root / "gone"
    gone.mkdir()
    words = f"cd {gone} && rmdir {gone} && {sys.executable} -m daedal exec x"
    done = subprocess.run(["bash", "-c", words], capture_output=True, text=True, env=daedal.environment())
    assert done.returncode == 2
    assert "does not exist any more" in done.stderr
