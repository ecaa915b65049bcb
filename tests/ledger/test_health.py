"""Does the ledger know how it is?"""

from pathlib import Path

from daedal.ledger import SCHEMA_VERSION, Finding, Ledger
from tests.ledger.sample import STORY, changed, committed


def test_a_well_ledger_says_so(ledger: Ledger, path: Path):
    committed(ledger, "s1", *STORY)
    *findings, size = ledger.health()
    assert findings == [
        Finding(check="integrity", ok=True, detail="every page of the file is whole"),
        Finding(check="version", ok=True, detail=f"schema version {SCHEMA_VERSION}"),
        Finding(check="journal", ok=True, detail="journal mode wal"),
        Finding(check="receipts", ok=True, detail="the chain of receipts is whole (receipts: 1)"),
        Finding(check="memory_index", ok=True, detail="the search index agrees with the memories (memories: 0)"),
        Finding(check="privacy", ok=True, detail="only you can read it"),
    ]
    assert (size.check, size.ok, str(path) in size.detail) == ("size", True, True)


def test_it_can_be_asked_without_the_right_to_write(ledger: Ledger, path: Path):
    looking = Ledger.open(str(path), read_only=True)
    assert all(finding.ok for finding in looking.health())
    looking.close()


def test_a_file_that_others_can_read_is_a_finding(ledger: Ledger, path: Path):
    path.chmod(0o644)
    (finding,) = [finding for finding in ledger.health() if not finding.ok]
    assert finding.detail == f"others on this machine can read it (mode 644) · chmod 600 {path}"


def test_a_missing_table_is_a_finding_and_not_an_exception(ledger: Ledger, path: Path):
    changed(path, "DROP TABLE receipts")
    (finding,) = [finding for finding in ledger.health() if not finding.ok]
    assert (finding.check, "no such table" in finding.detail) == ("receipts", True)


def test_a_file_without_write_ahead_log_is_a_finding(path: Path):
    Ledger.open(str(path)).close()
    changed(path, "PRAGMA journal_mode = DELETE")
    looking = Ledger.open(str(path), read_only=True)
    (finding,) = [finding for finding in looking.health() if not finding.ok]
    assert finding.detail.startswith("journal mode is delete, not wal")
    looking.close()
