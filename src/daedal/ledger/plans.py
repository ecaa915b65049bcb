"""How does a plan get on the record? A draft is submitted, a person approves it, a newer one takes its place.

`plans.content` is the plan; no file is. All of it happens inside the transaction of a commit, so that a plan is
approved in the same moment in which the conversation's phase moves on.
"""

import sqlite3
from hashlib import sha256

from daedal.protocol.records import PlanApproved, PlanSubmitted


def submit_plan(connection: sqlite3.Connection, record: PlanSubmitted) -> None:
    _supersede(connection, record.conversation_id, "draft")
    connection.execute(
        "INSERT INTO plans(conversation_id, content, hash) VALUES (?, ?, ?)",
        (record.conversation_id, record.content, _hash(record.content)),
    )


def approve_plan(connection: sqlite3.Connection, record: PlanApproved) -> None:
    """The newest draft, where it is the plan that the person saw: a hook may have changed it on the way there."""
    _supersede(connection, record.conversation_id, "approved")
    statement = (
        "UPDATE plans SET status = 'approved', approved_at = datetime('now') WHERE status = 'draft' AND hash = ?2"
        " AND id = (SELECT MAX(id) FROM plans WHERE conversation_id = ?1)"
    )
    seen = (record.conversation_id, _hash(record.content))
    if connection.execute(statement, seen).rowcount != 1:
        submit_plan(connection, PlanSubmitted(conversation_id=record.conversation_id, content=record.content))
        connection.execute(statement, seen)


def retire_plan(connection: sqlite3.Connection, conversation_id: str) -> None:
    """Planning begins anew: what was approved before is no leave for what comes now."""
    _supersede(connection, conversation_id, "approved")


def _supersede(connection: sqlite3.Connection, conversation_id: str, status: str) -> None:
    connection.execute(
        "UPDATE plans SET status = 'superseded' WHERE conversation_id = ? AND status = ?", (conversation_id, status)
    )


def _hash(content: str) -> str:
    return sha256(content.encode()).hexdigest()
