"""How does a login go where there is no browser? With a short code that is typed in elsewhere (RFC 8628)."""

import asyncio
from collections.abc import Awaitable, Callable

from msgspec import Struct

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError, ProviderError
from daedal.protocol.turns import ErrorKind
from daedal.providers.login.asking import Refused, ask
from daedal.providers.login.browser import failed
from daedal.providers.login.fetching import Net
from daedal.providers.login.issuer import find_issuer
from daedal.providers.login.tokens import Tokens, read_tokens
from daedal.providers.settings import LoginSettings

GRANT = "urn:ietf:params:oauth:grant-type:device_code"
INTERVAL_S = 5.0
INTERVAL_S_MIN = 1.0
SLOWER_S = 5.0
"""How much longer every further wait is once the issuer asks us to slow down; RFC 8628 names the number."""
LIFETIME_S_MAX = 1800.0


class DeviceCode(Struct, frozen=True, kw_only=True):
    """What the person has to know."""

    user_code: str
    verification_url: str
    complete_url: str = ""
    """With the code in it already, where the issuer offers that."""
    lifetime_s: float


async def log_in_by_device(
    settings: LoginSettings,
    net: Net,
    *,
    show: Callable[[DeviceCode], None],
    wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> Tokens:
    """`wait` passes the time between two questions. Raises ConfigurationError or ProviderError."""
    issuer = await find_issuer(settings, net)
    if not issuer.device_authorization_endpoint:
        raise ConfigurationError(say("providers.login.no_device", issuer=issuer.name))
    form = {"client_id": settings.client_id, **({"scope": " ".join(settings.scopes)} if settings.scopes else {})}
    try:
        said = await ask(net, issuer.device_authorization_endpoint, form, issuer=issuer.name)
    except Refused as refused:
        raise failed(refused.description) from refused
    device_code = said.get("device_code")
    shown = _shown(said)
    if not isinstance(device_code, str) or not device_code or shown is None:
        raise ProviderError(say("providers.login.no_token", issuer=issuer.name), ErrorKind.SERVER)
    show(shown)
    interval_s = max(_number(said.get("interval"), INTERVAL_S), INTERVAL_S_MIN)
    form = {"grant_type": GRANT, "device_code": device_code, "client_id": settings.client_id}

    async def question() -> dict[str, object]:
        return await ask(net, issuer.token_endpoint, form, issuer=issuer.name)

    answer = await _patiently(question, wait, interval_s=interval_s, lifetime_s=shown.lifetime_s)
    return read_tokens(answer, client_id=settings.client_id, issuer=issuer, asked=settings.scopes)


async def _patiently(
    question: Callable[[], Awaitable[dict[str, object]]],
    wait: Callable[[float], Awaitable[None]],
    *,
    interval_s: float,
    lifetime_s: float,
) -> dict[str, object]:
    waited_s = 0.0
    while waited_s < lifetime_s:
        await wait(interval_s)
        waited_s += interval_s
        try:
            return await question()
        except Refused as refused:
            match refused.code:
                case "authorization_pending":
                    continue
                case "slow_down":
                    interval_s += SLOWER_S
                case "expired_token":
                    break
                case _:
                    raise failed(refused.description) from refused
        except ProviderError as trouble:
            # The person is still typing elsewhere: a server that stumbles is asked again, but less often.
            if trouble.kind not in (ErrorKind.NETWORK, ErrorKind.SERVER):
                raise
            interval_s *= 2
    raise ProviderError(say("providers.login.code_expired"), ErrorKind.AUTHENTICATION)


def _shown(said: dict[str, object]) -> DeviceCode | None:
    code, url = said.get("user_code"), said.get("verification_uri") or said.get("verification_url")
    complete = said.get("verification_uri_complete")
    if not isinstance(code, str) or not isinstance(url, str) or not code or not _is_web(url):
        return None
    return DeviceCode(
        user_code=code,
        verification_url=url,
        complete_url=complete if isinstance(complete, str) and _is_web(complete) else "",
        lifetime_s=min(_number(said.get("expires_in"), LIFETIME_S_MAX), LIFETIME_S_MAX),
    )


def _is_web(url: str) -> bool:
    return url.startswith(("https://", "http://")) and url.isprintable()


def _number(said: object, otherwise: float) -> float:
    return float(said) if isinstance(said, (int, float)) and 0 <= said < 1e6 else otherwise
