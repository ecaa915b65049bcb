"""How does a login in the browser go? With a code that is worth nothing to whoever overhears it (PKCE, RFC 7636)."""

import asyncio
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from urllib.parse import urlencode

from daedal.config import Loopback, told_reason
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError, ProviderError
from daedal.protocol.turns import ErrorKind
from daedal.providers.login.asking import Refused, ask
from daedal.providers.login.fetching import Net
from daedal.providers.login.issuer import Issuer, find_issuer
from daedal.providers.login.tokens import Tokens, read_tokens
from daedal.providers.settings import LoginSettings

WAIT_S = 300.0


def _silent() -> None:
    pass


async def log_in_by_browser(
    settings: LoginSettings,
    net: Net,
    *,
    show: Callable[[str], None],
    on_stranger: Callable[[], None] = _silent,
    wait_s: float = WAIT_S,
) -> Tokens:
    """`show` gets the address that the person has to open. Raises ConfigurationError or ProviderError."""
    issuer = await find_issuer(settings, net)
    if not issuer.authorization_endpoint:
        raise ConfigurationError(say("providers.login.no_browser", issuer=issuer.name))
    verifier, state = secrets.token_urlsafe(48), secrets.token_urlsafe(32)
    async with Loopback(state=state, port=settings.redirect_port, on_stranger=on_stranger) as loopback:
        show(_address(settings, issuer, loopback.address, state, verifier))
        try:
            async with asyncio.timeout(wait_s):
                given = await loopback.answer()
        except TimeoutError as error:
            message = say("providers.login.timed_out", seconds=f"{wait_s:g}")
            raise ProviderError(message, ErrorKind.AUTHENTICATION) from error
    code = _code(given, issuer)
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": loopback.address,
        "client_id": settings.client_id,
        "code_verifier": verifier,
    }
    try:
        said = await ask(net, issuer.token_endpoint, form, issuer=issuer.name)
    except Refused as refused:
        raise failed(refused.description) from refused
    return read_tokens(said, client_id=settings.client_id, issuer=issuer, asked=settings.scopes)


def failed(reason: str) -> ProviderError:
    return ProviderError(say("providers.login.failed", reason=reason), ErrorKind.AUTHENTICATION)


def _address(settings: LoginSettings, issuer: Issuer, redirect: str, state: str, verifier: str) -> str:
    challenge = urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    query = {
        "response_type": "code",
        "client_id": settings.client_id,
        "redirect_uri": redirect,
        "state": state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    if settings.scopes:
        query["scope"] = " ".join(settings.scopes)
    sign = "&" if "?" in issuer.authorization_endpoint else "?"
    return f"{issuer.authorization_endpoint}{sign}{urlencode(query)}"


def _code(given: dict[str, str], issuer: Issuer) -> str:
    """Raises ProviderError where the person or the issuer said no, or where somebody else answered."""
    said = given.get("iss")
    if (said is None and issuer.says_who) or (said is not None and said.rstrip("/") != issuer.name.rstrip("/")):
        raise failed(say("providers.login.somebody_else"))
    if "code" not in given:
        raise failed(told_reason(given))
    return given["code"]
