"""Which sessions are there? Lists and look-ups that touch only the sessions they show, however long those are."""

from typing import Any

from daedal.ledger.queries import Queries, Row
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.records import StoredSession, TurnStatus

PREVIEW_CHARACTERS_MAX = 120
_CANDIDATES_MAX = 5
_PROMPT_SEQUENCE_MAX = 32
"""A prompt that does not come this early is not looked for: a list must not read whole transcripts."""

_COLUMNS = f"""
    SELECT s.session_id, s.conversation_id, s.project_dir, s.provider, s.model_id, s.started_at, s.last_active,
        (SELECT CASE WHEN json_valid(e.payload_json)
                THEN substr(
                    coalesce(
                        CASE WHEN json_valid(e.extra_json) THEN json_extract(e.extra_json, '$.shown') END,
                        json_extract(e.payload_json, '$.content[0].text')
                    ), 1, {PREVIEW_CHARACTERS_MAX * 4}) END
            FROM transcript_entries e
            WHERE e.session_id = s.session_id AND e.sequence < {_PROMPT_SEQUENCE_MAX} AND e.entry_type = 'user'
            ORDER BY e.sequence LIMIT 1),
        (SELECT COUNT(*) FROM turns t WHERE t.session_id = s.session_id),
        (SELECT e.sequence FROM transcript_entries e WHERE e.session_id = s.session_id ORDER BY e.sequence LIMIT 1),
        (SELECT MAX(e.sequence) FROM transcript_entries e WHERE e.session_id = s.session_id),
        (SELECT t.status FROM turns t WHERE t.session_id = s.session_id ORDER BY t.rowid DESC LIMIT 1),
        (SELECT TOTAL(m.cost_usd) FROM model_calls m WHERE m.session_id = s.session_id),
        s.archived_at IS NOT NULL, s.name, s.forked_from, s.worked_for
    FROM sessions s
"""  # noqa: S608
_IDS = "SELECT s.session_id FROM sessions s"
_STATUSES = {str(status): status for status in TurnStatus}
_RECENT_FIRST = " ORDER BY s.last_active DESC, s.rowid DESC LIMIT ?"


def session(queries: Queries, session_id: str) -> StoredSession | None:
    rows = queries.rows(_COLUMNS + " WHERE s.session_id = ?", (session_id,))
    return _stored(rows[0]) if rows else None


def sessions(
    queries: Queries,
    *,
    limit: int,
    project_dir: str | None = None,
    archived: bool | None = None,
    offset: int = 0,
) -> list[StoredSession]:
    """Newest first. `archived` chooses those that were put aside, or the others."""
    wanted: list[str] = []
    values: list[Any] = []
    if project_dir is not None:
        wanted.append("s.project_dir = ?")
        values.append(project_dir)
    if archived is not None:
        wanted.append("s.archived_at IS NOT NULL" if archived else "s.archived_at IS NULL")
    where = f" WHERE {' AND '.join(wanted)}" if wanted else ""
    rows = queries.rows(f"{_COLUMNS}{where}{_RECENT_FIRST} OFFSET ?", (*values, limit, offset))
    return [_stored(row) for row in rows]


def find_session(queries: Queries, prefix: str) -> StoredSession:
    """The one session whose id begins like this. Raises UsageError that names candidates."""
    # A range instead of LIKE: it is reached by index, and % and _ in what was typed mean nothing.
    rows = queries.rows(
        "SELECT session_id FROM sessions WHERE session_id >= ?1 AND session_id < ?1 || char(0x10FFFF)"
        " ORDER BY session_id LIMIT ?2",
        (prefix, _CANDIDATES_MAX + 1),
    )
    ids = [row[0] for row in rows]
    if prefix and (prefix in ids or len(ids) == 1):
        found = session(queries, prefix if prefix in ids else ids[0])
        if found is not None:
            return found
    elif prefix and ids:
        listed = ", ".join(ids[:_CANDIDATES_MAX]) + (", …" if len(ids) > _CANDIDATES_MAX else "")
        raise UsageError(say("ledger.session_ambiguous", prefix=prefix, candidates=listed))
    raise UsageError(_unknown(queries, prefix))


def _unknown(queries: Queries, prefix: str) -> str:
    rows = queries.rows(_IDS + _RECENT_FIRST, (_CANDIDATES_MAX,))
    if not rows:
        return say("ledger.session_unknown_empty", prefix=prefix)
    return say("ledger.session_unknown", prefix=prefix, candidates=", ".join(row[0] for row in rows))


def _stored(row: Row) -> StoredSession:
    first, last = row[9], row[10]
    return StoredSession(
        session_id=row[0],
        conversation_id=row[1],
        project_dir=row[2],
        provider=row[3],
        model_id=row[4],
        started_at=row[5],
        last_active=row[6][:19],
        preview=_shortened(row[7]),
        turns=row[8],
        # Sequences have no gaps, so the two ends tell the number without counting.
        entries=0 if last is None else last - first + 1,
        # One damaged turn must not hide all sessions; reading that session's turns names it.
        status=_STATUSES.get(row[11]),
        cost_usd=row[12],
        is_archived=bool(row[13]),
        name=row[14],
        forked_from=row[15],
        worked_for=row[16],
    )


def _shortened(prompt: Any) -> str:
    text = " ".join(prompt.split()) if isinstance(prompt, str) else ""
    return text if len(text) <= PREVIEW_CHARACTERS_MAX else text[: PREVIEW_CHARACTERS_MAX - 1] + "…"
