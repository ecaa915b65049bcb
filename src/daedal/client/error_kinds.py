"""Why did something fail, in our words? Codex has strings for its reasons, or objects with one key; the set is open."""

from typing import Any, cast

from daedal.protocol.turns import ErrorKind

KINDS = {
    "unauthorized": ErrorKind.AUTHENTICATION,
    "badRequest": ErrorKind.INVALID_REQUEST,
    "modelNotFound": ErrorKind.INVALID_REQUEST,
    "contextWindowExceeded": ErrorKind.CONTEXT_WINDOW,
    "cyberPolicy": ErrorKind.REFUSAL,
    "misalignmentPolicyViolation": ErrorKind.REFUSAL,
    "usageLimitExceeded": ErrorKind.RATE_LIMIT,
    "rateLimitExceeded": ErrorKind.RATE_LIMIT,
    "responseTooManyFailedAttempts": ErrorKind.RATE_LIMIT,
    "sessionBudgetExceeded": ErrorKind.BUDGET,
    "internalServerError": ErrorKind.SERVER,
    "serverOverloaded": ErrorKind.SERVER,
    "flexUnavailable": ErrorKind.SERVER,
    "httpConnectionFailed": ErrorKind.NETWORK,
    "responseStreamConnectionFailed": ErrorKind.NETWORK,
    "responseStreamDisconnected": ErrorKind.NETWORK,
    "tooManyDenials": ErrorKind.STEP_LIMIT,
}
BY_STATUS = {401: ErrorKind.AUTHENTICATION, 403: ErrorKind.AUTHENTICATION, 404: ErrorKind.INVALID_REQUEST}


def kind_of(info: Any) -> tuple[ErrorKind, int | None]:
    """From a `codexErrorInfo`: the kind, and the status of the answer that it came with."""
    name, status = reason_of(info)
    kind = KINDS.get(name, ErrorKind.SERVER)
    if kind is ErrorKind.NETWORK and status is not None:
        kind = BY_STATUS.get(status, ErrorKind.SERVER)
    return kind, status


def reason_of(info: Any) -> tuple[str, int | None]:
    if isinstance(info, str):
        return info, None
    if isinstance(info, dict) and info:
        name, detail = next(iter(cast("dict[Any, Any]", info).items()))
        status = cast("dict[str, Any]", detail).get("httpStatusCode") if isinstance(detail, dict) else None
        return str(name), status if isinstance(status, int) else None
    return "", None
