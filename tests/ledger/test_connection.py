"""What does a person read when the file cannot be used?"""

import asyncio
import socket
from pathlib import Path

import pytest

from daedal.ledger import Ledger
from daedal.ledger.connection import _set_pragmas
from daedal.protocol.errors import LedgerBusy, LedgerError
from tests.ledger.sample import STORY, committed, opened, output, plain, prompt, python

OPEN = """
import sys
from daedal.ledger import Ledger
from daedal.ledger.connection import _set_pragmas
from daedal.protocol.errors import LedgerError
try:
    ledger = Ledger.open(sys.argv[1], read_only=sys.argv[2] == "read")
    print(len(ledger.reader.entries("s1")))
    ledger.close()
except LedgerError as error:
    print(error)
"""


def opening(path: Path, how: str) -> str:
    """What an ordinary user gets to see who opens the file to `write` or to `read`."""
    return output(python(OPEN, path, how, unprivileged=True)).strip()


def test_a_folder_is_no_ledger(tmp_path: Path):
    for read_only in (False, True):
        with pytest.raises(LedgerError, match="is a folder"):
            Ledger.open(str(tmp_path), read_only=read_only)


def test_a_file_in_the_way_is_named(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(LedgerError, match="Not a directory"):
        Ledger.open(str(tmp_path / "file" / "daedal.db"))


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path):
    path = tmp_path / "notes.txt"
    path.write_text("Dear diary, " * 100)
    for read_only in (False, True):
        with pytest.raises(LedgerError, match="no SQLite database"):
            Ledger.open(str(path), read_only=read_only)
    assert path.read_text() == "Dear diary, " * 100


def test_an_empty_file_becomes_a_ledger(tmp_path: Path):
    (tmp_path / "daedal.db").touch()
    ledger = Ledger.open(str(tmp_path / "daedal.db"))
    committed(ledger, "s1", *STORY)
    ledger.close()


def test_looking_where_nothing_is_makes_nothing(tmp_path: Path):
    with pytest.raises(LedgerError, match="there is no ledger at"):
        Ledger.open(str(tmp_path / "daedal.db"), read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_a_link_that_leads_nowhere_is_followed(tmp_path: Path):
    (tmp_path / "daedal.db").symlink_to(tmp_path / "gone" / "daedal.db")
    Ledger.open(str(tmp_path / "daedal.db")).close()
    assert (tmp_path / "gone" / "daedal.db").is_file()


def test_a_socket_is_no_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("daedal.db")
        with pytest.raises(LedgerError, match="cannot be opened"):
            Ledger.open(str(tmp_path / "daedal.db"))


def test_something_in_the_place_of_the_write_ahead_log_is_named(path: Path):
    Ledger.open(str(path)).close()
    Path(f"{path}-wal").mkdir()
    with pytest.raises(LedgerError, match=r"nothing else is called .*-wal"):
        Ledger.open(str(path))


def test_a_database_that_cannot_have_a_write_ahead_log_is_refused():
    """A network disk without shared memory answers like a database in memory does."""
    connection = plain(":memory:")
    with pytest.raises(LedgerError, match="journal mode is memory"):
        _set_pragmas(connection, "/mnt/daedal.db", 50)
    connection.close()


def test_a_file_nobody_may_read_is_named(path: Path):
    Ledger.open(str(path)).close()
    path.chmod(0)
    for how in ("write", "read"):
        assert "cannot be read (permission denied)" in opening(path, how)


def test_a_folder_nobody_may_write_is_named(tmp_path: Path):
    tmp_path.chmod(0o500)
    assert "Permission denied" in opening(tmp_path / "home" / "daedal.db", "write")
    tmp_path.chmod(0o700)


@pytest.mark.parametrize(("file_mode", "folder_mode"), [(0o400, 0o700), (0o600, 0o500), (0o400, 0o500)])
def test_a_ledger_that_cannot_be_written_can_still_be_looked_at(file_mode: int, folder_mode: int, path: Path):
    ledger = Ledger.open(str(path))
    committed(ledger, "s1", *STORY)
    ledger.close()
    path.chmod(file_mode)
    path.parent.chmod(folder_mode)
    told, seen = opening(path, "write"), opening(path, "read")
    path.parent.chmod(0o700)
    assert "can be read but not written" in told
    assert seen == "5"


def test_changes_that_a_read_only_folder_hides_are_not_silently_left_out(path: Path):
    ledger = Ledger.open(str(path))
    committed(ledger, "s1", *STORY)
    copy = path.parent.parent / "copy"
    copy.mkdir()
    for suffix in ("", "-wal"):
        Path(f"{copy / path.name}{suffix}").write_bytes(Path(f"{path}{suffix}").read_bytes())
    ledger.close()
    copy.chmod(0o500)
    seen = opening(copy / path.name, "read")
    copy.chmod(0o700)
    assert "-wal that cannot be read from a read-only folder" in seen


def test_an_old_ledger_that_cannot_be_written_says_so(path: Path):
    path.parent.mkdir()
    connection = plain(path)
    connection.executescript((Path(__file__).parent / "fixtures" / "version_1.sql").read_text())
    connection.close()
    path.chmod(0o400)
    path.parent.chmod(0o500)
    seen = opening(path, "read")
    path.parent.chmod(0o700)
    assert "has schema version 1 and must be brought to" in seen


def test_a_damaged_file_is_called_damaged(path: Path):
    ledger = Ledger.open(str(path))
    committed(ledger, "s1", *STORY, *[[prompt("x" * 5000)] for _ in range(30)])
    ledger.close()
    content = bytearray(path.read_bytes())
    content[-4096 * 20 :] = b"\xa5" * 4096 * 20
    path.write_bytes(content)
    ledger = Ledger.open(str(path))
    with pytest.raises(LedgerError, match="is damaged"):
        ledger.reader.entries("s1")
    broken = {finding.check for finding in ledger.health() if not finding.ok}
    assert "integrity" in broken
    ledger.close()


def test_a_lock_that_stays_is_reported_in_time(path: Path):
    Ledger.open(str(path)).close()
    holder = plain(path)
    holder.execute("BEGIN IMMEDIATE")
    ledger = Ledger.open(str(path), busy_timeout_ms=50)
    with pytest.raises(LedgerBusy, match="is locked by another program"):
        committed(ledger, "s1", [opened("s1")])
    with pytest.raises(LedgerBusy, match="is locked by another program"):
        ledger.put_snapshots({"effective": "{}"})
    assert ledger.reader.sessions(limit=1) == []
    holder.execute("ROLLBACK")
    holder.close()
    committed(ledger, "s1", [opened("s1")])
    ledger.close()


def test_a_new_file_that_somebody_else_has_locked_is_reported_in_time(path: Path):
    path.parent.mkdir()
    holder = plain(path)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(LedgerBusy, match="is locked by another program"):
        Ledger.open(str(path), busy_timeout_ms=50)
    holder.close()


def test_a_full_disk_fails_one_commit_and_loses_none(path: Path):
    ledger = Ledger.open(str(path))
    committed(ledger, "s1", [opened("s1"), prompt("before")])
    pages = ledger.reader.rows("PRAGMA page_count")[0][0]
    ledger._writer._connection.execute(f"PRAGMA max_page_count={pages + 20}")
    with pytest.raises(LedgerError, match="the disk is full"):
        committed(ledger, "s1", [prompt("x" * 200_000)])
    committed(ledger, "s1", [prompt("after")])
    texts = [entry.payload["content"][0]["text"] for entry in ledger.reader.entries("s1")]
    assert texts == ["before", "after"]
    ledger.close()


def test_a_full_disk_fails_only_its_own_caller_in_a_group(path: Path):
    ledger = Ledger.open(str(path))
    committed(ledger, "s0", [opened("s0")])
    pages = ledger.reader.rows("PRAGMA page_count")[0][0]
    ledger._writer._connection.execute(f"PRAGMA max_page_count={pages + 20}")

    async def scenario():
        sizes = [10, 200_000, 10, 10]
        return await asyncio.gather(
            *[ledger.commit(f"s{n}", [opened(f"s{n}"), prompt("x" * size)]) for n, size in enumerate(sizes, 1)],
            return_exceptions=True,
        )

    outcomes = asyncio.run(scenario())
    assert [outcome is None for outcome in outcomes] == [True, False, True, True]
    assert "the disk is full" in str(outcomes[1])
    assert {session.session_id for session in ledger.reader.sessions(limit=9)} == {"s0", "s1", "s3", "s4"}
    ledger.close()


def test_a_limit_on_file_sizes_is_a_message_too(path: Path):
    script = """
import asyncio, resource, sys
from daedal.ledger import Ledger
from daedal.ledger.connection import _set_pragmas
from daedal.protocol.errors import LedgerError
from tests.ledger.sample import opened, prompt
ledger = Ledger.open(sys.argv[1])
asyncio.run(ledger.commit("s1", [opened("s1"), prompt("before")]))
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
try:
    asyncio.run(ledger.commit("s1", [prompt("x" * 2_000_000)]))
except LedgerError as error:
    print(error)
"""
    told = output(python(script, path))
    assert "the disk is full" in told or "failed" in told
    ledger = Ledger.open(str(path))
    assert len(ledger.reader.entries("s1")) == 1
    ledger.close()
