"""Does planning hold until a plan is approved, whatever else is allowed?"""

import json
import sqlite3

import pytest

from tests.toolbox.model_server import calls, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

TRY = calls(
    ("Read", {"file_path": "a"}),
    ("Write", {"file_path": "b", "content": "x"}),
    ("Edit", {"file_path": "a", "old_string": "x", "new_string": "y"}),
    ("Bash", {"command": "ls"}),
)
ALL = ["--allow", "Bash", "--allow", "Write", "--allow", "Edit", "--approval", "yolo"]


@pytest.fixture
def planning(daedal: Daedal, model) -> Daedal:
    (daedal.workspace / "a").write_text("x\n")
    model([TRY, say("Planned.")], after="cycle")
    assert daedal("exec", "Plan.", "--permission-mode", "plan", *ALL).code == 0
    return daedal


def change(daedal: Daedal, sql: str, *values: object) -> None:
    """What an operator does by SQL."""
    connection = sqlite3.connect(daedal.database)
    with connection:
        connection.execute(sql, values)
    connection.close()


def conversation(daedal: Daedal) -> str:
    return daedal.rows("SELECT id FROM conversations ORDER BY rowid DESC LIMIT 1")[0][0]


def last(daedal: Daedal, count: int = 4) -> list[str]:
    rows = daedal.rows("SELECT decision FROM tool_permission_log ORDER BY id DESC LIMIT ?", count)
    return [decision for (decision,) in reversed(rows)]


@requirement("SD-19", "RX-11")
def test_plan_mode_is_the_phase_and_nothing_lifts_it(planning: Daedal):
    assert planning.rows("SELECT phase FROM conversations") == [("planning",)]
    assert last(planning) == ["allow", "deny", "deny", "deny"]
    rules = [json.loads(row[0])["rule"] for row in planning.rows("SELECT reason_json FROM tool_permission_log")]
    assert rules[1:] == ["phase:planning"] * 3
    told = planning.rows("SELECT event_type, detail FROM events WHERE event_type LIKE '%phase%'")
    assert any("planning" in (detail or "") for _, detail in told), told


@requirement("SD-19")
def test_the_phase_holds_in_later_runs_without_the_flag_until_a_plan_row_is_approved(planning: Daedal):
    assert planning("exec", "Go on.", "--resume", planning.session, *ALL).code == 0
    assert last(planning) == ["allow", "deny", "deny", "deny"]
    insert = "INSERT INTO plans(conversation_id, content, hash, status) VALUES (?, 'do it', 'h', ?)"
    change(planning, insert, conversation(planning), "draft")
    planning("exec", "Go on.", "--resume", planning.session, *ALL)
    assert last(planning) == ["allow", "deny", "deny", "deny"]
    change(planning, "UPDATE plans SET status = 'approved', approved_at = datetime('now')")
    planning("exec", "Go on.", "--resume", planning.session, *ALL)
    assert last(planning) == ["allow"] * 4
    assert (planning.workspace / "b").exists()


@requirement("SD-19")
def test_the_approved_plan_of_another_conversation_counts_for_nothing(planning: Daedal):
    insert = "INSERT INTO plans(conversation_id, content, hash, status) VALUES ('another', 'do it', 'h', 'approved')"
    change(planning, insert)
    planning("exec", "Go on.", "--resume", planning.session, *ALL)
    assert last(planning) == ["allow", "deny", "deny", "deny"]


@requirement("SD-18")
def test_phases_are_changed_only_along_the_table_each_in_one_commit_with_its_event(planning: Daedal):
    own = conversation(planning)

    def move(phase: str) -> int:
        return planning("--transition", phase, "--conversation", own).code

    (shown,) = planning("phase", "--json").json
    assert shown["phase"] == "planning"
    assert move("implement") == 1
    assert move("verify") == 1
    assert move("done") == 1
    change(planning, "INSERT INTO plans(conversation_id, content, hash, status) VALUES (?, 'x', 'h', 'approved')", own)
    assert move("implement") == 0
    assert move("test") == 0
    refused = planning("--transition", "verify", "--conversation", own)
    assert (refused.code, "behavioural" in refused.err or "test" in refused.err) == (1, True)
    assert planning.rows("SELECT phase FROM conversations WHERE id = ?", own) == [("test",)]
    moved = [json.loads(row[0]) for row in planning.rows("SELECT detail FROM events WHERE event_type = 'PhaseChanged'")]
    assert len(moved) == 3, moved


@requirement("SD-18")
@pytest.mark.parametrize(
    "words",
    [
        ("--transition", "perhaps", "--conversation", "x"),
        ("--transition", "planning", "--conversation", "nobody"),
        ("--transition", "planning", "--conversation", ""),
        ("--transition", "planning"),
        ("phase", "--conversation", "nobody"),
        ("phase", "--limit", "0"),
    ],
)
def test_a_wrong_phase_or_conversation_is_answered_clearly(planning: Daedal, words: tuple[str, ...]):
    run = planning(*words)
    assert run.code == 2, run
    assert "Traceback" not in run.err
