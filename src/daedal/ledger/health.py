"""Is the ledger well? What `doctor` shows: each finding says what was checked, whether it is right, and what to do."""

import os
import sqlite3
import stat
from collections.abc import Callable

from daedal.ledger.reader import Reader
from daedal.ledger.receipts import check_receipts
from daedal.ledger.schema import version_of
from daedal.ledger.stored import Finding
from daedal.protocol.catalogue import say
from daedal.protocol.errors import LedgerError


def health(reader: Reader) -> list[Finding]:
    """Reads the whole file, so this takes its time with a large one. Damage is a finding, never an exception."""
    return [_finding(reader, check, examine) for check, examine in _CHECKS.items()]


def _finding(reader: Reader, check: str, examine: Callable[[Reader], tuple[bool, str]]) -> Finding:
    try:
        ok, detail = examine(reader)
    except (sqlite3.Error, OSError) as error:
        ok, detail = False, say("ledger.health_damaged", detail=error)
    except LedgerError as error:
        ok, detail = False, str(error)
    return Finding(check=check, ok=ok, detail=detail)


def _integrity(reader: Reader) -> tuple[bool, str]:
    lines = [row[0] for row in reader.connection.execute("PRAGMA quick_check(5)")]
    if lines == ["ok"]:
        return True, say("ledger.health_integrity")
    return False, say("ledger.health_damaged", detail="; ".join(lines))


def _version(reader: Reader) -> tuple[bool, str]:
    return True, say("ledger.health_version", version=version_of(reader.connection, reader.path))


def _journal(reader: Reader) -> tuple[bool, str]:
    mode = reader.connection.execute("PRAGMA journal_mode").fetchone()[0]
    return mode == "wal", say("ledger.health_journal" if mode == "wal" else "ledger.health_no_wal", mode=mode)


def _receipts(reader: Reader) -> tuple[bool, str]:
    found = check_receipts(reader.connection)
    if found.broken_at is None:
        return True, say("ledger.health_receipts", count=found.count)
    return False, say("ledger.health_receipts_broken", count=found.count, broken_at=found.broken_at)


def _memory_index(reader: Reader) -> tuple[bool, str]:
    """Compares the index with the table row by row, as each memory's own number in it says."""
    one = reader.connection.execute
    count = one("SELECT COUNT(*) FROM memories").fetchone()[0]
    same = one(
        "SELECT COUNT(*) FROM memories m JOIN memories_indexed i ON i.memory_id = m.id"
        " JOIN memories_fts f ON f.rowid = i.fts_rowid WHERE f.title IS m.title AND f.content IS m.content"
        " AND f.keywords IS m.keywords AND f.anticipated_queries IS m.anticipated_queries"
    ).fetchone()[0]
    wrong = max(count, one("SELECT COUNT(*) FROM memories_fts").fetchone()[0]) - same
    if wrong == 0:
        return True, say("ledger.health_memory_index", count=count)
    return False, say("ledger.health_memory_index_wrong", count=wrong)


def _privacy(reader: Reader) -> tuple[bool, str]:
    mode = stat.S_IMODE(os.stat(reader.path).st_mode)
    if mode & 0o077 == 0:
        return True, say("ledger.health_private")
    return False, say("ledger.health_not_private", mode=f"{mode:03o}", path=reader.path)


def _size(reader: Reader) -> tuple[bool, str]:
    parts = [reader.path + suffix for suffix in ("", "-wal")]
    total = sum(os.stat(part).st_size for part in parts if os.path.exists(part))
    return True, say("ledger.health_size", size=f"{total / 1_048_576:.1f} MiB", path=reader.path)


_CHECKS: dict[str, Callable[[Reader], tuple[bool, str]]] = {
    "integrity": _integrity,
    "version": _version,
    "journal": _journal,
    "receipts": _receipts,
    "memory_index": _memory_index,
    "privacy": _privacy,
    "size": _size,
}
