"""What does a person get who opens, fills and reopens a ledger?"""

import asyncio
import stat
from pathlib import Path

import pytest

from daedal.ledger import SCHEMA_VERSION, Ledger
from daedal.protocol.errors import LedgerError
from daedal.protocol.records import StoredTurn, TurnStatus
from tests.ledger.sample import STORY, committed, opened, plain, prompt


def test_a_new_ledger_is_made_for_nobody_elses_eyes(ledger: Ledger, path: Path):
    committed(ledger, "s1", [opened("s1")])
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert modes == {"daedal.db": 0o600, "daedal.db-wal": 0o600, "daedal.db-shm": 0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_every_folder_on_the_way_is_made_private(tmp_path: Path):
    Ledger.open(str(tmp_path / "a" / "b" / "daedal.db")).close()
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a", "a/b")] == [0o700, 0o700]


def test_the_file_has_its_version_and_keeps_a_write_ahead_log(ledger: Ledger, path: Path):
    operator = plain(path)
    assert operator.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    meta = dict(operator.execute("SELECT key, value FROM schema_meta"))
    operator.close()
    assert meta["schema_version"] == str(SCHEMA_VERSION)
    assert len([key for key in meta if key.startswith("migration:")]) == SCHEMA_VERSION


def test_both_connections_have_the_specified_pragmas(ledger: Ledger):
    committed(ledger, "s1", [opened("s1")])
    writing, reading = ledger._writer._connection, ledger.reader.connection
    names = ("foreign_keys", "busy_timeout", "journal_mode", "synchronous")
    for connection in (writing, reading):
        found = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names]
        assert found == [1, 30_000, "wal", 2]


def test_what_was_committed_is_there_after_reopening(path: Path):
    first = Ledger.open(str(path))
    committed(first, "s1", *STORY)
    before = first.reader.entries("s1"), first.reader.turns("s1"), first.reader.session("s1")
    first.close()
    again = Ledger.open(str(path))
    assert (again.reader.entries("s1"), again.reader.turns("s1"), again.reader.session("s1")) == before
    again.close()


def test_an_engine_and_a_command_read_the_same(ledger: Ledger):
    committed(ledger, "s1", *STORY)

    async def read():
        return (
            await ledger.entries("s1"),
            await ledger.turns("s1"),
            await ledger.sessions(limit=5),
            await ledger.find_session("s"),
        )

    reader = ledger.reader
    listed = reader.sessions(limit=5)
    assert asyncio.run(read()) == (
        reader.entries("s1"),
        reader.turns("s1"),
        listed,
        listed[0],
    )


def test_a_long_transcript_is_read_whole(ledger: Ledger):
    committed(ledger, "s1", [opened("s1")], [prompt(str(number)) for number in range(1203)])
    texts = [entry.payload["content"][0]["text"] for entry in asyncio.run(ledger.entries("s1"))]
    assert texts == [str(number) for number in range(1203)]


def test_a_turn_tells_how_it_went(ledger: Ledger):
    committed(ledger, "s1", *STORY[:2])
    (turn,) = ledger.reader.turns("s1")
    assert turn == StoredTurn(
        turn_id="t1",
        principal="person:ada",
        status=TurnStatus.IN_PROGRESS,
        error=None,
        started_at=turn.started_at,
        completed_at=None,
    )
    committed(ledger, "s1", *STORY[2:])
    (turn,) = ledger.reader.turns("s1")
    assert (turn.status, turn.completed_at is not None) == (TurnStatus.COMPLETED, True)


def test_settings_are_written_together_and_read_back(ledger: Ledger, path: Path):
    assert ledger.snapshot("effective") is None
    ledger.put_snapshots({"effective": '{"a":1}', "effective.source": "{}"})
    ledger.put_snapshots({"effective": '{"a":2}'})
    assert (ledger.snapshot("effective"), ledger.snapshot("effective.source")) == ('{"a":2}', "{}")
    operator = plain(path)
    operator.execute("UPDATE settings_snapshot SET json = '{\"a\":3}' WHERE scope = 'effective'")
    operator.close()
    assert ledger.snapshot("effective") == '{"a":3}'


def test_everything_on_disk_is_named(ledger: Ledger, path: Path):
    committed(ledger, "s1", [opened("s1")])
    lease = ledger.lease("s1")
    assert {str(file) for file in path.parent.iterdir()} <= set(ledger.files())
    lease.release()


def test_a_ledger_is_the_same_whatever_link_leads_to_it(ledger: Ledger, path: Path, tmp_path: Path):
    (tmp_path / "link.db").symlink_to(path)
    other = Ledger.open(str(tmp_path / "link.db"))
    assert (other.path, other.files()) == (ledger.path, ledger.files())
    other.close()


def test_a_closed_ledger_takes_nothing_and_closes_again_in_peace(ledger: Ledger):
    ledger.close()
    ledger.close()
    with pytest.raises(LedgerError, match="is closed"):
        committed(ledger, "s1", [opened("s1")])
    for attempt in (lambda: ledger.put_snapshots({"effective": "{}"}), lambda: ledger.snapshot("effective")):
        with pytest.raises(LedgerError, match="is closed"):
            attempt()


def test_nothing_to_record_is_no_commit(ledger: Ledger):
    committed(ledger, "unheard-of", [])


def test_opening_for_reading_only_looks(ledger: Ledger, path: Path):
    committed(ledger, "s1", *STORY)
    looking = Ledger.open(str(path), read_only=True)
    assert looking.reader.entries("s1") == ledger.reader.entries("s1")
    for attempt in (
        lambda: committed(looking, "s1", [prompt("more")]),
        lambda: looking.lease("s1"),
        lambda: looking.put_snapshots({}),
    ):
        with pytest.raises(LedgerError, match="for reading only"):
            attempt()
    looking.close()
