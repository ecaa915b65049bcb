"""What is a login made of? Tokens, when they end, and who renews them. It is all that is kept, so that a renewal needs
neither settings nor another look at what the issuer says about itself."""

import time
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ProviderError
from daedal.protocol.turns import ErrorKind
from daedal.providers.login.issuer import Issuer

EARLY_S = 60.0
"""So long before its end a token is renewed, but not before three quarters of its life are over."""
LIFETIME_S_MAX = 10 * 365 * 86_400.0


class Tokens(Struct, frozen=True, kw_only=True):
    access: str
    renewal: str = ""
    """The refresh token; empty where the issuer gave none."""
    obtained_at: float
    lifetime_s: float | None = None
    """None: it did not say."""
    scopes: list[str] = []
    client_id: str
    issuer: Issuer

    @property
    def ends_at(self) -> float | None:
        return None if self.lifetime_s is None else self.obtained_at + self.lifetime_s

    def is_due(self) -> bool:
        """Whether it had better be renewed before it is used."""
        if self.lifetime_s is None:
            return False
        return time.time() >= self.obtained_at + self.lifetime_s - min(EARLY_S, self.lifetime_s / 4)

    def is_over(self) -> bool:
        return self.ends_at is not None and time.time() >= self.ends_at

    def secrets(self) -> list[str]:
        return [secret for secret in (self.access, self.renewal) if secret]


def read_tokens(said: Mapping[str, Any], *, client_id: str, issuer: Issuer, asked: list[str]) -> Tokens:
    """What a token endpoint answered. Raises ProviderError, which never quotes the answer."""
    access, renewal, kind = said.get("access_token"), said.get("refresh_token"), said.get("token_type", "bearer")
    if not _is_token(access) or not (renewal is None or renewal == "" or _is_token(renewal)):
        raise _senseless(issuer)
    if not isinstance(kind, str) or kind.lower() != "bearer":
        raise _senseless(issuer)
    scope = said.get("scope")
    return Tokens(
        access=str(access),
        renewal=renewal or "",
        obtained_at=time.time(),
        lifetime_s=_seconds(said.get("expires_in")),
        scopes=scope.split() if isinstance(scope, str) and scope else asked,
        client_id=client_id,
        issuer=issuer,
    )


def renewed(kept: Tokens, said: Mapping[str, Any]) -> Tokens:
    """What was kept, with what is new. Where no new refresh token came, the old one stays good (RFC 6749 §6)."""
    fresh = read_tokens(said, client_id=kept.client_id, issuer=kept.issuer, asked=kept.scopes)
    return replace(fresh, renewal=fresh.renewal or kept.renewal)


def _is_token(said: object) -> bool:
    return (
        isinstance(said, str) and 0 < len(said) < 65_536 and said.isascii() and said.isprintable() and " " not in said
    )


def _seconds(said: object) -> float | None:
    """Some issuers write the number as a text."""
    try:
        seconds = float(said)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return seconds if 0 < seconds < LIFETIME_S_MAX else None


def _senseless(issuer: Issuer) -> ProviderError:
    return ProviderError(say("providers.login.no_token", issuer=issuer.name), ErrorKind.SERVER)
