"""Does the real Claude work in our house as our own engine does? Our gate, our ledger, our words."""

import os

import pytest

from tests.guests.claude_visit import NOT_GIVEN
from tests.guests.visits import Visit
from tests.toolbox.model_server import say
from tests.toolbox.program import Daedal, Finished
from tests.toolbox.requirement import requirement


def ask(claude: Daedal, *more: str) -> Finished:
    return claude("exec", "Go.", "--engine", "claude", *more)


@requirement("DX-11")
def test_a_command_runs_inside_our_walls_and_is_on_the_record_before_it_runs(claude_visit: Visit):
    assert (claude_visit.workspace / "b.txt").read_text() == "two\n"
    assert not (claude_visit.guest.daedal.home / "outside").exists()
    peeked = claude_visit.result("peek")["content"]
    assert peeked.startswith("Exit code 1\n0\n"), "its key must be in no variable that commands can read"
    assert "Read-only file system" in peeked
    for step, rule in (("echo", "allow: Bash(echo:*)"), ("peek", "allow: Bash(sh:*)")):
        assert claude_visit.kinds_about(step) == ["assistant", "tool_use", "tool_result"]
        assert claude_visit.verdict(step) == ("Bash", "allow", rule)
    assert (claude_visit.witnessed("echo"), claude_visit.witnessed("peek")) == (0, 1)


@requirement("DX-11")
def test_what_claude_does_without_asking_anybody_is_denied_by_our_rule(claude_visit: Visit):
    assert claude_visit.verdict("secret") == ("Read", "deny", "deny: Read(secret.txt)")
    assert "Permission denied by deny: Read(secret.txt)" in claude_visit.result("secret")["content"]
    assert "Permission denied by deny: Read(secret.txt)" in claude_visit.told("secret")


@requirement("DX-11")
def test_a_command_of_claude_runs_in_our_walls_off_the_network_though_claude_itself_reaches_its_model(
    claude_visit: Visit,
):
    assert (claude_visit.workspace / "made").exists()
    for step in ("exit", "reach"):
        assert claude_visit.verdict(step) == ("Bash", "allow", "fallback:confined")
    reached = claude_visit.result("reach")["content"]
    assert "Connection refused" in reached or "unreachable" in reached
    # Its model reads what ours printed, once.
    assert claude_visit.result("exit")["content"].startswith("Exit code 3")
    assert claude_visit.told("exit").count("Exit code 3") == 1
    assert "printed/" not in claude_visit.told_ever


@requirement("DX-11")
def test_calls_that_come_together_are_each_judged(claude_visit: Visit):
    judged = [(tool, decision) for tool, decision, _ in claude_visit.verdicts("together")]
    assert judged == [("Read", "allow"), ("Glob", "allow"), ("Bash", "deny"), ("Bash", "allow")]
    assert [result["is_error"] for result in claude_visit.results("together")] == [False, False, True, False]
    assert (claude_visit.workspace / "c").exists()
    assert not (claude_visit.workspace / "forbidden").exists()


@requirement("DX-11")
def test_a_file_change_is_judged_shown_and_can_be_taken_back(claude_visit: Visit):
    assert (claude_visit.workspace / "a.txt").read_text() == "two\n"
    assert (claude_visit.workspace / "new.txt").read_text() == "hello\n"
    assert [claude_visit.verdict(step)[1] for step in ("edit", "new")] == ["allow", "allow"]
    items = [shown["item"] for shown in claude_visit.shown("item/completed")]
    made = [item for item in items if item["type"] == "fileChange" and item["status"] == "completed"]
    changes = [change for item in made for change in item["changes"]]
    assert [(os.path.basename(c["path"]), c["kind"]["type"]) for c in changes] == [
        ("a.txt", "update"),
        ("new.txt", "add"),
    ]
    assert "-one\n+two\n" in changes[0]["diff"]
    snapshots = claude_visit.guest.daedal.entries("file_history_snapshot")
    assert {os.path.basename(entry["path"]): entry["existed"] for entry in snapshots} == {
        "a.txt": True,
        "new.txt": False,
    }


def test_a_change_outside_the_walls_is_not_made_even_where_a_rule_allows_it(claude_visit: Visit):
    assert claude_visit.verdict("outside")[1] == "allow"
    assert not (claude_visit.guest.daedal.root / "outside.txt").exists()
    assert claude_visit.result("outside")["is_error"]


def test_a_hook_that_changes_a_call_changes_what_runs(claude_visit: Visit):
    assert (claude_visit.workspace / "safe").exists()
    assert not (claude_visit.workspace / "unsafe").exists()


def test_keys_are_closed_to_what_claude_reads_and_searches(claude_visit: Visit):
    for step in ("read keys", "grep keys", "grep home", "cat keys"):
        assert claude_visit.told(step)
    assert "tvly" not in claude_visit.told_ever


def test_claude_fetches_nothing_that_nobody_allowed(claude_visit: Visit):
    assert claude_visit.verdict("fetch")[:2] == ("WebFetch", "deny")


@pytest.mark.parametrize("name", NOT_GIVEN)
def test_claude_may_use_nothing_that_it_was_not_given(claude_visit: Visit, name: str):
    assert "No such tool available" in claude_visit.told(name)
    assert claude_visit.verdicts(name) == []


def test_a_budget_is_refused_before_anything_is_asked(claude: Daedal, model):
    server = model([say("Never.")])
    done = ask(claude, "--max-budget-usd", "1")
    assert (done.code, server.requests) == (2, [])


def test_without_a_login_it_says_what_to_do(claude: Daedal):
    done = ask(claude)
    assert done.code == 2
    assert "ANTHROPIC_API_KEY" in done.err
