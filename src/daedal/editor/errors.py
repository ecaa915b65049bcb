"""How does a failure reach the editor? As a JSON-RPC error with our sentence, or as the reason why a turn stopped."""

from acp import RequestError
from acp.schema import StopReason

from daedal.client import CallFailed
from daedal.protocol.catalogue import say
from daedal.protocol.errors import DaedalError
from daedal.protocol.records import TurnStatus
from daedal.protocol.turns import ErrorKind, Turn, TurnError
from daedal.protocol.wire import INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST

LOGIN_NEEDED = -32000
NOT_FOUND = -32002

CODES = {
    ErrorKind.AUTHENTICATION: LOGIN_NEEDED,
    ErrorKind.CONFIGURATION: INVALID_PARAMS,
    ErrorKind.HOOK: INVALID_REQUEST,
}
STOPS: dict[ErrorKind, StopReason] = {
    ErrorKind.OUTPUT_LIMIT: "max_tokens",
    ErrorKind.STEP_LIMIT: "max_turn_requests",
    ErrorKind.BUDGET: "max_turn_requests",
    ErrorKind.REFUSAL: "refusal",
    ErrorKind.HOOK: "end_turn",
}


def wrong(sentence: str) -> RequestError:
    """The editor asked for something that cannot be."""
    return RequestError(INVALID_PARAMS, sentence)


def untimely(sentence: str) -> RequestError:
    """The editor asked for something that cannot be now."""
    return RequestError(INVALID_REQUEST, sentence)


def unknown_session(session_id: str) -> RequestError:
    return RequestError(NOT_FOUND, say("editor.unknown_session", id=session_id), {"sessionId": session_id})


def failed(trouble: CallFailed | DaedalError, *, opening: bool = False) -> RequestError:
    """What a call of ours came to. While a thread is opened, wrong settings mostly mean that nobody logged in yet."""
    kind = trouble.kind
    if opening and kind is ErrorKind.CONFIGURATION and isinstance(trouble, CallFailed):
        kind = ErrorKind.AUTHENTICATION
    return RequestError(CODES.get(kind, INTERNAL_ERROR), str(trouble), {"kind": str(trouble.kind)})


def stop_reason(turn: Turn) -> StopReason:
    """Why the turn is over. Raises RequestError where nothing of the protocol's own reasons fits."""
    if turn.status is TurnStatus.INTERRUPTED:
        return "cancelled"
    if turn.status is TurnStatus.COMPLETED:
        return "end_turn"
    error = turn.error or TurnError(message=say("editor.no_reason"), kind=ErrorKind.INTERNAL)
    if error.kind in STOPS:
        return STOPS[error.kind]
    data = {"kind": str(error.kind), "details": error.additional_details}
    raise RequestError(CODES.get(error.kind, INTERNAL_ERROR), error.message, data)
