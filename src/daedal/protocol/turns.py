"""What is a turn, and how is one started, steered on and stopped?"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct

from daedal.protocol.items import Given, Item
from daedal.protocol.records import TurnStatus
from daedal.protocol.verdict import Posture


class ErrorKind(StrEnum):
    """Why a turn failed, finely enough to choose an exit code and a hook field by it."""

    CONFIGURATION = "configuration"
    AUTHENTICATION = "authentication_failed"
    INVALID_REQUEST = "invalid_request"
    RATE_LIMIT = "rate_limit"
    SERVER = "server_error"
    NETWORK = "network"
    OUTPUT_LIMIT = "max_output_tokens"
    CONTEXT_WINDOW = "context_window_exceeded"
    """What must be said to the model does not fit it any more."""
    STEP_LIMIT = "step_limit"
    BUDGET = "budget"
    EMPTY_REPLY = "empty_reply"
    REFUSAL = "refusal"
    HOOK = "hook"
    """A hook of the user stopped it."""
    LEDGER = "ledger"
    LEDGER_BUSY = "ledger_busy"
    INTERNAL = "internal"


CODEX_ERRORS = {
    ErrorKind.AUTHENTICATION: "unauthorized",
    ErrorKind.INVALID_REQUEST: "badRequest",
    ErrorKind.RATE_LIMIT: "rateLimitExceeded",
    ErrorKind.SERVER: "internalServerError",
    ErrorKind.BUDGET: "sessionBudgetExceeded",
    ErrorKind.CONTEXT_WINDOW: "contextWindowExceeded",
}
"""What a client written for Codex makes of them; all others are `other` to it."""


class TurnError(Struct, rename="camel", frozen=True, kw_only=True):
    message: str
    kind: ErrorKind
    additional_details: str | None = None
    codex_error_info: str | None = None
    """The kind in Codex's words."""
    resets_at: int | None = None
    """When a quota that has run out is there again, in seconds since 1970; ours."""


class Turn(Struct, rename="camel", frozen=True, kw_only=True):
    id: str
    status: TurnStatus
    items: list[Item] = []
    items_view: str = "notLoaded"
    """`full` where `items` has them all."""
    error: TurnError | None = None
    started_at: int | None = None
    completed_at: int | None = None
    duration_ms: int | None = None


class WhenBusy(StrEnum):
    """What becomes of an input to a thread that is at work. Nothing is merged unless somebody says so."""

    REFUSE = "refuse"
    QUEUE = "queue"
    STEER = "steer"


class Wishes(Struct, rename="camel", frozen=True, kw_only=True):
    """What shall hold for a thread from now on. None leaves it as it is."""

    model: str | None = None
    """A reference, as `--model` takes it; a model of another provider too."""
    effort: str | None = None
    """How hard it thinks: one of `EFFORTS`, or `auto` for what the settings say."""
    approval_policy: Posture | None = None
    permission_mode: str | None = None
    """The rules' last line, as `defaultMode`; ours. `plan` begins to plan, any other ends it."""
    leaves_plan: bool = False
    """Ends plan mode, and changes nothing where there is none; ours."""
    sandbox_policy: dict[str, Any] | None = None
    """Its `type` counts: `workspaceWrite`, `readOnly` or `dangerFullAccess`."""
    cwd: str | None = None
    """Where commands run: a folder inside the thread's own."""


class TurnStartParams(Wishes, rename="camel", frozen=True, kw_only=True):
    """What it wishes for holds from this turn on."""

    thread_id: str
    input: Sequence[Given]
    when_busy: WhenBusy = WhenBusy.REFUSE
    """Ours."""
    driver: str = ""
    """Which driver starts it, where no person does: `goal`; ours."""
    may_become_goal: bool = False
    """A person typed it, and where it asks for long research it may become a goal of the thread; ours."""


class TurnContinueParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`turn/continue`, ours: go on with the thread's last turn, which was cut off, failed or interrupted."""

    thread_id: str


class TurnStartResponse(Struct, rename="camel", frozen=True, kw_only=True):
    turn: Turn


class TurnInterruptParams(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    turn_id: str
