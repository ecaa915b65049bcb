"""What does a session keep beside its transcript? Values by name in `state`, and what it has used since a call."""

from daedal.ledger.queries import Queries
from daedal.protocol.records import Spent

_STATE = "SELECT value FROM state WHERE conversation_id = ? AND key = ?"
_SPENT = (
    "SELECT COALESCE(SUM(session_id = ?1), 0),"
    " COALESCE(SUM(input_tokens + output_tokens + cache_read_tokens + cache_write_tokens), 0),"
    " SUM(cost_usd), COALESCE(MAX(id), ?2) FROM model_calls"
    " WHERE id > ?2 AND (session_id = ?1 OR session_id IN (SELECT session_id FROM sessions WHERE worked_for = ?1))"
)


def kept_state(queries: Queries, conversation_id: str, key: str) -> str | None:
    rows = queries.rows(_STATE, (conversation_id, key))
    return rows[0][0] if rows else None


def spent_since(queries: Queries, session_id: str, call_id: int) -> Spent:
    steps, tokens, cost, last = queries.rows(_SPENT, (session_id, call_id))[0]
    return Spent(steps=steps, tokens=tokens, cost_usd=cost, last_call=last)
