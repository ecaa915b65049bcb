"""How does a record become rows? Prepared and checked before it is queued, stored inside the write transaction.

Preparing does everything that needs no database: shapes, JSON. Storing adds what only the database knows: the next
sequence of the session, its conversation, the receipt before. Each lookup is by index, so that a commit costs the same
at entry 10 and at entry 10,000.
"""

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from daedal.ledger.payloads import payload_json, to_json
from daedal.ledger.phase import change_phase, event_detail
from daedal.ledger.receipts import store_receipt
from daedal.protocol.catalogue import say
from daedal.protocol.errors import LedgerError
from daedal.protocol.records import (
    Entry,
    EntryType,
    Happened,
    HookRan,
    ModelCalled,
    ModelChosen,
    PhaseChanged,
    PlanApproved,
    PlanSubmitted,
    ReceiptIssued,
    Record,
    SessionNamed,
    SessionOpened,
    SessionShelved,
    StateKept,
    TurnClosed,
    TurnOpened,
    TurnReopened,
    VerdictGiven,
)


class Transaction:
    """The records of one commit, ready to be stored all or not at all."""

    def __init__(self, path: str, session_id: str, records: Sequence[Record]) -> None:
        self._path = path
        self._session_id = session_id
        self._steps = [_PREPARED_BY[type(record)](session_id, record) for record in records]
        # Turns order the list of sessions, also within one second; other records need not write that down each time.
        self._is_boundary = any(isinstance(record, _BOUNDARIES) for record in records)

    def __call__(self, connection: sqlite3.Connection) -> None:
        place = Place(connection, self._path, self._session_id)
        for step in self._steps:
            step(place)
        place.touch(boundary=self._is_boundary)


class Place:
    """Where a transaction stands in its session: found when first asked for, counted on from there."""

    def __init__(self, connection: sqlite3.Connection, path: str, session_id: str) -> None:
        self.execute = connection.execute
        self.connection = connection
        self.path = path
        self.session_id = session_id
        self._found: tuple[str, bool] | None = None
        self._sequence = 0

    def next_sequence(self) -> int:
        self._find()
        self._sequence += 1
        return self._sequence

    def conversation_id(self) -> str:
        return self._find()[0]

    def touch(self, *, boundary: bool) -> None:
        """Notes that the session is active: at the beginning and end of turns, otherwise once a second."""
        conversation_id, is_stale = self._find()
        if is_stale:
            self.execute("UPDATE conversations SET last_active = datetime('now') WHERE id = ?", (conversation_id,))
        if is_stale or boundary:
            self.execute(
                "UPDATE sessions SET last_active = strftime('%Y-%m-%d %H:%M:%f', 'now') WHERE session_id = ?",
                (self.session_id,),
            )

    def _find(self) -> tuple[str, bool]:
        if self._found is None:
            row = self.execute(
                "SELECT s.conversation_id, s.last_active < datetime('now'),"
                " (SELECT MAX(sequence) FROM transcript_entries WHERE session_id = s.session_id)"
                " FROM sessions s WHERE s.session_id = ?",
                (self.session_id,),
            ).fetchone()
            if row is None:
                raise LedgerError(say("ledger.unknown_session", session=self.session_id, path=self.path))
            self._found = (row[0], bool(row[1]))
            self._sequence = -1 if row[2] is None else row[2]
        return self._found


Step = Callable[[Place], object]


def _insert(table: str, *columns: str) -> str:
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {table}({', '.join(columns)}) VALUES ({marks})"  # noqa: S608


_ENTRY = _insert(
    "transcript_entries",
    *("session_id", "sequence", "entry_type", "payload_json", "tool_use_id", "turn_id", "extra_json"),
)
_TURN = _insert("turns", "turn_id", "session_id", "principal")
_EVENT = _insert("events", "conversation_id", "session_id", "event_type", "detail")
_VERDICT = _insert(
    "tool_permission_log",
    *("session_id", "tool_use_id", "tool_name", "decision", "reason_json", "turn_id", "principal"),
)
_CALL = _insert(
    "model_calls",
    *("session_id", "turn_id", "provider", "wire_model", "input_tokens", "output_tokens", "cache_read_tokens"),
    *("cache_write_tokens", "reasoning_tokens", "cost_usd", "duration_ms", "attempts", "error"),
)
_HOOK_COLUMNS = HookRan.__struct_fields__
_HOOK = _insert("hook_invocations", "session_id", *_HOOK_COLUMNS, "conversation_id")


def _session(session_id: str, record: SessionOpened) -> Step:
    if record.session_id != session_id:
        raise LedgerError(say("ledger.other_session", record=record.session_id, session=session_id))

    def store(place: Place) -> None:
        place.execute(
            "INSERT OR IGNORE INTO conversations(id, project_dir) VALUES (?, ?)",
            (record.conversation_id, record.project_dir),
        )
        made = place.execute(
            "INSERT OR IGNORE INTO sessions("
            "session_id, conversation_id, provider, model_id, last_active, project_dir, forked_from, worked_for)"
            " VALUES (?1, ?2, ?3, ?4, datetime('now'), (SELECT project_dir FROM conversations WHERE id = ?2), ?5, ?6)",
            (
                session_id,
                record.conversation_id,
                record.provider,
                record.model_id,
                record.forked_from,
                record.worked_for,
            ),
        )
        if made.rowcount != 1:
            raise LedgerError(say("ledger.session_exists", session=session_id, path=place.path))

    return store


def _shelved(session_id: str, record: SessionShelved) -> Step:
    when = "coalesce(archived_at, datetime('now'))" if record.is_archived else "NULL"
    return lambda place: place.execute(
        f"UPDATE sessions SET archived_at = {when} WHERE session_id = ?",  # noqa: S608
        (session_id,),
    )


def _named(session_id: str, record: SessionNamed) -> Step:
    return lambda place: place.execute("UPDATE sessions SET name = ? WHERE session_id = ?", (record.name, session_id))


def _chosen(session_id: str, record: ModelChosen) -> Step:
    choose = "UPDATE sessions SET provider = ?, model_id = ? WHERE session_id = ?"
    return lambda place: place.execute(choose, (record.provider, record.model_id, session_id))


def _entry(session_id: str, record: Entry) -> Step:
    payload = payload_json(record, session_id)
    extra = to_json(record.extra, session_id) if record.extra else "{}"
    tool_use_id = record.tool_use_id or _named_call(record)
    rest = (str(record.entry_type), payload, tool_use_id, record.turn_id, extra)
    return lambda place: place.execute(_ENTRY, (session_id, place.next_sequence(), *rest))


def _named_call(record: Entry) -> str | None:
    """The call that a payload itself names, so that its row is found by it too."""
    if record.entry_type == EntryType.TOOL_RESULT:
        return record.payload["tool_use_id"]
    return record.payload["id"] if record.entry_type == EntryType.TOOL_USE else None


def _turn_opened(session_id: str, record: TurnOpened) -> Step:
    return lambda place: place.execute(_TURN, (record.turn_id, session_id, record.principal))


def _turn_closed(session_id: str, record: TurnClosed) -> Step:
    error = None if record.error is None else to_json(record.error, session_id)
    return _turn_changed(
        record.turn_id,
        "UPDATE turns SET status = ?, error_json = ?, completed_at = strftime('%Y-%m-%d %H:%M:%f', 'now')"
        " WHERE turn_id = ? AND session_id = ?",
        (str(record.status), error, record.turn_id, session_id),
    )


def _turn_reopened(session_id: str, record: TurnReopened) -> Step:
    return _turn_changed(
        record.turn_id,
        "UPDATE turns SET status = 'inProgress', error_json = NULL, completed_at = NULL"
        " WHERE turn_id = ? AND session_id = ?",
        (record.turn_id, session_id),
    )


def _turn_changed(turn_id: str, statement: str, values: tuple[Any, ...]) -> Step:
    def store(place: Place) -> None:
        if place.execute(statement, values).rowcount != 1:
            raise LedgerError(say("ledger.unknown_turn", turn=turn_id, session=place.session_id))

    return store


def _model_called(session_id: str, record: ModelCalled) -> Step:
    values = (session_id, *(getattr(record, name) for name in record.__struct_fields__))
    return lambda place: place.execute(_CALL, values)


def _verdict(session_id: str, record: VerdictGiven) -> Step:
    reason = to_json(record.reason, session_id)
    call = (record.tool_use_id, record.tool_name, str(record.decision))
    values = (session_id, *call, reason, record.turn_id, record.principal)
    return lambda place: place.execute(_VERDICT, values)


def _receipt(session_id: str, record: ReceiptIssued) -> Step:
    body = to_json(record.body, session_id)
    return lambda place: store_receipt(place.connection, session_id, record, body)


def _hook_ran(session_id: str, record: HookRan) -> Step:
    values = (session_id, *(getattr(record, name) for name in _HOOK_COLUMNS))
    return lambda place: place.execute(_HOOK, (*values, place.conversation_id()))


def _phase_changed(session_id: str, record: PhaseChanged) -> Step:
    detail = event_detail(record)
    return lambda place: change_phase(place.connection, record, detail, session_id=session_id)


def _plan_submitted(session_id: str, record: PlanSubmitted) -> Step:
    del session_id

    def store(place: Place) -> None:
        from daedal.ledger.plans import submit_plan

        submit_plan(place.connection, record)

    return store


def _plan_approved(session_id: str, record: PlanApproved) -> Step:
    del session_id

    def store(place: Place) -> None:
        from daedal.ledger.plans import approve_plan

        approve_plan(place.connection, record)

    return store


def _state_kept(session_id: str, record: StateKept) -> Step:
    del session_id
    if record.value is None:
        forget = "DELETE FROM state WHERE conversation_id = ? AND key = ?"
        return lambda place: place.execute(forget, (place.conversation_id(), record.key))
    keep = "INSERT OR REPLACE INTO state(conversation_id, key, value) VALUES (?, ?, ?)"
    return lambda place: place.execute(keep, (place.conversation_id(), record.key, record.value))


def _event(session_id: str, record: Happened) -> Step:
    detail = to_json(record.detail, session_id)
    return lambda place: place.execute(_EVENT, (place.conversation_id(), session_id, record.event_type, detail))


_PREPARED_BY: dict[type, Callable[[str, Any], Step]] = {
    SessionOpened: _session,
    SessionShelved: _shelved,
    SessionNamed: _named,
    ModelChosen: _chosen,
    Entry: _entry,
    TurnOpened: _turn_opened,
    TurnClosed: _turn_closed,
    TurnReopened: _turn_reopened,
    ModelCalled: _model_called,
    VerdictGiven: _verdict,
    ReceiptIssued: _receipt,
    HookRan: _hook_ran,
    PhaseChanged: _phase_changed,
    PlanSubmitted: _plan_submitted,
    PlanApproved: _plan_approved,
    StateKept: _state_kept,
    Happened: _event,
}
_BOUNDARIES = (SessionOpened, TurnOpened, TurnReopened, TurnClosed)
