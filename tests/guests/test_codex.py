"""Does the real Codex work in our house as our own engine does? Our gate, our ledger, our words."""

import os
import signal

import pytest

from tests.guests.visits import Visit
from tests.guests.waiting import wait_for
from tests.toolbox.model_server import call, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

CODEX = ("--engine", "codex", "--model", "gpt-5.5")


@requirement("DX-11")
def test_a_command_runs_inside_its_walls_and_is_on_the_record_before_it_runs(codex_visit: Visit):
    assert (codex_visit.workspace / "b.txt").read_text() == "two\n"
    assert not (codex_visit.guest.daedal.home / "outside").exists()
    first, second = codex_visit.result("cat"), codex_visit.result("touch home")
    assert (first["content"], first["is_error"]) == ("one\n", False)
    assert "Exit code 1" in second["content"]
    assert "Read-only file system" in second["content"]
    for step in ("cat", "touch home"):
        assert codex_visit.kinds_about(step) == ["assistant", "tool_use", "tool_result"]
        assert codex_visit.verdict(step) == ("Bash", "allow", "fallback:confined")
    assert (codex_visit.witnessed("cat"), codex_visit.witnessed("touch home")) == (0, 1)


@requirement("DX-11")
def test_a_command_that_codex_runs_by_itself_is_denied_by_our_rule(codex_visit: Visit):
    result = codex_visit.result("ls")
    assert result["is_error"]
    assert "Permission denied by deny: Bash(ls:*)" in result["content"]
    assert codex_visit.verdict("ls") == ("Bash", "deny", "deny: Bash(ls:*)")
    # Its model learns why, not only that.
    assert "rejected by user" in codex_visit.told("ls")
    assert "Permission denied by deny: Bash(ls:*)" in codex_visit.told_ever


def test_keys_and_the_ledger_are_closed_to_its_commands_and_its_key_is_not_in_their_environment(codex_visit: Visit):
    content = codex_visit.result("peek")["content"]
    assert ".env: Permission denied\n0\n" in content
    assert "tvly" not in codex_visit.told_ever


@requirement("DX-11")
def test_calls_that_come_together_are_judged_in_their_order_and_one_refusal_stops_only_itself(codex_visit: Visit):
    assert [decision for _, decision, _ in codex_visit.verdicts("together")] == ["allow", "deny", "allow"]
    assert [result["is_error"] for result in codex_visit.results("together")] == [False, True, False]
    assert [(codex_visit.workspace / name).exists() for name in ("a", "forbidden", "c")] == [True, False, True]


@requirement("DX-11")
def test_a_file_change_is_judged_shown_and_can_be_taken_back(codex_visit: Visit):
    assert (codex_visit.workspace / "a.txt").read_text() == "two\n"
    assert (codex_visit.workspace / "new.txt").read_text() == "hello\n"
    assert not (codex_visit.workspace / "gone.txt").exists()
    assert codex_visit.verdict("patch")[1] == "allow"
    items = [shown["item"] for shown in codex_visit.shown("item/completed")]
    [item] = [item for item in items if item["type"] == "fileChange" and item["status"] == "completed"]
    assert sorted((os.path.basename(c["path"]), c["kind"]["type"]) for c in item["changes"]) == [
        ("a.txt", "update"),
        ("gone.txt", "delete"),
        ("new.txt", "add"),
    ]
    snapshots = codex_visit.guest.daedal.entries("file_history_snapshot")
    kept = {os.path.basename(entry["path"]): entry["existed"] for entry in snapshots}
    assert kept == {"a.txt": True, "gone.txt": True, "new.txt": False}


def test_what_codex_took_from_its_cache_and_thought_is_counted(codex_visit: Visit):
    counted = codex_visit.guest.daedal.rows("SELECT cache_read_tokens, reasoning_tokens FROM model_calls")
    assert (4, 2) in counted


def test_every_file_of_a_patch_is_judged_by_the_rules_for_what_happens_to_it(codex_visit: Visit):
    assert codex_visit.verdict("patch secret")[1:] == ("deny", "deny: Write(secret/**)")
    assert (codex_visit.workspace / "d.txt").read_text() == "one\n"
    assert not (codex_visit.workspace / "secret").exists()


def test_a_patch_outside_the_walls_is_not_applied_even_where_a_rule_allows_it(codex_visit: Visit):
    assert codex_visit.verdict("patch outside")[1] == "allow"
    assert not (codex_visit.guest.daedal.root / "outside.txt").exists()
    assert codex_visit.result("patch outside")["is_error"]


def test_a_hook_that_changes_a_call_stops_it_since_codex_cannot_run_a_changed_one(codex_visit: Visit):
    assert codex_visit.verdict("hooked") == ("Bash", "deny", "guest:unchangeable")
    assert not (codex_visit.workspace / "unsafe").exists()


def test_nothing_can_be_typed_into_a_running_shell_past_the_gate(codex_visit: Visit):
    assert "TTY execution is disabled" in codex_visit.told("terminal")
    assert (codex_visit.workspace / "after").exists(), "a command reads nothing but the end of its input"


def test_a_running_command_can_be_waited_for_but_not_be_typed_into(codex_visit: Visit):
    assert "session ID" in codex_visit.told("long")
    assert "stdin is closed" in codex_visit.told("typed")
    assert "over" in codex_visit.told("waited")
    assert (codex_visit.workspace / "typed").read_text() == ""


def test_a_patch_that_is_dressed_up_as_a_command_is_judged_as_a_patch_or_does_nothing(codex_visit: Visit):
    assert codex_visit.told("disguised")
    assert not (codex_visit.workspace / "secret").exists()


def test_a_shell_of_its_own_choice_is_no_shell_to_our_rules(codex_visit: Visit):
    assert codex_visit.told("own shell")
    assert not (codex_visit.workspace / "by-own-shell").exists()


def test_pictures_are_not_opened(codex_visit: Visit):
    assert codex_visit.told("picture")
    assert "eHl6enk" not in codex_visit.told_ever


def test_a_machine_without_codex_or_a_login_is_told_what_to_do(daedal: Daedal):
    done = daedal("exec", "Go.", *CODEX, PATH="/usr/bin:/bin")
    assert done.code == 2
    assert "npm install -g @openai/codex" in done.err


def test_a_budget_is_refused_before_anything_is_asked(codex: Daedal, model):
    server = model([say("Never.")])
    done = codex("exec", "Go.", *CODEX, "--max-budget-usd", "1")
    assert (done.code, server.requests) == (2, [])


@requirement("DX-11")
def test_steps_are_limited_as_ever_and_what_they_cost_is_known_where_the_price_of_its_model_is(codex: Daedal, model):
    server = model([call("exec_command", cmd=f"echo {number}", login=False) for number in range(4)])
    assert codex("exec", "Go.", "--engine", "codex", "--model", "o3", "--max-turns", "2").code == 53
    assert len(server.requests) <= 3
    costs = [cost for (cost,) in codex.rows("SELECT cost_usd FROM model_calls")]
    assert costs == pytest.approx([(11 * 2 + 7 * 8) / 1e6] * 2)


@requirement("DX-11")
def test_a_run_that_ctrl_c_ends_can_go_on(codex: Daedal, model):
    model([call("exec_command", cmd="touch begun; sleep 60; touch ended", login=False), say("Whole.")])
    process = codex.start("exec", "Go.", *CODEX)
    wait_for(codex.workspace / "begun")
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert codex.rows("SELECT status FROM turns") == [("interrupted",)]
    done = codex("exec", "And now?", *CODEX, "--continue")
    assert (done.code, done.out) == (0, "Whole.\n")
    assert not (codex.workspace / "ended").exists()
