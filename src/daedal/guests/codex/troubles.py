"""What went wrong, in our words? Codex names its reasons by strings or by objects with one key; the set is open."""

from typing import Any, cast

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ProviderError
from daedal.protocol.turns import ErrorKind

KINDS = {
    "unauthorized": ErrorKind.AUTHENTICATION,
    "badRequest": ErrorKind.INVALID_REQUEST,
    "modelNotFound": ErrorKind.INVALID_REQUEST,
    "contextWindowExceeded": ErrorKind.INVALID_REQUEST,
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


def trouble(error: Any) -> ProviderError:
    """From a `TurnError`."""
    told = cast("dict[str, Any]", error) if isinstance(error, dict) else {}
    name, status = _reason(told.get("codexErrorInfo"))
    kind = KINDS.get(name, ErrorKind.SERVER)
    if kind is ErrorKind.NETWORK and status is not None:
        kind = BY_STATUS.get(status, ErrorKind.SERVER)
    words = str(told.get("message") or say("guests.no_reason"))
    return ProviderError(say("guests.failed", engine="Codex", why=words), kind, status=status)


def _reason(info: Any) -> tuple[str, int | None]:
    if isinstance(info, str):
        return info, None
    if isinstance(info, dict) and info:
        name, detail = next(iter(cast("dict[str, Any]", info).items()))
        status = detail.get("httpStatusCode") if isinstance(detail, dict) else None  # type: ignore[reportUnknownMemberType]
        return name, cast("int | None", status)
    return "", None
