"""What does the ledger keep of the gate? Hook runs, phases, and calls that can be decided again."""

from pathlib import Path

import pytest

from daedal.ledger import DecidedCall, Ledger, PhaseMoved, StoredHookRun
from daedal.ledger.decided import DECIDED
from daedal.protocol.errors import LedgerError, UsageError
from daedal.protocol.records import Happened, HookRan, PhaseChanged, VerdictGiven
from tests.ledger.sample import STORY, changed, committed, go, line, opened, output, plain, prompt, python, use
from tests.toolbox.requirement import requirement

RAN = HookRan(
    hook_event="PreToolUse",
    hook_ordinal=0,
    matcher="Bash",
    command="exit 2",
    input_json='{"tool_name":"Bash"}',
    started_at="2026-01-02 03:04:05.678",
    completed_at="2026-01-02 03:04:06.000",
    tool_use_id="call-1",
    tool_name="Bash",
    exit_code=2,
    stdout_text="",
    stderr_text="no",
    outcome="denied",
    source="/home/ada/.daedal/config.toml",
    turn_id="t1",
)
SKIPPED = HookRan(
    hook_event="PreToolUse",
    hook_ordinal=1,
    matcher="*",
    command="true",
    input_json="{}",
    started_at="2026-01-02 03:04:06.001",
    skipped_reason="prior_block_or_deny",
    outcome="skipped",
)


def rows(path: Path, statement: str) -> list[tuple]:
    connection = plain(path)
    found = connection.execute(statement).fetchall()
    connection.close()
    return found


def stored(run: HookRan, number: int, session: str = "s1", conversation: str = "c-s1") -> StoredHookRun:
    fields = {name: getattr(run, name) for name in run.__struct_fields__}
    return StoredHookRun(**fields, id=number, session_id=session, conversation_id=conversation)


@requirement("SD-11")
def test_every_hook_run_and_every_skip_is_a_row_that_reads_back_as_it_was(ledger: Ledger):
    committed(ledger, "s1", [opened("s1"), RAN, SKIPPED])
    committed(ledger, "s2", [opened("s2"), RAN])
    assert ledger.hook_runs(limit=2) == [stored(RAN, 3, "s2", "c-s2"), stored(SKIPPED, 2)]
    assert ledger.hook_runs(session_id="s1", limit=9) == [stored(SKIPPED, 2), stored(RAN, 1)]


@requirement("SD-29")
def test_the_specified_question_finds_the_exit_code(ledger: Ledger, path: Path):
    committed(ledger, "s1", [opened("s1"), RAN])
    question = "SELECT exit_code FROM hook_invocations WHERE hook_event='PreToolUse' AND tool_name='Bash'"
    assert rows(path, question + " ORDER BY id DESC LIMIT 1") == [(2,)]


def test_a_hook_row_with_the_specified_columns_alone_is_valid(ledger: Ledger, path: Path):
    changed(
        path,
        "INSERT INTO hook_invocations(session_id, conversation_id, hook_event, hook_ordinal, matcher, command,"
        " input_json, started_at) VALUES ('s', 'c', 'Stop', 0, '', 'true', '{}', '2026-01-02')",
    )
    (run,) = ledger.hook_runs(limit=1)
    assert (run.outcome, run.source, run.turn_id, run.exit_code) == ("ran", "", "", None)


@requirement("SD-18")
def test_a_phase_moves_together_with_its_event(ledger: Ledger, path: Path):
    committed(ledger, "s1", [opened("s1", conversation="c1")])
    change = PhaseChanged(conversation_id="c1", before="idle", after="planning", detail={"by": "person:ada"})
    committed(ledger, "s1", [change, Happened(event_type="x", detail={})])
    assert rows(path, "SELECT phase FROM conversations") == [("planning",)]
    assert rows(path, "SELECT conversation_id, session_id, event_type, detail FROM events ORDER BY id")[0] == (
        "c1",
        "s1",
        "PhaseChanged",
        '{"before":"idle","after":"planning","by":"person:ada"}',
    )


def test_a_phase_that_somebody_else_moved_is_not_moved_again(ledger: Ledger, path: Path):
    committed(ledger, "s1", [opened("s1", conversation="c1"), prompt("Hello.")])
    late = PhaseChanged(conversation_id="c1", before="planning", after="implement")
    with pytest.raises(PhaseMoved, match="cannot go from planning to implement: it is in phase idle now"):
        committed(ledger, "s1", [prompt("Not kept."), late])
    with pytest.raises(PhaseMoved, match="nobody is not in the ledger"):
        ledger.change_phase(PhaseChanged(conversation_id="nobody", before="idle", after="planning"))
    assert rows(path, "SELECT phase, (SELECT COUNT(*) FROM events) FROM conversations") == [("idle", 0)]
    assert len(ledger.reader.entries("s1")) == 1


@requirement("SD-29")
def test_a_seeded_conversation_needs_no_session_to_change_its_phase(ledger: Ledger, path: Path):
    changed(path, "INSERT INTO conversations(id, project_dir, phase) VALUES ('test-conv-1', '/tmp', 'implement')")
    ledger.change_phase(PhaseChanged(conversation_id="test-conv-1", before="implement", after="test"))
    assert ledger.conversation("test-conv-1").phase == "test"
    assert rows(path, "SELECT session_id, event_type FROM events") == [(None, "PhaseChanged")]


RACE = """
import sys
from daedal.ledger import Ledger, PhaseMoved
from daedal.protocol.records import PhaseChanged
ledger = Ledger.open(sys.argv[1])
print("ready", flush=True)
sys.stdin.read()
try:
    ledger.change_phase(PhaseChanged(conversation_id="c", before="idle", after="planning"))
    print("moved")
except PhaseMoved:
    print("late")
"""


def test_of_two_processes_that_move_a_phase_one_does(ledger: Ledger, path: Path):
    changed(path, "INSERT INTO conversations(id, project_dir) VALUES ('c', '/tmp')")
    racers = [python(RACE, path) for _ in range(2)]
    assert [line(racer) for racer in racers] == ["ready"] * 2
    go(*racers)
    assert sorted(map(output, racers)) == ["late\n", "moved\n"]
    assert rows(path, "SELECT COUNT(*) FROM events") == [(1,)]


def test_a_conversation_is_found_by_its_id_or_its_beginning(ledger: Ledger, path: Path):
    for name in ("alpha", "alpha-2", "beta"):
        changed(path, f"INSERT INTO conversations(id, project_dir) VALUES ('{name}', '/p')")
    assert [ledger.conversation(prefix).id for prefix in ("alpha", "alpha-", "b")] == ["alpha", "alpha-2", "beta"]
    with pytest.raises(UsageError, match="'al' could be any of these conversations: alpha, alpha-2"):
        ledger.conversation("al")
    for unknown in ("%", "gamma", ""):
        with pytest.raises(UsageError, match=r"no conversation is called .* the latest are: beta"):
            ledger.conversation(unknown)


def test_an_empty_ledger_has_no_conversation(ledger: Ledger):
    assert ledger.conversations(limit=5) == []
    with pytest.raises(UsageError, match="holds none yet"):
        ledger.conversation("x")


def test_a_conversation_tells_whether_a_plan_was_approved(ledger: Ledger, path: Path):
    changed(path, "INSERT INTO conversations(id, project_dir) VALUES ('c', '/p')")
    assert (ledger.conversation("c").has_approved_plan, ledger.conversation("c").plan_status) == (False, None)
    plan = "INSERT INTO plans(conversation_id, content, hash, status) VALUES ('c', 'p', 'h', '{}')"
    changed(path, plan.format("approved"), plan.format("draft"))
    assert (ledger.conversation("c").has_approved_plan, ledger.conversation("c").plan_status) == (True, "draft")


def test_conversations_are_listed_newest_first_also_of_one_folder(ledger: Ledger, path: Path):
    for name, folder, day in (("a", "/p", 1), ("b", "/q", 2), ("c", "/p", 3)):
        changed(path, f"INSERT INTO conversations(id, project_dir, last_active) VALUES ('{name}', '{folder}', '{day}')")
    assert [found.id for found in ledger.conversations(limit=2)] == ["c", "b"]
    assert [found.id for found in ledger.conversations(limit=9, project_dir="/p")] == ["c", "a"]


@requirement("DX-03")
def test_decided_calls_come_with_what_decides_them_again(ledger: Ledger):
    committed(ledger, "s1", *STORY)
    (call,) = ledger.decided_calls()
    assert call == DecidedCall(
        session_id="s1",
        conversation_id="c-s1",
        project_dir="/project",
        turn_id="t1",
        tool_use_id="call-1",
        tool_name="Read",
        input={"file_path": "/project/a.py"},
        cwd="/project",
        decision="allow",
        rule="baseline",
        reason={"rule": "baseline"},
        principal="person:ada",
        created_at=call.created_at,
    )


def test_what_was_recorded_with_a_verdict_counts_more_than_the_call(ledger: Ledger):
    reason = {"rule": "r", "cwd": "/project/sub", "input": {"command": "ls -l"}}
    verdict = VerdictGiven(
        turn_id="t1", tool_use_id="call", tool_name="Bash", decision="deny", reason=reason, principal="p"
    )
    committed(ledger, "s1", [opened("s1"), use("call", command="ls"), verdict])
    (call,) = ledger.decided_calls()
    assert (call.cwd, call.input, call.rule) == ("/project/sub", {"command": "ls -l"}, "r")


def test_decided_calls_stream_in_order_since_a_time_and_survive_damage(ledger: Ledger, path: Path):
    insert = (
        "INSERT INTO tool_permission_log(session_id, tool_use_id, tool_name, decision, reason_json, created_at)"
        " VALUES ('s{0}', 'c', 'Bash', 'allow', {1}, '2026-01-0{0} 00:00:00')"
    )
    changed(path, insert.format(1, "NULL"), insert.format(2, "'{'"), insert.format(3, "x'ff'"))
    assert [(call.session_id, call.input, call.reason) for call in ledger.decided_calls()] == [
        ("s1", None, {}),
        ("s2", None, {}),
        ("s3", None, {}),
    ]
    assert [call.session_id for call in ledger.decided_calls(since="2026-01-02 00:00:00")] == ["s2", "s3"]
    assert [call.session_id for call in ledger.decided_calls(newest=2)] == ["s2", "s3"]
    assert len(list(ledger.decided_calls(newest=9))) == 3


def test_a_decided_call_is_found_by_index(ledger: Ledger):
    plan = " ".join(row[3] for row in ledger.reader.rows("EXPLAIN QUERY PLAN " + DECIDED, ("", 5)))
    assert "idx_transcript_call" in plan
    assert "TEMP B-TREE FOR ORDER BY" not in plan.partition("CORRELATED")[0]


def test_a_closed_ledger_decides_nothing(ledger: Ledger):
    ledger.close()
    with pytest.raises(LedgerError, match="closed"):
        list(ledger.decided_calls())
