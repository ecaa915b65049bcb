"""How is a question put to the database? Over a connection that is opened at the first one, errors translated."""

import sqlite3
from collections.abc import Callable
from typing import Any

from daedal.ledger.errors import translated
from daedal.protocol.catalogue import say
from daedal.protocol.errors import LedgerError

Row = tuple[Any, ...]


class Queries:
    """Owns the read connection."""

    def __init__(self, path: str, connect: Callable[[], sqlite3.Connection]) -> None:
        self.path = path
        self._connect = connect
        self._opened: sqlite3.Connection | None = None
        self._is_closed = False

    @property
    def connection(self) -> sqlite3.Connection:
        if self._is_closed:
            raise LedgerError(say("ledger.closed", path=self.path))
        if self._opened is None:
            self._opened = self._connect()
        return self._opened

    def rows(self, statement: str, values: Row = ()) -> list[Row]:
        try:
            return self.connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise translated(error, self.path) from error
        except UnicodeError as error:
            # Ids and folders come from the command line, where anything can stand.
            raise LedgerError(say("ledger.failed", path=self.path, detail=error)) from error

    def close(self) -> None:
        self._is_closed = True
        if self._opened is not None:
            self._opened.close()
            self._opened = None
