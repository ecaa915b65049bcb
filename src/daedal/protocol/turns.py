"""What is a turn, and how is one started, steered on and stopped?"""

from enum import StrEnum

from msgspec import Struct

from daedal.protocol.items import Item, UserInput
from daedal.protocol.records import TurnStatus


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


class TurnError(Struct, rename="camel", frozen=True, kw_only=True):
    message: str
    kind: ErrorKind
    additional_details: str | None = None


class Turn(Struct, rename="camel", frozen=True, kw_only=True):
    id: str
    status: TurnStatus
    items: list[Item] = []
    error: TurnError | None = None
    started_at: int | None = None
    completed_at: int | None = None
    duration_ms: int | None = None


class TurnStartParams(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    input: list[UserInput]


class TurnContinueParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`turn/continue`, ours: go on with the thread's last turn, which was cut off, failed or interrupted."""

    thread_id: str


class TurnStartResponse(Struct, rename="camel", frozen=True, kw_only=True):
    turn: Turn


class TurnInterruptParams(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    turn_id: str
