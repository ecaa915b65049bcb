"""Which conversations are there, in which phase, and with which plan?"""

from daedal.ledger.queries import Queries, Row
from daedal.ledger.stored import StoredPlan
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.records import StoredConversation

_CANDIDATES_MAX = 5
_COLUMNS = """
    SELECT c.id, c.project_dir, c.phase, c.created_at, c.last_active,
        EXISTS (SELECT 1 FROM plans p WHERE p.conversation_id = c.id AND p.status = 'approved'),
        (SELECT p.status FROM plans p WHERE p.conversation_id = c.id ORDER BY p.id DESC LIMIT 1)
    FROM conversations c
"""
_RECENT_FIRST = " ORDER BY c.last_active DESC, c.rowid DESC LIMIT ?"


def conversation(queries: Queries, prefix: str) -> StoredConversation:
    """The one whose id is this, or begins like this. Raises UsageError that names candidates."""
    # A range instead of LIKE: it is reached by index, and % and _ in what was typed mean nothing.
    rows = queries.rows(
        _COLUMNS + " WHERE c.id >= ?1 AND c.id < ?1 || char(0x10FFFF) ORDER BY c.id LIMIT ?2",
        (prefix, _CANDIDATES_MAX + 1),
    )
    found = [_stored(row) for row in rows]
    if prefix and found and (found[0].id == prefix or len(found) == 1):
        return found[0]
    if prefix and found:
        raise UsageError(say("ledger.conversation_ambiguous", prefix=prefix, candidates=_listed(found)))
    recent = conversations(queries, limit=_CANDIDATES_MAX)
    if not recent:
        raise UsageError(say("ledger.conversation_unknown_empty", prefix=prefix))
    raise UsageError(say("ledger.conversation_unknown", prefix=prefix, candidates=_listed(recent)))


def conversations(queries: Queries, *, limit: int, project_dir: str | None = None) -> list[StoredConversation]:
    """Newest first."""
    if project_dir is None:
        rows = queries.rows(_COLUMNS + _RECENT_FIRST, (limit,))
    else:
        rows = queries.rows(_COLUMNS + " WHERE c.project_dir = ?" + _RECENT_FIRST, (project_dir, limit))
    return [_stored(row) for row in rows]


def plans(queries: Queries, conversation_id: str) -> list[StoredPlan]:
    """Oldest first."""
    columns = StoredPlan.__struct_fields__
    rows = queries.rows(
        f"SELECT {', '.join(columns)} FROM plans WHERE conversation_id = ? ORDER BY id",  # noqa: S608
        (conversation_id,),
    )
    return [StoredPlan(**dict(zip(columns, row, strict=True))) for row in rows]


def _listed(found: list[StoredConversation]) -> str:
    named = ", ".join(conversation.id for conversation in found[:_CANDIDATES_MAX])
    return named + (", …" if len(found) > _CANDIDATES_MAX else "")


def _stored(row: Row) -> StoredConversation:
    return StoredConversation(
        id=row[0],
        project_dir=row[1],
        phase=row[2],
        created_at=row[3],
        last_active=row[4],
        has_approved_plan=bool(row[5]),
        plan_status=row[6],
    )
