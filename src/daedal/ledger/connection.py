"""How is the database file opened? Folders, file modes, pragmas, and who may only read.

Every connection of the product is made here. `sqlite3.connect` is looked up at each call, so that a harness that wraps
it sees every statement.
"""

import errno
import os
import sqlite3
import sys
import time

from daedal.ledger.errors import primary_code, translated, translated_os
from daedal.protocol.catalogue import say
from daedal.protocol.errors import LedgerError

BUSY_TIMEOUT_MS = 30_000
_RETRY_S = 0.005


def open_writable(path: str, busy_timeout_ms: int) -> sqlite3.Connection:
    """A connection that may write, to a file that is made if need be. Raises LedgerError."""
    _make_place(path)
    return open_beside(path, busy_timeout_ms)


def open_beside(path: str, busy_timeout_ms: int) -> sqlite3.Connection:
    """A further connection to a file that `open_writable` has opened."""
    connection: sqlite3.Connection | None = None
    try:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        _set_pragmas(connection, path, busy_timeout_ms)
    except BaseException as error:
        if connection is not None:
            connection.close()
        if isinstance(error, sqlite3.Error):
            raise translated(error, path) from error
        raise
    return connection


def open_reading(path: str, busy_timeout_ms: int) -> sqlite3.Connection:
    """A connection that never writes, also to files and folders that nobody here may write. Raises LedgerError."""
    _check_readable(path)
    try:
        return _connect_reading(path, "mode=ro", busy_timeout_ms)
    except sqlite3.Error as error:
        # In a read-only folder SQLite cannot make the shared memory of the write-ahead log, and needs to be told
        # that nobody writes. That is only true while there is no log with newer pages in it.
        if primary_code(error) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise translated(error, path) from error
        if _size_of(path + "-wal") > 0:
            raise LedgerError(say("ledger.wal_unread", path=path)) from error
    try:
        return _connect_reading(path, "immutable=1", busy_timeout_ms)
    except sqlite3.Error as error:
        raise translated(error, path) from error


def _set_pragmas(connection: sqlite3.Connection, path: str, busy_timeout_ms: int) -> None:
    connection.execute(f"PRAGMA busy_timeout={int(busy_timeout_ms)}")
    connection.execute("PRAGMA foreign_keys=ON")
    mode = _journal_mode(connection, time.monotonic() + busy_timeout_ms / 1000)
    if mode != "wal":
        raise LedgerError(say("ledger.no_wal", path=path, mode=mode))
    # docs/decisions/0001: an effect must not run twice because a power cut took the commit that announced it.
    connection.execute("PRAGMA synchronous=FULL")
    if sys.platform == "darwin":
        connection.execute("PRAGMA fullfsync=ON")
        connection.execute("PRAGMA checkpoint_fullfsync=ON")


def _journal_mode(connection: sqlite3.Connection, deadline: float) -> str:
    """Two processes that both make a new file a WAL file do not wait for each other by themselves."""
    while True:
        try:
            return connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        except sqlite3.OperationalError as error:
            if primary_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() >= deadline:
                raise
        time.sleep(_RETRY_S)


def _connect_reading(path: str, how: str, busy_timeout_ms: int) -> sqlite3.Connection:
    from urllib.parse import quote

    connection = sqlite3.connect(
        f"file:{quote(os.fsencode(path))}?{how}", uri=True, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute(f"PRAGMA busy_timeout={int(busy_timeout_ms)}")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _make_place(path: str) -> None:
    """The folders and the file, for nobody else's eyes. Refuses what cannot be written."""
    if os.path.isdir(path):
        raise LedgerError(say("ledger.directory", path=path))
    folder = os.path.dirname(path)
    try:
        _make_folders(folder)
        # Only an absent file is opened here: closing a second descriptor of a database that this process has open
        # already would drop SQLite's locks on it.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        pass
    except OSError as error:
        raise translated_os(error, path) from error
    _check_readable(path)
    if not os.access(path, os.W_OK) or not os.access(folder, os.W_OK):
        raise LedgerError(say("ledger.read_only", path=path))


def _make_folders(folder: str) -> None:
    missing: list[str] = []
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for name in reversed(missing):
        try:
            os.mkdir(name, 0o700)
        except FileExistsError:
            if not os.path.isdir(name):
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), name) from None


def _check_readable(path: str) -> None:
    if os.path.isdir(path):
        raise LedgerError(say("ledger.directory", path=path))
    if not os.path.exists(path):
        raise LedgerError(say("ledger.missing", path=path))
    if not os.access(path, os.R_OK):
        raise LedgerError(say("ledger.unreadable", path=path))


def _size_of(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
