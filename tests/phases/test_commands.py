"""An operator moves a conversation from phase to phase, and sees how far it has come."""

import json
import sqlite3

import pytest

from tests.toolbox.program import Daedal, Finished
from tests.toolbox.requirement import requirement


def seeded(daedal: Daedal, *statements: str) -> None:
    """Rows as an operator writes them, with the columns of the specification alone."""
    if not daedal.database.exists():
        # Any command that works makes the ledger.
        daedal("--eval", '{"tool": "Read", "input": {"file_path": "none"}}')
    connection = sqlite3.connect(daedal.database, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def conversation(daedal: Daedal, name: str, phase: str) -> None:
    row = f"('{name}', '{daedal.workspace}', '{phase}')"
    seeded(daedal, f"INSERT INTO conversations(id, project_dir, phase) VALUES {row}")


def plan(daedal: Daedal, name: str, status: str) -> None:
    row = f"('{name}', 'p', 'h', '{status}')"
    seeded(daedal, f"INSERT INTO plans(conversation_id, content, hash, status) VALUES {row}")


def moved(daedal: Daedal, name: str, phase: str) -> Finished:
    return daedal("--transition", phase, "--conversation", name)


def phase(daedal: Daedal, name: str) -> str:
    return daedal.rows("SELECT phase FROM conversations WHERE id = ?", name)[0][0]


@requirement("SD-18")
def test_a_conversation_goes_through_its_phases_with_one_event_each(daedal: Daedal):
    conversation(daedal, "work", "idle")
    assert moved(daedal, "work", "planning").out == "work: idle → planning\n"
    plan(daedal, "work", "approved")
    assert moved(daedal, "work", "implement").code == 0
    assert moved(daedal, "work", "test").code == 0
    seeded(daedal, "UPDATE conversations SET phase = 'verify', last_active = '2020-01-01' WHERE id = 'work'")
    assert moved(daedal, "work", "done").code == 0
    events = daedal.rows("SELECT event_type, detail FROM events WHERE conversation_id = 'work' ORDER BY id")
    details = [json.loads(detail) for kind, detail in events if kind == "PhaseChanged"]
    assert [(detail["before"], detail["after"]) for detail in details] == [
        ("idle", "planning"),
        ("planning", "implement"),
        ("implement", "test"),
        ("verify", "done"),
    ]
    assert details[-1]["approval"] == "operator"
    assert all(detail["by"].startswith("person:") for detail in details)
    assert daedal.rows("SELECT last_active > '2025' FROM conversations WHERE id = 'work'") == [(1,)]
    assert daedal.rows("SELECT status, completed_at IS NOT NULL FROM plans") == [("completed", 1)]


@requirement("SD-18")
@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("implement", "verify", "the tests come first"),
        ("implement", "done", "the tests come first"),
        ("planning", "implement", "no plan of it is approved"),
        ("test", "verify", "no tests were generated from the plan"),
        ("idle", "done", "idle leads to planning alone"),
    ],
)
def test_a_step_that_is_not_open_changes_nothing_and_says_why(daedal: Daedal, before: str, after: str, reason: str):
    conversation(daedal, "work", before)
    run = moved(daedal, "work", after)
    assert (run.code, run.out, phase(daedal, "work")) == (1, "", before)
    assert f"work stays in {before} and does not go to {after}" in run.err
    assert reason in run.err
    assert daedal.rows("SELECT COUNT(*) FROM events WHERE conversation_id = 'work'") == [(0,)]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--transition", "testing", "--conversation", "work"], "invalid choice: 'testing'"),
        (["--transition", "test"], "required: --conversation"),
        (["--transition=test", "--conversation=nobody"], "no conversation is called 'nobody'"),
        (["--conversation", "work", "--transition", "test", "--conversation", ""], "no conversation is called ''"),
    ],
)
def test_an_unknown_phase_or_conversation_is_a_usage_error(daedal: Daedal, words: list[str], message: str):
    conversation(daedal, "work", "implement")
    run = daedal(*words)
    assert run.code == 2
    assert message in run.err
    assert phase(daedal, "work") == "implement"


def test_without_a_ledger_there_is_no_conversation_and_none_is_made(daedal: Daedal):
    for words in (["--transition", "test", "--conversation", "x"], ["phase", "--conversation", "x"]):
        run = daedal(*words)
        assert (run.code, "no conversation is called 'x'" in run.err) == (2, True)
    assert daedal("phase").out == "No conversation here yet.\n"
    assert daedal("phase", "--json").json == []
    assert not daedal.database.exists()


def test_phase_tells_how_far_the_newest_work_here_has_come(daedal: Daedal):
    conversation(daedal, "older", "done")
    conversation(daedal, "newer", "test")
    seeded(
        daedal,
        "UPDATE conversations SET last_active = '2020-01-01'",
        "UPDATE conversations SET last_active = '2020-01-02' WHERE id = 'newer'",
    )
    plan(daedal, "newer", "approved")
    shown = daedal("phase").out.splitlines()
    assert shown[0] == f"newer  test  (plan: approved; {daedal.workspace})"
    assert shown[1].startswith("  ✗ verify: not every success criterion has a passing test")
    assert shown[2] == "  → planning"
    (told,) = daedal("phase", "--conversation", "old", "--json").json
    assert told == {
        "id": "older",
        "project_dir": str(daedal.workspace),
        "phase": "done",
        "plan": "none",
        "has_approved_plan": False,
        "last_active": "2020-01-01",
        "next": [{"phase": "planning", "refusal": None}],
    }
    assert [one["id"] for one in daedal("phase", "--all", "--json").json][:2] == ["newer", "older"]
