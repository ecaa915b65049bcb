"""Does a file of every age become one of today?"""

import sqlite3
from pathlib import Path

import pytest

from daedal.ledger import SCHEMA_VERSION, Ledger
from daedal.ledger.migrations import MIGRATIONS, migrate
from daedal.protocol.errors import LedgerError
from tests.ledger.sample import answer, changed, committed, go, line, output, plain, python

FIXTURES = Path(__file__).parent / "fixtures"
SPECIFIED = {
    "conversations",
    "events",
    "hook_invocations",
    "memories",
    "memories_fts",
    "plans",
    "schema_meta",
    "sessions",
    "settings_snapshot",
    "state",
    "summaries",
    "task_ratings",
    "tool_permission_log",
    "transcript_entries",
}


def shape(path: Path) -> set[tuple[str, str, str]]:
    """Every table, index and trigger with its columns or words, however it came about."""
    connection = plain(path)
    found: set[tuple[str, str, str]] = set()
    for kind, name, words in connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall():
        columns = str(sorted(connection.execute(f"PRAGMA table_xinfo({name})")))
        found.add((kind, name, columns if kind == "table" else " ".join(str(words).split())))
    connection.close()
    return found


def restored(version: int, path: Path) -> Path:
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.executescript((FIXTURES / f"version_{version}.sql").read_text())
    connection.close()
    return path


def test_migrations_are_numbered_without_gaps():
    assert [step.__name__[:5] for step in MIGRATIONS] == [f"m{number:03}_" for number in range(1, SCHEMA_VERSION + 1)]


def test_the_first_migration_makes_the_specified_tables_and_version_1(path: Path):
    path.parent.mkdir()
    connection = plain(path)
    migrate(connection, str(path), target=1)
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert {name for name in tables if not name.startswith(("sqlite_", "memories_fts_"))} == SPECIFIED
    version = connection.execute("SELECT value FROM schema_meta WHERE key = 'schema_version'").fetchone()
    connection.close()
    assert version == ("1",)


@pytest.mark.parametrize("version", range(1, SCHEMA_VERSION + 1))
def test_a_ledger_of_every_version_opens_with_all_it_held(version: int, path: Path, tmp_path: Path):
    restored(version, path)
    ledger = Ledger.open(str(path))
    fresh = tmp_path / "fresh.db"
    Ledger.open(str(fresh)).close()
    assert shape(path) == shape(fresh)
    (session,) = ledger.reader.sessions(limit=10)
    assert (session.session_id, session.project_dir, session.preview, session.entries) == (
        "s-old",
        "/project",
        "Fix the bug.",
        2,
    )
    assert session.last_active >= session.started_at == "2026-01-02 03:04:05"
    assert ledger.reader.sessions(limit=1, project_dir="/project") == [session]
    assert [entry.payload["content"][0]["text"] for entry in ledger.reader.entries("s-old")] == [
        "Fix the bug.",
        "Done.",
    ]
    assert all(finding.ok for finding in ledger.health() if finding.check != "privacy")
    assert ledger.reader.rows("SELECT title FROM memories_fts WHERE memories_fts MATCH 'tabs'") == [("Indentation",)]
    committed(ledger, "s-old", [answer("Once more.")])
    assert [entry.sequence for entry in ledger.reader.entries("s-old")] == [0, 1, 2]
    ledger.close()


def test_a_file_made_by_the_specified_tables_alone_is_version_1(path: Path):
    restored(1, path)
    changed(path, "DELETE FROM schema_meta")
    ledger = Ledger.open(str(path))
    assert ledger.reader.session("s-old") is not None
    ledger.close()


def test_rows_with_only_the_specified_columns_are_valid_and_found(ledger: Ledger, path: Path):
    changed(
        path,
        "INSERT INTO conversations(id, project_dir) VALUES ('c-op', '/ops')",
        "INSERT INTO sessions(session_id, conversation_id) VALUES ('s-op', 'c-op')",
        "INSERT INTO transcript_entries(session_id, sequence, entry_type, payload_json)"
        """ VALUES ('s-op', 0, 'user', '{"_t":"user","uuid":"u","content":[{"type":"text","text":"Seeded."}]}')""",
    )
    (session,) = ledger.reader.sessions(limit=1, project_dir="/ops")
    assert session is not None
    assert (session.session_id, session.preview, session.entries) == ("s-op", "Seeded.", 1)
    committed(ledger, "s-op", [answer("Seen.")])
    assert [entry.sequence for entry in ledger.reader.entries("s-op")] == [0, 1]


def test_looking_at_an_old_ledger_brings_it_up_to_date(path: Path):
    restored(1, path)
    looking = Ledger.open(str(path), read_only=True)
    assert looking.reader.session("s-old") is not None
    looking.close()


def test_a_ledger_from_the_future_is_left_alone(path: Path):
    Ledger.open(str(path)).close()
    changed(path, "UPDATE schema_meta SET value = '99' WHERE key = 'schema_version'")
    before = path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(
            LedgerError, match=f"schema version 99, and this daedal knows versions up to {SCHEMA_VERSION}"
        ):
            Ledger.open(str(path), read_only=read_only)
    assert path.read_bytes() == before


@pytest.mark.parametrize("value", ["", "0", "four", "-1", "1.5", "²"])
def test_a_version_that_is_none_is_refused(value: str, path: Path):
    Ledger.open(str(path)).close()
    changed(path, f"UPDATE schema_meta SET value = '{value}' WHERE key = 'schema_version'")
    with pytest.raises(LedgerError, match="is no version"):
        Ledger.open(str(path))


@pytest.mark.parametrize("table", ["CREATE TABLE songs (title TEXT)", "CREATE TABLE schema_meta (key, value)"])
def test_somebody_elses_database_is_refused_and_left_alone(table: str, path: Path):
    path.parent.mkdir()
    changed(path, table)
    with pytest.raises(LedgerError, match="is a database, but not a ledger"):
        Ledger.open(str(path))
    connection = plain(path)
    assert connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone() == (1,)
    connection.close()


def test_an_interrupted_migration_leaves_the_old_version(path: Path):
    restored(1, path)
    changed(path, "CREATE TABLE receipts (id)")
    with pytest.raises(LedgerError):
        Ledger.open(str(path))
    connection = plain(path)
    assert connection.execute("SELECT value FROM schema_meta WHERE key = 'schema_version'").fetchone() == ("1",)
    connection.close()


def test_processes_that_make_the_same_new_file_at_once_all_succeed(path: Path):
    script = """
import sys
from daedal.ledger import Ledger
print("ready", flush=True)
sys.stdin.read()
Ledger.open(sys.argv[1]).close()
"""
    processes = [python(script, path) for _ in range(4)]
    assert [line(process) for process in processes] == ["ready"] * 4
    go(*processes)
    for process in processes:
        output(process)
    ledger = Ledger.open(str(path))
    assert all(finding.ok for finding in ledger.health())
    ledger.close()
