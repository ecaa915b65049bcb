"""What is a turn, and how is one started, steered on and stopped?"""

from enum import StrEnum
from typing import Any

from msgspec import Struct

from daedal.protocol.items import Item, UserInput
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
}
"""What a client written for Codex makes of them; all others are `other` to it."""


class TurnError(Struct, rename="camel", frozen=True, kw_only=True):
    message: str
    kind: ErrorKind
    additional_details: str | None = None
    codex_error_info: str | None = None
    """The kind in Codex's words."""


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


class TurnStartParams(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    input: list[UserInput]
    when_busy: WhenBusy = WhenBusy.REFUSE
    """Ours."""
    approval_policy: Posture | None = None
    """From this turn on."""
    model: str | None = None
    """What the thread has; another one is taken up by `thread/resume`. The same holds for `cwd` and the sandbox."""
    cwd: str | None = None
    sandbox_policy: dict[str, Any] | None = None


class TurnContinueParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`turn/continue`, ours: go on with the thread's last turn, which was cut off, failed or interrupted."""

    thread_id: str


class TurnStartResponse(Struct, rename="camel", frozen=True, kw_only=True):
    turn: Turn


class TurnInterruptParams(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    turn_id: str
