"""What does the ledger hand out beyond the transcript? Usage, verdicts, events, and what it finds about itself."""

from typing import Any

from msgspec import Struct

from daedal.protocol.records import HookRan, ModelCalled


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


class StoredHookRun(HookRan, frozen=True, kw_only=True):
    """One invocation of a hook, or one skip, with where it happened."""

    id: int
    session_id: str
    conversation_id: str


class StoredPlan(Struct, frozen=True, kw_only=True):
    id: int
    content: str
    hash: str
    status: str
    """`draft`, `approved`, `completed` or `superseded`."""
    created_at: str
    approved_at: str | None
    completed_at: str | None


class StoredReceipt(Struct, frozen=True, kw_only=True):
    id: int
    kind: str
    session_id: str
    turn_id: str
    principal: str
    body: dict[str, Any]
    hash: str
    created_at: str


class DecidedCall(Struct, frozen=True, kw_only=True):
    """A call that the gate once decided, with what is on record to decide it again."""

    session_id: str
    conversation_id: str
    project_dir: str
    turn_id: str
    tool_use_id: str
    tool_name: str
    input: dict[str, Any] | None
    """What was judged; None where no readable call is on record."""
    cwd: str
    decision: str
    rule: str
    reason: dict[str, Any]
    """Everything that was recorded with the verdict."""
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
