"""What can be done with a ledger? Open, commit, read, lease, check: the one object that other rooms hold.

It is the Transcript that an engine writes to. Nothing below it is seen by anybody else; above it, `app` decides which
file and hands it out.
"""

import asyncio
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from daedal.ledger.connection import BUSY_TIMEOUT_MS, open_beside, open_reading, open_writable
from daedal.ledger.errors import translated
from daedal.ledger.lease import SessionLease, take_lease
from daedal.ledger.phase import change_phase, event_detail
from daedal.ledger.reader import BEYOND, Reader
from daedal.ledger.receipts import ReceiptCheck
from daedal.ledger.rewound import standing
from daedal.ledger.rows import Transaction
from daedal.ledger.schema import SCHEMA_VERSION, version_of
from daedal.ledger.stored import (
    DecidedCall,
    Finding,
    StoredCall,
    StoredEvent,
    StoredHookRun,
    StoredPlan,
    StoredReceipt,
    StoredVerdict,
)
from daedal.ledger.writer import Writer
from daedal.protocol.catalogue import say
from daedal.protocol.errors import LedgerError
from daedal.protocol.records import (
    PhaseChanged,
    PlanApproved,
    Record,
    Spent,
    StoredConversation,
    StoredEntry,
    StoredSession,
    StoredTurn,
)
from daedal.protocol.seams import PreImages

if TYPE_CHECKING:
    from daedal.ledger.history import History
    from daedal.ledger.memories import Memories
    from daedal.protocol.rewinding import FamilyRecord
    from daedal.protocol.threads import Holder

_ENTRIES_AT_ONCE = 500
"""So many rows are read before other tasks get their turn."""


class Ledger:
    """One open ledger file."""

    def __init__(self, path: str, reader: Reader, writer: Writer | None) -> None:
        self.path = path
        self.reader = reader
        """Everything that can be asked, without `await`."""
        self._writer = writer
        self._memories: Memories | None = None
        self._history: History | None = None

    @classmethod
    def open(cls, path: str, *, read_only: bool = False, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> "Ledger":
        """Opens the file and brings it to the newest schema; makes it if it is not there. Raises LedgerError.

        With `read_only` nothing needs to be writable and nothing is made. (Only a file of an older schema is brought
        up to date even then, where it can be.)
        """
        # Through links, so that everything beside the file is in one place, whatever it was called by.
        path = os.path.realpath(path)
        if read_only:
            return cls(path, _reading(path, busy_timeout_ms), None)
        connection = _current(path, busy_timeout_ms)
        reader = Reader(path, lambda: open_beside(path, busy_timeout_ms))
        return cls(path, reader, Writer(connection, path, busy_timeout_ms))

    @property
    def pre_images(self) -> PreImages:
        """Files as they were before a tool changed them."""
        from daedal.ledger.preimages import PreImageFolder

        return PreImageFolder(self.path)

    @property
    def memories(self) -> "Memories":
        """What is remembered beyond one session."""
        if self._memories is None:
            from daedal.ledger.memories import Memories

            self._memories = Memories(self.path, self._writing)
        return self._memories

    @property
    def history(self) -> "History":
        """What was said and done in any session."""
        if self._history is None:
            from daedal.ledger.history import History

            self._history = History(self.path, None if self._writer is None else self._writing)
        return self._history

    async def commit(self, session_id: str, records: Sequence[Record]) -> None:
        """All records or none, durable when it returns. Raises LedgerError.

        Cancelled meanwhile, it waits for the end of the commit and then lets the cancellation pass: the records are
        durable, unless the CancelledError's `__cause__` says why not.
        """
        writer = self._writing()
        if records:
            await writer.commit(session_id, Transaction(self.path, session_id, records))

    async def entries(self, session_id: str, *, after: int = -1, with_rewound: bool = False) -> list[StoredEntry]:
        entries = await self._entries(session_id, after, BEYOND)
        return entries if with_rewound else standing(entries)

    async def turn_entries(self, session_id: str, *, first: str, before: str | None) -> list[StoredEntry]:
        """What was recorded since the first of these turns began, until the other one did."""
        from daedal.ledger.turn_pages import beginning

        high = BEYOND if before is None else beginning(self.reader, session_id, before)
        return await self._entries(session_id, beginning(self.reader, session_id, first) - 1, high)

    async def _entries(self, session_id: str, after: int, before: int) -> list[StoredEntry]:
        entries: list[StoredEntry] = []
        while True:
            rows = self.reader.entry_rows(session_id, after, _ENTRIES_AT_ONCE, before=before)
            entries += [self.reader.entry(session_id, row) for row in rows]
            if len(rows) < _ENTRIES_AT_ONCE:
                return entries
            after = entries[-1].sequence
            await asyncio.sleep(0)

    async def turns(self, session_id: str, *, with_rewound: bool = False) -> list[StoredTurn]:
        turns = self.reader.turns(session_id)
        if with_rewound or not turns:
            return turns
        gone = self.reader.rewound(session_id)
        return [turn for turn in turns if turn.turn_id not in gone] if gone else turns

    async def item_page(
        self, session_id: str, *, before: str | None, after: str | None, limit: int
    ) -> "tuple[list[StoredEntry], int, int] | None":
        """So many rows of items next to the named one, how many lie before them, and how many there are in all."""
        from daedal.ledger.item_pages import item_page

        return item_page(self.reader, session_id, before=before, after=after, limit=limit)

    async def family(self, session_id: str) -> "FamilyRecord":
        """What the session and those that worked for it did to the world."""
        from daedal.ledger.family import family_record

        return family_record(self.reader, session_id)

    def workers(self, session_id: str) -> list[str]:
        """The sessions of those that worked for it, and for them."""
        from daedal.ledger.family import workers

        return workers(self.reader, session_id)

    async def sessions(
        self, *, limit: int, project_dir: str | None = None, archived: bool | None = None, offset: int = 0
    ) -> list[StoredSession]:
        """Newest first."""
        return self.reader.sessions(limit=limit, project_dir=project_dir, archived=archived, offset=offset)

    async def find_session(self, prefix: str) -> StoredSession:
        """The one session whose id begins like this. Raises UsageError that names candidates."""
        return self.reader.find_session(prefix)

    def kept(self, conversation_id: str, key: str) -> str | None:
        """What the conversation keeps under this name."""
        from daedal.ledger.keeping import kept_state

        return kept_state(self.reader, conversation_id, key)

    def spent_since(self, session_id: str, call_id: int) -> Spent:
        """What the session has used after this model call."""
        from daedal.ledger.keeping import spent_since

        return spent_since(self.reader, session_id, call_id)

    def calls(self, session_id: str) -> list[StoredCall]:
        """What the session's model calls used."""
        return self.reader.calls(session_id)

    def verdicts(self, session_id: str) -> list[StoredVerdict]:
        return self.reader.verdicts(session_id)

    def events(self, session_id: str) -> list[StoredEvent]:
        return self.reader.events(session_id)

    def hook_runs(self, *, session_id: str | None = None, limit: int) -> list[StoredHookRun]:
        """Invocations and skips, newest first."""
        return self.reader.hook_runs(session_id=session_id, limit=limit)

    def receipts(self, *, session_id: str | None = None, limit: int) -> list[StoredReceipt]:
        """Newest first."""
        return self.reader.receipts(session_id=session_id, limit=limit)

    def decided_calls(self, *, since: str = "", newest: int | None = None) -> Iterator[DecidedCall]:
        """What the gate decided since then (UTC, as the ledger writes times), all or the newest; oldest first."""
        return self.reader.decided_calls(since=since, newest=newest)

    def conversation(self, prefix: str) -> StoredConversation:
        """The one conversation whose id is or begins like this. Raises UsageError that names candidates."""
        return self.reader.conversation(prefix)

    def conversations(self, *, limit: int, project_dir: str | None = None) -> list[StoredConversation]:
        """Newest first."""
        return self.reader.conversations(limit=limit, project_dir=project_dir)

    def plans(self, conversation_id: str) -> list[StoredPlan]:
        """Oldest first."""
        return self.reader.plans(conversation_id)

    def approve_plan(self, approval: PlanApproved, change: PhaseChanged) -> None:
        """The same as committing both, for an operator without a session. Raises PhaseMoved."""
        from daedal.ledger.plans import approve_plan

        detail = event_detail(change)

        def store(connection: sqlite3.Connection) -> None:
            approve_plan(connection, approval)
            change_phase(connection, change, detail, session_id=None)

        self._writing().now(store)

    def change_phase(self, change: PhaseChanged) -> None:
        """The same as committing the record, for an operator without a session. Raises PhaseMoved."""
        detail = event_detail(change)
        self._writing().now(lambda connection: change_phase(connection, change, detail, session_id=None))

    def files(self) -> list[str]:
        return ledger_files(self.path)

    def holder(self, session_id: str) -> "Holder | None":
        """Which other process drives the session."""
        from daedal.ledger.lease import holder_of
        from daedal.protocol.threads import Holder

        pid = holder_of(self.path, session_id)
        return None if pid is None else Holder(pid=pid or None)

    def version(self) -> int:
        """Another number once somebody else's connection has committed something."""
        return self.reader.rows("PRAGMA data_version")[0][0]

    def lease(self, session_id: str) -> SessionLease:
        """Takes the right to drive the session. Raises LedgerBusy when somebody has it."""
        self._writing()
        return take_lease(self.path, session_id)

    def snapshot(self, scope: str) -> str | None:
        """The settings that were in force at start. Asked by the connection that is there anyway."""
        if self._writer is None:
            return self.reader.snapshot(scope)
        rows = self._writer.look("SELECT json FROM settings_snapshot WHERE scope = ?", (scope,))
        return rows[0][0] if rows else None

    def put_snapshots(self, snapshots: Mapping[str, str]) -> None:
        """Writes settings at start, all scopes in one commit."""

        def store(connection: sqlite3.Connection) -> None:
            for scope, text in snapshots.items():
                connection.execute(
                    "INSERT OR REPLACE INTO settings_snapshot(scope, json, updated_at) VALUES (?, ?, datetime('now'))",
                    (scope, text),
                )

        self._writing().now(store)

    def verify_receipts(self) -> ReceiptCheck:
        """Walks the audit chain from its beginning."""
        return self.reader.verify_receipts()

    def health(self) -> list[Finding]:
        """What `doctor` shows."""
        from daedal.ledger.health import health

        return health(self.reader)

    def close(self) -> None:
        """May be called twice. A commit that is under way is finished first."""
        self.reader.close()
        for shelf in (self._memories, self._history):
            if shelf is not None:
                shelf.close()
        if self._writer is not None:
            self._writer.close()

    def _writing(self) -> Writer:
        if self._writer is None:
            raise LedgerError(say("ledger.opened_read_only", path=self.path))
        return self._writer


def ledger_files(path: str) -> list[str]:
    """Everything on disk that is of the ledger there, so that no tool opens it."""
    return [path + suffix for suffix in ("", "-wal", "-shm", "-journal", "-lease", "-files")]


def _current(path: str, busy_timeout_ms: int) -> sqlite3.Connection:
    """A writable connection to a file of the newest schema."""
    connection = open_writable(path, busy_timeout_ms)
    try:
        if version_of(connection, path) != SCHEMA_VERSION:
            from daedal.ledger.migrations import migrate

            migrate(connection, path)
    except BaseException as error:
        connection.close()
        if isinstance(error, sqlite3.Error):
            raise translated(error, path) from error
        raise
    return connection


def _reading(path: str, busy_timeout_ms: int) -> Reader:
    connection = open_reading(path, busy_timeout_ms)
    try:
        found = version_of(connection, path)
    except BaseException as error:
        connection.close()
        if isinstance(error, sqlite3.Error):
            raise translated(error, path) from error
        raise
    if found == SCHEMA_VERSION:
        return Reader(path, lambda: connection)
    connection.close()
    if not os.access(path, os.W_OK) or not os.access(os.path.dirname(path), os.W_OK):
        raise LedgerError(say("ledger.older_read_only", path=path, found=found, known=SCHEMA_VERSION))
    _current(path, busy_timeout_ms).close()
    return Reader(path, lambda: open_reading(path, busy_timeout_ms))
