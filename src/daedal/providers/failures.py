"""What can go wrong in one attempt, is another one worth it, and how does a person read about it?

A Failure never leaves the room: `retry` answers it with another attempt or turns it into a ProviderError.
"""

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from daedal.protocol.catalogue import say
from daedal.protocol.turns import ErrorKind

MESSAGE_CHARACTERS_MAX = 500
ERROR_BODY_BYTES_MAX = 65_536

_RETRIED = frozenset({408, 409, 425, 429})
_SPENT = ("insufficient_quota", "billing", "credit balance")
"""Said with a 429, but waiting does not help: the account has run out of money."""


_OVERFLOWS = (
    "context_length_exceeded",
    "exceed_context_size",
    "context_window_exceeded",
    "prompt is too long",
    "input is too long",
    "request_too_large",
    "exceed context limit",
    "maximum context length",
    "maximum prompt length",
    "maximum number of tokens",
    "exceeds the context",
    "exceeds the available context",
    "exceeds the model's context",
    "context the overflows",
    "greater than the context length",
    "context size has been exceeded",
    "reduce the length of the messages",
    "too large for model",
)
"""How vendors say that a prompt does not fit: Anthropic, OpenAI and who speaks like it (DeepSeek, vLLM, Groq, xAI,
Mistral, Gemini's door), llama.cpp, LM Studio."""
_OVERFLOW_STATUSES = frozenset({400, 413, 422, 500})
"""Local servers call it a fault of theirs."""


class Failure(Exception):
    """One attempt failed."""

    def __init__(
        self,
        reason: str,
        kind: ErrorKind,
        *,
        retry: bool,
        advice: str = "",
        status: int | None = None,
        retry_after_s: float | None = None,
        lost: bool = False,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        """What happened, short enough for a status line."""
        self.advice = advice
        """What to do about it, where we know."""
        self.kind = kind
        self.retry = retry
        self.status = status
        self.retry_after_s = retry_after_s
        self.lost = lost
        """The connection was gone before the first byte of an answer."""


class VendorError(msgspec.Struct, frozen=True):
    """An error as the vendors say it, in a body or inside a stream."""

    message: str
    code: str = ""
    """Their word for it, from `type` and `code`."""


def vendor_error(body: bytes) -> VendorError:
    """Reads what can be read: JSON in one of the usual shapes, or the beginning of whatever it is."""
    try:
        decoded = msgspec.json.decode(body)
    except ValueError:
        return VendorError(shortened(_plain(body.decode("utf-8", "replace"))))
    first = next(iter(_objects(decoded)), None)
    inner = next(iter(_objects(first.get("error"))), first) if first is not None else None
    if first is None or inner is None:
        return VendorError(shortened(str(decoded)))
    message = inner.get("message") or inner.get("detail") or inner.get("error") or body.decode("utf-8", "replace")
    code = " ".join(str(inner[name]) for name in ("type", "code") if inner.get(name) is not None)
    return VendorError(shortened(str(message)), code)


def _plain(text: str) -> str:
    """What a person would see of it, if it is a web page."""
    if text.lstrip()[:1] == "<":
        import re

        text = re.sub(r"(?is)<(style|script)\b.*?</\1>|<[^>]*>", " ", text[:8192])
    return " ".join(text.split())


def _objects(value: Any) -> list[dict[str, Any]]:
    """The value itself, or those in it if it is a list, as far as they are objects."""
    values = cast("list[Any]", value) if isinstance(value, list) else [value]
    return [each for each in values if isinstance(each, dict)]


def shortened(text: str) -> str:
    return text if len(text) <= MESSAGE_CHARACTERS_MAX else text[:MESSAGE_CHARACTERS_MAX] + "…"


def from_status(
    status: int, headers: Mapping[str, str], error: VendorError, *, where: str, variable: str, model: str
) -> Failure:
    """The failure behind an HTTP status. `variable` names the credential; its value is not known here."""
    reason = say("providers.status", status=status, message=error.message or where)
    if status in _OVERFLOW_STATUSES and is_overflow(error):
        return _overflow(reason, status)
    if 300 <= status < 400:
        place = shortened(headers.get("location", "?"))
        return Failure(
            say("providers.redirected", status=status, where=where, place=place),
            ErrorKind.CONFIGURATION,
            retry=False,
            advice=say("providers.check_url"),
            status=status,
        )
    if status in (401, 403):
        advice = say("providers.check_key", variable=variable) if variable else say("providers.no_key_sent")
        return Failure(reason, ErrorKind.AUTHENTICATION, retry=False, advice=advice, status=status)
    if status == 407:
        return Failure(reason, ErrorKind.CONFIGURATION, retry=False, advice=say("providers.proxy_login"), status=status)
    if status in (404, 405):
        advice = say("providers.check_model_or_url", model=model, where=where)
        return Failure(reason, ErrorKind.CONFIGURATION, retry=False, advice=advice, status=status)
    if status in _RETRIED or status >= 500:
        return _passing(status, headers, error, reason)
    return Failure(reason, ErrorKind.INVALID_REQUEST, retry=False, status=status)


def _passing(status: int, headers: Mapping[str, str], error: VendorError, reason: str) -> Failure:
    kind = ErrorKind.RATE_LIMIT if status == 429 else ErrorKind.SERVER
    if status == 429 and is_spent(error):
        return Failure(reason, kind, retry=False, advice=say("providers.spent"), status=status)
    return Failure(reason, kind, retry=True, status=status, retry_after_s=_retry_after_s(headers))


def is_spent(error: VendorError) -> bool:
    said = f"{error.code} {error.message}".lower()
    return any(word in said for word in _SPENT)


def is_overflow(error: VendorError) -> bool:
    said = f"{error.code} {error.message}".lower()
    return any(word in said for word in _OVERFLOWS)


def _overflow(reason: str, status: int | None = None) -> Failure:
    advice = say("providers.overflow")
    return Failure(reason, ErrorKind.CONTEXT_WINDOW, retry=False, advice=advice, status=status)


def _retry_after_s(headers: Mapping[str, str]) -> float | None:
    """From `retry-after-ms`, or from `retry-after` in seconds or as a date."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    given = headers.get("retry-after")
    if given is None:
        return None
    seconds = _number(given)
    return _until(given) if seconds is None else seconds


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 <= value < 1e9 else None  # neither a negative wait nor infinity nor NaN


def _until(date: str) -> float | None:
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(date)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def from_stream(error: VendorError, *, retried: frozenset[str]) -> Failure:
    """The failure behind an error event. `retried` are the vendor's words for troubles that pass."""
    words = error.code.split()
    reason = say("providers.stream_error", message=error.message, code=error.code)
    if is_overflow(error):
        return _overflow(reason)
    if is_spent(error):
        return Failure(reason, ErrorKind.RATE_LIMIT, retry=False, advice=say("providers.spent"))
    if any("rate_limit" in word for word in words) or "429" in words:
        return Failure(reason, ErrorKind.RATE_LIMIT, retry=True)
    numeric = any(word.isdigit() and (int(word) >= 500 or int(word) in _RETRIED) for word in words)
    if numeric or any(word in retried for word in words):
        return Failure(reason, ErrorKind.SERVER, retry=True)
    return Failure(reason, ErrorKind.INVALID_REQUEST, retry=False)


def garbled(detail: str) -> Failure:
    """The server sent something inside a stream that does not mean anything to us."""
    return Failure(say("providers.garbled", detail=shortened(detail)), ErrorKind.SERVER, retry=True)


def broken_off() -> Failure:
    return Failure(say("providers.broken_off"), ErrorKind.NETWORK, retry=True)
