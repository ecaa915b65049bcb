"""Who gives out tokens, and at which addresses? As the settings say, or as the issuer publishes it (RFC 8414)."""

from typing import Any

from msgspec import Struct

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError
from daedal.providers.login.fetching import Net, checked
from daedal.providers.settings import LoginSettings

WELL_KNOWN = ("oauth-authorization-server", "openid-configuration")


class Issuer(Struct, frozen=True, kw_only=True):
    name: str
    """As the settings call it: its URL."""
    token_endpoint: str
    authorization_endpoint: str = ""
    device_authorization_endpoint: str = ""
    revocation_endpoint: str = ""
    says_who: bool = False
    """It puts its name into what the browser brings back (RFC 9207)."""


ENDPOINTS = ("authorization_endpoint", "token_endpoint", "device_authorization_endpoint", "revocation_endpoint")


async def find_issuer(settings: LoginSettings, net: Net) -> Issuer:
    """Raises ConfigurationError or ProviderError."""
    if settings.token_endpoint is not None:
        told: dict[str, Any] = {name: getattr(settings, name) for name in ENDPOINTS}
        return _issuer(settings, told)
    return _issuer(settings, await _published(settings, net))


async def _published(settings: LoginSettings, net: Net) -> dict[str, Any]:
    base = checked(settings.issuer, source=_source(settings))
    origin = f"{base.scheme}://{base.host_header}"
    for document in WELL_KNOWN:
        # Before the issuer's path as RFC 8414 has it; OpenID Connect put it behind.
        places = [f"{origin}/.well-known/{document}{base.path}", f"{origin}{base.path}/.well-known/{document}"]
        for url in dict.fromkeys(places):
            answer = await net.get(url, source=_source(settings))
            said = answer.json() if answer.status == 200 else {}
            if not said:
                continue
            if str(said.get("issuer", "")).rstrip("/") != settings.issuer.rstrip("/"):
                raise ConfigurationError(say("providers.login.other_issuer", issuer=settings.issuer, url=url))
            return said
    raise ConfigurationError(say("providers.login.unpublished", issuer=settings.issuer, provider=settings.provider))


def _issuer(settings: LoginSettings, told: dict[str, Any]) -> Issuer:
    found = {name: told[name] for name in ENDPOINTS if isinstance(told.get(name), str) and told[name]}
    for name, url in found.items():
        # What a person opens in the browser may carry a query of its own.
        checked(
            url.partition("?")[0] if name == "authorization_endpoint" else url, source=f"{_source(settings)} ({name})"
        )
    if "token_endpoint" not in found:
        raise ConfigurationError(say("providers.login.unpublished", issuer=settings.issuer, provider=settings.provider))
    says_who = told.get("authorization_response_iss_parameter_supported") is True
    return Issuer(name=settings.issuer, says_who=says_who, **found)


def _source(settings: LoginSettings) -> str:
    return f"logins.{settings.provider}.issuer"
