"""How does a conversation's phase move? By compare and set, with an event beside it, all in one commit."""

import sqlite3

from daedal.ledger.errors import PhaseMoved
from daedal.ledger.payloads import to_json
from daedal.protocol.catalogue import say
from daedal.protocol.records import PhaseChanged

EVENT = "PhaseChanged"
_PLANNING, _DONE = "planning", "done"


def change_phase(connection: sqlite3.Connection, record: PhaseChanged, detail: str, *, session_id: str | None) -> None:
    """Runs inside the transaction of its commit. Raises PhaseMoved where the phase is no longer `before`."""
    moved = connection.execute(
        "UPDATE conversations SET phase = ?, last_active = datetime('now') WHERE id = ? AND phase = ?",
        (record.after, record.conversation_id, record.before),
    )
    if moved.rowcount != 1:
        raise PhaseMoved(_refusal(connection, record))
    if record.after == _PLANNING:
        from daedal.ledger.plans import retire_plan

        retire_plan(connection, record.conversation_id)
    if record.after == _DONE:
        # The next piece of work needs a plan of its own.
        connection.execute(
            "UPDATE plans SET status = 'completed', completed_at = datetime('now')"
            " WHERE conversation_id = ? AND status = 'approved'",
            (record.conversation_id,),
        )
    connection.execute(
        "INSERT INTO events(conversation_id, session_id, event_type, detail) VALUES (?, ?, ?, ?)",
        (record.conversation_id, session_id, EVENT, detail),
    )


def event_detail(record: PhaseChanged) -> str:
    """What the event says: the two phases, then whatever the mover adds."""
    return to_json({"before": record.before, "after": record.after, **record.detail}, record.conversation_id)


def _refusal(connection: sqlite3.Connection, record: PhaseChanged) -> str:
    row = connection.execute("SELECT phase FROM conversations WHERE id = ?", (record.conversation_id,)).fetchone()
    if row is None:
        return say("ledger.phase_of_nothing", conversation=record.conversation_id)
    return say(
        "ledger.phase_moved",
        conversation=record.conversation_id,
        phase=row[0],
        before=record.before,
        after=record.after,
    )
