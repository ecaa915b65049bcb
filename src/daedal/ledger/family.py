"""What did a session and those that worked for it do to the world? Their calls and the files they kept, in one order.

The rows of all sessions are numbered together, so what a sub-agent did has its place among its parent's turns.
"""

from typing import Any

from daedal.ledger.payloads import payload_of
from daedal.ledger.queries import Queries, Row
from daedal.protocol.catalogue import say
from daedal.protocol.errors import LedgerError
from daedal.protocol.rewinding import FamilyRecord, StoredDeed, StoredSnapshot

_FAMILY = "SELECT session_id FROM sessions WHERE session_id = ?1 OR worked_for = ?1"
_BEGINS = "SELECT turn_id, MIN(id) FROM transcript_entries WHERE session_id = ? AND turn_id != '' GROUP BY turn_id"
_TURNS = "SELECT turn_id FROM turns WHERE session_id = ? ORDER BY rowid"
_DEEDS = f"""
    SELECT e.id, e.session_id, e.entry_type, CAST(e.payload_json AS BLOB), e.turn_id, e.tool_use_id,
        (SELECT json_extract(r.extra_json, '$.declined') FROM transcript_entries r
            WHERE r.session_id = e.session_id AND r.tool_use_id = e.tool_use_id AND r.entry_type = 'tool_result'
                AND json_valid(r.extra_json) LIMIT 1)
    FROM transcript_entries e
    WHERE e.session_id IN ({_FAMILY}) AND e.entry_type IN ('file_history_snapshot', 'tool_use')
    ORDER BY e.id
"""  # noqa: S608


_WORKERS = """
    WITH RECURSIVE workers(id) AS (
        SELECT session_id FROM sessions WHERE worked_for = ?1
        UNION SELECT s.session_id FROM sessions s JOIN workers ON s.worked_for = workers.id
    ) SELECT id FROM workers
"""


def workers(queries: Queries, session_id: str) -> list[str]:
    return [worker for (worker,) in queries.rows(_WORKERS, (session_id,))]


def family_record(queries: Queries, session_id: str) -> FamilyRecord:
    snapshots: list[StoredSnapshot] = []
    deeds: list[StoredDeed] = []
    for row in queries.rows(_DEEDS, (session_id,)):
        try:
            payload = payload_of(row[2], row[3])
            if row[2] == "tool_use":
                deeds.append(_deed(row, payload))
            else:
                snapshots.append(_snapshot(row, payload))
        except (ValueError, TypeError, KeyError) as error:
            raise LedgerError(
                say("ledger.damaged_row", table="transcript_entries", session=row[1], path=queries.path, detail=error)
            ) from error
    first = dict(queries.rows(_BEGINS, (session_id,)))
    turns = [turn_id for (turn_id,) in queries.rows(_TURNS, (session_id,)) if turn_id in first]
    return FamilyRecord(begins={turn_id: first[turn_id] for turn_id in turns}, snapshots=snapshots, deeds=deeds)


def _deed(row: Row, payload: dict[str, Any]) -> StoredDeed:
    command = payload["input"].get("command")
    return StoredDeed(
        number=row[0],
        tool_use_id=payload["id"],
        tool=payload["name"],
        command=command if isinstance(command, str) else "",
        is_refused=bool(row[6]),
    )


def _snapshot(row: Row, payload: dict[str, Any]) -> StoredSnapshot:
    return StoredSnapshot(
        number=row[0],
        turn_id=row[4],
        tool_use_id=row[5] or "",
        path=str(payload["path"]),
        blob=str(payload["blob"]),
        existed=bool(payload["existed"]),
        after=payload.get("after"),
        under=payload.get("under"),
    )
