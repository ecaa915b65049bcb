"""Does a Codex that behaves badly do any harm? It dies, acts unasked, asks too late, or puts up no walls."""

import os
import sys
from pathlib import Path

import pytest

from tests.toolbox.program import Daedal, Finished
from tests.toolbox.requirement import requirement

ODD = Path(__file__).with_name("odd_codex.py")


@pytest.fixture
def odd(daedal: Daedal) -> Daedal:
    programs = daedal.root / "bin"
    programs.mkdir()
    (programs / "codex").write_text(f'#!/bin/sh\ncd "{daedal.workspace}"\nexec {sys.executable} {ODD} "$@"\n')
    (programs / "codex").chmod(0o755)
    daedal.env |= {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "OPENAI_API_KEY": "sk-123456789"}
    return daedal


def ask(odd: Daedal, how: str, *more: str) -> Finished:
    return odd("exec", "Go.", "--engine", "codex", *more, ODD=how)


def test_noise_between_its_messages_is_ignored(odd: Daedal):
    done = ask(odd, "kind")
    assert (done.code, done.out) == (0, "Go.\n")


def test_one_that_dies_at_once_is_told_with_its_last_words(odd: Daedal):
    done = ask(odd, "dies")
    assert done.code == 75
    assert "Codex ended in the middle of its work: exit code 1: cannot be bothered" in done.err


@requirement("DX-11")
def test_what_it_did_unasked_fails_the_turn_where_a_rule_refuses_it(odd: Daedal):
    done = ask(odd, "unasked", "--deny", "Bash(touch:*)")
    assert done.code == 1
    assert "did something by itself that the rules refuse (/bin/sh -c 'touch x')" in done.err
    assert odd.rows("SELECT decision FROM tool_permission_log") == [("deny",)]


def test_what_it_asks_while_another_call_runs_is_put_off_and_nobody_waits_for_ever(odd: Daedal):
    done = ask(odd, "late", "--allow", "Bash")
    assert (done.code, done.out) == (0, "Done.\n")
    assert (odd.workspace / "answers").read_text() == '{"decision": "decline"}'
    assert [result["content"] for result in odd.results()] == ["ok"]


def test_somebody_whom_we_did_not_start_may_do_nothing(odd: Daedal):
    assert ask(odd, "stranger").out == "I was told not available here.\n"


def test_nothing_begins_without_the_walls_that_were_asked_for(odd: Daedal):
    done = ask(odd, "no walls")
    assert done.code == 2
    assert "did not put up the walls" in done.err
