"""What does the ledger hand out beyond the transcript? Usage, verdicts, events, and what it finds about itself."""

from typing import Any

from msgspec import Struct

from daedal.protocol.records import ModelCalled


class StoredCall(ModelCalled, frozen=True, kw_only=True):
    """A model call with what it used."""

    created_at: str


class StoredVerdict(Struct, frozen=True, kw_only=True):
    turn_id: str
    tool_use_id: str
    tool_name: str
    decision: str
    reason: dict[str, Any]
    principal: str
    created_at: str


class StoredEvent(Struct, frozen=True, kw_only=True):
    event_type: str
    detail: dict[str, Any]
    created_at: str


class Finding(Struct, frozen=True, kw_only=True):
    """What one look at the ledger's health came to."""

    check: str
    """`integrity`, `version`, `journal`, `receipts`, `memory_index`, `privacy` or `size`."""
    ok: bool
    detail: str
    """What is so, and where it is not right, what to do."""
