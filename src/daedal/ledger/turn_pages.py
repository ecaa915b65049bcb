"""Where on the record does a turn begin? Found by halving, so that a page of turns costs what it holds.

Entries are not indexed by turn. But a session has one turn at a time: what comes after the beginning of a turn is of
that turn or of a later one. (Only one that was taken out again may be followed by an older one.)
"""

from bisect import bisect_left

from daedal.ledger.queries import Queries

_TURN_AT = (
    "SELECT t.rowid FROM transcript_entries e JOIN turns t ON t.turn_id = e.turn_id"
    " WHERE e.session_id = ? AND e.sequence >= ? ORDER BY e.sequence LIMIT 1"
)


def beginning(queries: Queries, session_id: str, turn_id: str) -> int:
    """The sequence of its first entry, or of the next one where it has none."""
    [(wanted,)] = queries.rows("SELECT rowid FROM turns WHERE turn_id = ?", (turn_id,))
    [(count,)] = queries.rows(
        "SELECT COALESCE(MAX(sequence), -1) + 1 FROM transcript_entries WHERE session_id = ?", (session_id,)
    )

    def turn_at(sequence: int) -> int:
        rows = queries.rows(_TURN_AT, (session_id, sequence))
        return rows[0][0] if rows else wanted  # Nothing of any turn comes after it.

    return bisect_left(range(count), wanted, key=turn_at)
