"""Which sentence does a person read when SQLite or the file system refuses? The tree itself is in `protocol/errors.py`.

LedgerError
└── PhaseMoved    somebody else moved the conversation's phase first

Everything from outside is translated here and nowhere else: `raise translated(error, path) from error`.
"""

import errno
import sqlite3

from daedal.protocol.catalogue import say
from daedal.protocol.errors import LedgerBusy, LedgerError

_SENTENCES = {
    sqlite3.SQLITE_READONLY: "ledger.read_only",
    sqlite3.SQLITE_PERM: "ledger.read_only",
    sqlite3.SQLITE_FULL: "ledger.full",
    sqlite3.SQLITE_CANTOPEN: "ledger.cannot_open",
    sqlite3.SQLITE_CORRUPT: "ledger.corrupt",
    sqlite3.SQLITE_NOTADB: "ledger.not_a_database",
    sqlite3.SQLITE_IOERR: "ledger.io",
    sqlite3.SQLITE_CONSTRAINT: "ledger.refused",
}


class PhaseMoved(LedgerError):
    """The conversation is no longer in the phase that the change starts from; nothing of the commit was kept."""


def translated(error: sqlite3.Error, path: str) -> LedgerError:
    """The LedgerError that says what SQLite meant."""
    code = primary_code(error)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LedgerBusy(say("ledger.locked", path=path))
    if str(error).startswith("Could not decode to UTF-8"):
        # Python's own words would quote what the column holds.
        return LedgerError(say("ledger.corrupt", path=path, detail="UTF-8"))
    return LedgerError(say(_SENTENCES.get(code, "ledger.failed"), path=path, detail=error))


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's result code without its finer half; 0 where Python itself raised."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def translated_os(error: OSError, path: str) -> LedgerError:
    """The same for the files that we handle ourselves."""
    sentence = "ledger.full" if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) else "ledger.file"
    return LedgerError(say(sentence, path=path, detail=error.strerror or error))
