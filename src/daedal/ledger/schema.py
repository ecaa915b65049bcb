"""Which schema does this version speak, and which one does a file have?

Only what every start needs is here: one cheap read. What changes a file is in `migrations`, loaded when it is needed.
"""

import sqlite3

from daedal.protocol.catalogue import say
from daedal.protocol.errors import LedgerError

SCHEMA_VERSION = 7
"""The newest migration's number."""


def version_of(connection: sqlite3.Connection, path: str) -> int:
    """The schema version of an open file; 0 for an empty one. Refuses what is newer than us, or not a ledger."""
    try:
        row = connection.execute("SELECT value FROM schema_meta WHERE key = 'schema_version'").fetchone()
    except sqlite3.OperationalError as error:
        if not str(error).startswith(("no such table", "no such column")):
            raise
        return _version_without_meta(connection, path)
    if row is None:
        return _version_without_row(connection, path)
    return _checked(str(row[0]), path)


def _checked(value: str, path: str) -> int:
    if not value.isascii() or not value.isdigit() or int(value) == 0:
        raise LedgerError(say("ledger.version_unreadable", path=path, value=value))
    if int(value) > SCHEMA_VERSION:
        raise LedgerError(say("ledger.newer", path=path, found=value, known=SCHEMA_VERSION))
    return int(value)


def _version_without_row(connection: sqlite3.Connection, path: str) -> int:
    """Section 4.3 alone makes the tables; the row with the version is only a comment beside it."""
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'transcript_entries'").fetchone():
        return 1
    raise LedgerError(say("ledger.foreign", path=path))


def _version_without_meta(connection: sqlite3.Connection, path: str) -> int:
    if connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None:
        return 0
    raise LedgerError(say("ledger.foreign", path=path))
