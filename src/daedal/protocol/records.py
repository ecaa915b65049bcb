"""What can be put on the record? The rows a commit is made of, as the engine says them and the ledger keeps them.

A commit takes a list of records and stores all or none. The ledger adds what only it knows: sequence numbers,
times, hashes. Payloads follow Appendix C of the transactional runtime; whatever it does not name goes to `extra`.
"""

from enum import StrEnum
from typing import Any

from msgspec import Struct


class EntryType(StrEnum):
    """The closed set of `transcript_entries.entry_type`."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL_USE = "tool_use"
    TOOL_RESULT = "tool_result"
    PROGRESS = "progress"
    ATTACHMENT = "attachment"
    INTERNAL_HOOK = "internal_hook"
    CONTENT_REPLACEMENT = "content_replacement"
    COLLAPSE_COMMIT = "collapse_commit"
    FILE_HISTORY_SNAPSHOT = "file_history_snapshot"
    ATTRIBUTION_SNAPSHOT = "attribution_snapshot"
    QUEUE_OPERATION = "queue_operation"
    SPECULATION_ACCEPT = "speculation_accept"
    AI_TITLE = "ai_title"


class TurnStatus(StrEnum):
    IN_PROGRESS = "inProgress"
    COMPLETED = "completed"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


class SessionOpened(Struct, frozen=True, kw_only=True):
    """A new session; its conversation is made too unless it exists."""

    session_id: str
    conversation_id: str
    project_dir: str
    provider: str
    model_id: str
    worked_for: str | None = None
    """The session whose sub-agent works here."""
    forked_from: str | None = None
    """The session that it begins as a copy of."""


class SessionShelved(Struct, frozen=True, kw_only=True):
    """The session is put aside, or taken up again. Nothing of it is lost."""

    is_archived: bool


class SessionNamed(Struct, frozen=True, kw_only=True):
    name: str


class ModelChosen(Struct, frozen=True, kw_only=True):
    """From now on the session speaks with this one."""

    provider: str
    model_id: str


class Entry(Struct, frozen=True, kw_only=True):
    """One row of the transcript. The ledger gives it the next sequence of its session."""

    entry_type: EntryType
    payload: dict[str, Any]
    """Without `_t`: the ledger writes it from `entry_type`."""
    turn_id: str = ""
    tool_use_id: str | None = None
    extra: dict[str, Any] = {}
    """Ours, beside the specified payload: kept blocks, durations, diffs."""


class TurnOpened(Struct, frozen=True, kw_only=True):
    turn_id: str
    principal: str


class TurnClosed(Struct, frozen=True, kw_only=True):
    turn_id: str
    status: TurnStatus
    error: dict[str, Any] | None = None


class TurnReopened(Struct, frozen=True, kw_only=True):
    """A turn that was cut off, failed or interrupted goes on."""

    turn_id: str


class ModelCalled(Struct, frozen=True, kw_only=True):
    """One answered (or given up) model call with what it used."""

    turn_id: str
    provider: str
    wire_model: str
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    reasoning_tokens: int
    cost_usd: float | None
    duration_ms: int
    attempts: int
    error: str | None = None


class VerdictGiven(Struct, frozen=True, kw_only=True):
    """A row of `tool_permission_log`."""

    turn_id: str
    tool_use_id: str
    tool_name: str
    decision: str
    reason: dict[str, Any]
    principal: str


class ReceiptIssued(Struct, frozen=True, kw_only=True):
    """A decision or a proof with its inputs. The ledger chains it to the receipt before."""

    kind: str
    turn_id: str
    principal: str
    body: dict[str, Any]


class HookRan(Struct, frozen=True, kw_only=True):
    """A row of `hook_invocations`: one invocation, or one skip."""

    hook_event: str
    hook_ordinal: int
    matcher: str
    command: str
    input_json: str
    started_at: str
    tool_use_id: str | None = None
    tool_name: str | None = None
    exit_code: int | None = None
    """None where it was skipped, timed out or could not start."""
    stdout_text: str | None = None
    stderr_text: str | None = None
    completed_at: str | None = None
    skipped_reason: str | None = None
    outcome: str = "ran"
    """Ours: ran, denied, failed (exit code), timed_out, invalid (its output), broken (could not start), skipped."""
    source: str = ""
    """Ours: the file that configured it."""
    turn_id: str = ""


class PhaseChanged(Struct, frozen=True, kw_only=True):
    """The conversation's phase moves, and `events` says so, in one commit. Refused if it is no longer in `before`."""

    conversation_id: str
    before: str
    after: str
    detail: dict[str, Any] = {}


class PlanSubmitted(Struct, frozen=True, kw_only=True):
    """A plan is laid before the person: a row of `plans`, a draft. Drafts before it are superseded."""

    conversation_id: str
    content: str


class PlanApproved(Struct, frozen=True, kw_only=True):
    """The person approved the newest draft, if that is still this one; an approved plan before it is superseded."""

    conversation_id: str
    content: str


class StateKept(Struct, frozen=True, kw_only=True):
    """A row of `state`: what the conversation keeps under a name, instead of what it kept there before."""

    key: str
    value: str | None
    """None forgets it."""


class Spent(Struct, frozen=True, kw_only=True):
    """What model calls have used, those of sub-agents included."""

    steps: int = 0
    """Calls of the session itself."""
    tokens: int = 0
    cost_usd: float | None = None
    last_call: int = 0
    """The number of the newest call."""


class Happened(Struct, frozen=True, kw_only=True):
    """A row of `events`."""

    event_type: str
    detail: dict[str, Any]


Record = (
    SessionOpened
    | SessionShelved
    | SessionNamed
    | ModelChosen
    | Entry
    | TurnOpened
    | TurnClosed
    | TurnReopened
    | ModelCalled
    | VerdictGiven
    | ReceiptIssued
    | HookRan
    | PhaseChanged
    | PlanSubmitted
    | PlanApproved
    | StateKept
    | Happened
)


class StoredEntry(Struct, frozen=True, kw_only=True):
    """An entry as it is read back."""

    sequence: int
    entry_type: EntryType
    payload: dict[str, Any]
    turn_id: str
    tool_use_id: str | None
    extra: dict[str, Any]
    created_at: str


class StoredTurn(Struct, frozen=True, kw_only=True):
    turn_id: str
    principal: str
    status: TurnStatus
    error: dict[str, Any] | None
    started_at: str
    completed_at: str | None


class StoredConversation(Struct, frozen=True, kw_only=True):
    """A line of work as it stands."""

    id: str
    project_dir: str
    phase: str
    """As it stands in the row; an operator may have written anything."""
    has_approved_plan: bool
    plan_status: str | None
    """Of the newest plan; None where there is none."""
    created_at: str
    last_active: str


class StoredSession(Struct, frozen=True, kw_only=True):
    """A session as lists show it."""

    session_id: str
    conversation_id: str
    project_dir: str
    provider: str
    model_id: str
    started_at: str
    last_active: str
    preview: str
    """The first prompt, shortened."""
    turns: int
    entries: int
    status: TurnStatus | None
    """Of the last turn; None where there is none yet."""
    worked_for: str | None = None
    """The session whose sub-agent worked here."""
    cost_usd: float
    is_archived: bool = False
    name: str | None = None
    forked_from: str | None = None
