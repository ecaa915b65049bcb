"""Which calls did the gate decide? In the order they were decided, one at a time, with what decides them again."""

import sqlite3
from collections.abc import Iterator
from typing import Any

from daedal.ledger.errors import translated
from daedal.ledger.payloads import payload_of, to_object
from daedal.ledger.queries import Queries, Row
from daedal.ledger.stored import DecidedCall
from daedal.protocol.records import EntryType

_AT_ONCE = 200
_ALL = 1 << 62
DECIDED = """
    SELECT v.session_id, s.conversation_id, s.project_dir, v.turn_id, v.tool_use_id, v.tool_name, v.decision,
        CAST(v.reason_json AS BLOB), v.principal, v.created_at,
        (SELECT CAST(e.payload_json AS BLOB) FROM transcript_entries e
            WHERE e.session_id = v.session_id AND e.tool_use_id = v.tool_use_id AND e.entry_type = 'tool_use'
            ORDER BY e.id DESC LIMIT 1)
    FROM tool_permission_log v LEFT JOIN sessions s ON s.session_id = v.session_id
    WHERE v.created_at >= ?
        AND v.id > COALESCE((SELECT id FROM tool_permission_log ORDER BY id DESC LIMIT 1 OFFSET ?), 0)
    ORDER BY v.id
"""


def decided_calls(queries: Queries, *, since: str = "", newest: int | None = None) -> Iterator[DecidedCall]:
    """All of them, or only so many of the newest; oldest first. Raises LedgerError.

    `since` is a time as the ledger writes it (UTC, `2026-01-31 12:00:00`).
    """
    try:
        cursor = queries.connection.execute(DECIDED, (since, _ALL if newest is None else newest))
        while rows := cursor.fetchmany(_AT_ONCE):
            yield from map(_decided, rows)
    except sqlite3.Error as error:
        raise translated(error, queries.path) from error


def _decided(row: Row) -> DecidedCall:
    session_id, conversation_id, project_dir, turn_id, call, tool, decision, reason_json, principal, at, payload = row
    reason = _object(reason_json)
    return DecidedCall(
        session_id=session_id,
        conversation_id=conversation_id or "",
        project_dir=project_dir or "",
        turn_id=turn_id,
        tool_use_id=call,
        tool_name=tool,
        # A hook may have changed what the model asked for, and then that was judged.
        input=reason["input"] if isinstance(reason.get("input"), dict) else _input(payload),
        cwd=reason["cwd"] if isinstance(reason.get("cwd"), str) else project_dir or "",
        decision=decision,
        rule=str(reason.get("rule", "")),
        reason=reason,
        principal=principal,
        created_at=at,
    )


def _input(payload_json: bytes | None) -> dict[str, Any] | None:
    """One call that cannot be read must not hide all others."""
    try:
        return None if payload_json is None else payload_of(EntryType.TOOL_USE, payload_json)["input"]
    except (ValueError, TypeError):
        return None


def _object(text: bytes | None) -> dict[str, Any]:
    try:
        return {} if text is None else to_object(text)
    except (ValueError, TypeError):
        return {}
