"""How is the record read? Through a connection of its own, so that readers never wait for the writer.

Synchronous, for commands that only look. What is read is checked again: a damaged row is named, never passed on.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from daedal.ledger.errors import translated
from daedal.ledger.payloads import payload_of, to_object
from daedal.ledger.queries import Queries, Row
from daedal.ledger.receipts import ReceiptCheck, check_receipts
from daedal.ledger.sessions import find_session, session, sessions
from daedal.ledger.stored import (
    DecidedCall,
    StoredCall,
    StoredEvent,
    StoredHookRun,
    StoredPlan,
    StoredReceipt,
    StoredVerdict,
)
from daedal.protocol.catalogue import say
from daedal.protocol.errors import LedgerError
from daedal.protocol.records import (
    EntryType,
    HookRan,
    ModelCalled,
    StoredConversation,
    StoredEntry,
    StoredSession,
    StoredTurn,
    TurnStatus,
)

ENTRY_COLUMNS = (
    # As bytes: text that is no UTF-8 is then the damage of one entry, not of the whole question.
    "sequence, entry_type, CAST(payload_json AS BLOB), turn_id, tool_use_id, CAST(extra_json AS BLOB), created_at"
)
BEYOND = 1 << 62
"""A higher sequence than any."""
_CALL_COLUMNS = (*ModelCalled.__struct_fields__, "created_at")
_HOOK_COLUMNS = ("id", "session_id", "conversation_id", *HookRan.__struct_fields__)
_HOOK_RUNS = f"SELECT {', '.join(_HOOK_COLUMNS)} FROM hook_invocations"  # noqa: S608
_RECEIPTS = "SELECT id, kind, session_id, turn_id, principal, body_json, hash, created_at FROM receipts"
T = TypeVar("T")


class Reader(Queries):
    """Everything that can be read of the record."""

    def entry_rows(self, session_id: str, after: int = -1, limit: int = -1, *, before: int = BEYOND) -> list[Row]:
        return self.rows(
            f"SELECT {ENTRY_COLUMNS} FROM transcript_entries"  # noqa: S608 - columns of ours
            " WHERE session_id = ? AND sequence > ? AND sequence < ? ORDER BY sequence LIMIT ?",
            (session_id, after, before, limit),
        )

    def entry(self, session_id: str, row: Row) -> StoredEntry:
        """A row of `entry_rows`, checked."""
        sequence, entry_type, payload_json, turn_id, tool_use_id, extra_json, created_at = row
        try:
            return StoredEntry(
                sequence=sequence,
                entry_type=EntryType(entry_type),
                payload=payload_of(entry_type, payload_json),
                turn_id=turn_id,
                tool_use_id=tool_use_id,
                extra=to_object(extra_json),
                created_at=created_at,
            )
        except (ValueError, TypeError) as error:
            raise LedgerError(
                say("ledger.damaged_entry", sequence=sequence, session=session_id, path=self.path, detail=error)
            ) from error

    def entries(self, session_id: str) -> list[StoredEntry]:
        return [self.entry(session_id, row) for row in self.entry_rows(session_id)]

    def turns(self, session_id: str) -> list[StoredTurn]:
        rows = self.rows(
            "SELECT turn_id, principal, status, error_json, started_at, completed_at"
            " FROM turns WHERE session_id = ? ORDER BY rowid",
            (session_id,),
        )
        return self._checked("turns", session_id, rows, _turn)

    def rewound(self, session_id: str) -> frozenset[str]:
        """Turns that are only on the record: the context does not have them any more, or they are rewinds."""
        from daedal.ledger.rewound import gone

        # Their words are looked for in the text, so that other entries of the kind are not read.
        rows = self.rows(
            f"SELECT {ENTRY_COLUMNS} FROM transcript_entries"  # noqa: S608 - columns of ours
            " WHERE session_id = ? AND entry_type = 'system' AND instr(payload_json, '\"subtype\":\"rewind')"
            " ORDER BY sequence",
            (session_id,),
        )
        return gone([self.entry(session_id, row) for row in rows])

    def calls(self, session_id: str) -> list[StoredCall]:
        rows = self.rows(
            f"SELECT {', '.join(_CALL_COLUMNS)} FROM model_calls WHERE session_id = ? ORDER BY id",  # noqa: S608
            (session_id,),
        )
        return self._checked("model_calls", session_id, rows, _call)

    def verdicts(self, session_id: str) -> list[StoredVerdict]:
        rows = self.rows(
            "SELECT turn_id, tool_use_id, tool_name, decision, reason_json, principal, created_at"
            " FROM tool_permission_log WHERE session_id = ? ORDER BY id",
            (session_id,),
        )
        return self._checked("tool_permission_log", session_id, rows, _verdict)

    def events(self, session_id: str) -> list[StoredEvent]:
        rows = self.rows(
            "SELECT event_type, detail, timestamp FROM events WHERE session_id = ? ORDER BY id", (session_id,)
        )
        return self._checked("events", session_id, rows, _event)

    def hook_runs(self, *, session_id: str | None = None, limit: int) -> list[StoredHookRun]:
        """Invocations and skips, newest first."""
        where, values = ("", ()) if session_id is None else (" WHERE session_id = ?", (session_id,))
        rows = self.rows(f"{_HOOK_RUNS}{where} ORDER BY id DESC LIMIT ?", (*values, limit))
        return [StoredHookRun(**dict(zip(_HOOK_COLUMNS, row, strict=True))) for row in rows]

    def decided_calls(self, *, since: str = "", newest: int | None = None) -> Iterator[DecidedCall]:
        """What the gate decided since then (UTC, as the ledger writes times), all or the newest; oldest first."""
        from daedal.ledger.decided import decided_calls

        return decided_calls(self, since=since, newest=newest)

    def conversation(self, prefix: str) -> StoredConversation:
        """The one conversation whose id is or begins like this. Raises UsageError that names candidates."""
        from daedal.ledger.conversations import conversation

        return conversation(self, prefix)

    def conversations(self, *, limit: int, project_dir: str | None = None) -> list[StoredConversation]:
        """Newest first."""
        from daedal.ledger.conversations import conversations

        return conversations(self, limit=limit, project_dir=project_dir)

    def plans(self, conversation_id: str) -> list[StoredPlan]:
        """Oldest first."""
        from daedal.ledger.conversations import plans

        return plans(self, conversation_id)

    def snapshot(self, scope: str) -> str | None:
        rows = self.rows("SELECT json FROM settings_snapshot WHERE scope = ?", (scope,))
        return rows[0][0] if rows else None

    def session(self, session_id: str) -> StoredSession | None:
        return session(self, session_id)

    def receipts(self, *, session_id: str | None = None, limit: int) -> list[StoredReceipt]:
        """Newest first."""
        where, values = ("", ()) if session_id is None else (" WHERE session_id = ?", (session_id,))
        rows = self.rows(f"{_RECEIPTS}{where} ORDER BY id DESC LIMIT ?", (*values, limit))
        return self._checked("receipts", session_id or "", rows, _receipt)

    def sessions(
        self, *, limit: int, project_dir: str | None = None, archived: bool | None = None, offset: int = 0
    ) -> list[StoredSession]:
        """Newest first."""
        return sessions(self, limit=limit, project_dir=project_dir, archived=archived, offset=offset)

    def find_session(self, prefix: str) -> StoredSession:
        """The one session whose id begins like this. Raises UsageError that names candidates."""
        return find_session(self, prefix)

    def verify_receipts(self) -> ReceiptCheck:
        try:
            return check_receipts(self.connection)
        except sqlite3.Error as error:
            raise translated(error, self.path) from error

    def _checked(self, table: str, session_id: str, rows: Iterable[Row], make: Callable[[Row], T]) -> list[T]:
        try:
            return [make(row) for row in rows]
        except (ValueError, TypeError) as error:
            raise LedgerError(
                say("ledger.damaged_row", table=table, session=session_id, path=self.path, detail=error)
            ) from error


def _turn(row: Row) -> StoredTurn:
    turn_id, principal, status, error_json, started_at, completed_at = row
    return StoredTurn(
        turn_id=turn_id,
        principal=principal,
        status=TurnStatus(status),
        error=None if error_json is None else to_object(error_json),
        started_at=started_at,
        completed_at=completed_at,
    )


def _call(row: Row) -> StoredCall:
    return StoredCall(**dict(zip(_CALL_COLUMNS, row, strict=True)))


def _verdict(row: Row) -> StoredVerdict:
    turn_id, tool_use_id, tool_name, decision, reason_json, principal, created_at = row
    return StoredVerdict(
        turn_id=turn_id,
        tool_use_id=tool_use_id,
        tool_name=tool_name,
        decision=decision,
        reason={} if reason_json is None else to_object(reason_json),
        principal=principal,
        created_at=created_at,
    )


def _receipt(row: Row) -> StoredReceipt:
    number, kind, session_id, turn_id, principal, body_json, digest, created_at = row
    return StoredReceipt(
        id=number,
        kind=kind,
        session_id=session_id,
        turn_id=turn_id,
        principal=principal,
        body=to_object(body_json),
        hash=digest,
        created_at=created_at,
    )


def _event(row: Row) -> StoredEvent:
    event_type, detail, created_at = row
    return StoredEvent(event_type=event_type, detail={} if detail is None else to_object(detail), created_at=created_at)
