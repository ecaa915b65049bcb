"""How do several commits share one COMMIT? Each has a savepoint of its own, and a bad one fails alone.

Synchronous and without a queue: whoever has the write connection calls this. There is exactly one `BEGIN IMMEDIATE` and
one `COMMIT` per group, as literal statements, so that a harness can kill the process before and after each.
"""

import sqlite3
from collections.abc import Callable, Sequence

from daedal.ledger.errors import primary_code, translated
from daedal.protocol.catalogue import say
from daedal.protocol.errors import LedgerError

Work = Callable[[sqlite3.Connection], None]


class Contended(Exception):
    """Another process is writing at this instant."""


class Groups:
    """The write connection, and how a group of transactions is put through it."""

    def __init__(self, connection: sqlite3.Connection, path: str, busy_timeout_ms: int) -> None:
        self._connection = connection
        self._path = path
        self._patience = f"PRAGMA busy_timeout={int(busy_timeout_ms)}"

    def commit(self, group: Sequence[Work], *, patient: bool) -> list[Exception | None]:
        """What became of each, in order: None is durable. Impatiently, raises Contended instead of waiting."""
        try:
            self._begin(patient=patient)
        except sqlite3.Error as error:
            if not patient and primary_code(error) == sqlite3.SQLITE_BUSY:
                raise Contended from error
            return [translated(error, self._path) for _ in group]
        try:
            outcomes = self._store(group)
            if any(outcome is None for outcome in outcomes):
                self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            return self._again_alone(group, translated(error, self._path))
        finally:
            self._roll_back()
        return outcomes

    def _begin(self, *, patient: bool) -> None:
        if patient:
            self._connection.execute("BEGIN IMMEDIATE")
            return
        self._connection.execute("PRAGMA busy_timeout=0")
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        finally:
            self._connection.execute(self._patience)

    def _store(self, group: Sequence[Work]) -> list[Exception | None]:
        """Raises sqlite3.Error when the whole transaction is lost, not only one savepoint."""
        if len(group) == 1:
            return [self._outcome(group[0])]
        execute = self._connection.execute
        outcomes: list[Exception | None] = []
        for work in group:
            execute("SAVEPOINT one")
            outcome = self._outcome(work)
            if outcome is not None:
                # A full disk ends the whole transaction, and then this raises: there is no savepoint any more.
                execute("ROLLBACK TO one")
            execute("RELEASE one")
            outcomes.append(outcome)
        return outcomes

    def _outcome(self, work: Work) -> Exception | None:
        try:
            work(self._connection)
        except sqlite3.Error as error:
            return _caused(translated(error, self._path), error)
        except (UnicodeError, OverflowError) as error:
            return _caused(LedgerError(say("ledger.refused", path=self._path, detail=error)), error)
        except Exception as error:  # a bug in one record must reach its own caller, not everybody's
            return error
        return None

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            try:
                self._connection.execute("ROLLBACK")
            except sqlite3.Error:
                pass  # The disk has ended the transaction already; if it has not, the next BEGIN says so.

    def _again_alone(self, group: Sequence[Work], error: LedgerError) -> list[Exception | None]:
        """What cannot be stored together may still be stored one by one: only the culprit fails."""
        if len(group) == 1:
            return [error]
        self._roll_back()
        return [self.commit([work], patient=True)[0] for work in group]


def _caused(error: LedgerError, cause: Exception) -> LedgerError:
    error.__cause__ = cause
    return error
