"""What went wrong, in our words? Claude says it in the result of a turn, with the HTTP status where there was one."""

from claude_agent_sdk import ResultMessage

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ProviderError
from daedal.protocol.turns import ErrorKind

BY_STATUS = {
    400: ErrorKind.INVALID_REQUEST,
    401: ErrorKind.AUTHENTICATION,
    403: ErrorKind.AUTHENTICATION,
    404: ErrorKind.INVALID_REQUEST,
    413: ErrorKind.INVALID_REQUEST,
    429: ErrorKind.RATE_LIMIT,
}


def trouble(result: ResultMessage, resets_at: int | None) -> ProviderError:
    status = result.api_error_status
    kind = ErrorKind.SERVER if status is None else BY_STATUS.get(status, ErrorKind.SERVER)
    words = result.result or " · ".join(result.errors or []) or result.subtype
    if status is None and "Not logged in" in words:
        kind = ErrorKind.AUTHENTICATION
    resets_at = resets_at if kind is ErrorKind.RATE_LIMIT else None
    return ProviderError(say("guests.failed", engine="Claude", why=words), kind, status=status, resets_at=resets_at)


def gone(why: str) -> ProviderError:
    return ProviderError(say("guests.gone", engine="Claude", why=why or say("guests.no_reason")), ErrorKind.SERVER)
