"""What went wrong, in our words? A turn of Codex's that failed, as the error of a provider."""

from typing import Any, cast

from daedal.client import kind_of
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ProviderError
from daedal.protocol.turns import ErrorKind


def trouble(error: Any, exhausted_until: int | None) -> ProviderError:
    """From a `TurnError`, and what is known of the account's quota."""
    told = cast("dict[str, Any]", error) if isinstance(error, dict) else {}
    kind, status = kind_of(told.get("codexErrorInfo"))
    words = str(told.get("message") or say("guests.no_reason"))
    resets_at = exhausted_until if kind is ErrorKind.RATE_LIMIT else None
    return ProviderError(say("guests.failed", engine="Codex", why=words), kind, status=status, resets_at=resets_at)
