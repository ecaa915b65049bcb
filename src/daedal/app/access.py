"""Which source of a credential wins? The first that has something, in an order that `daedal auth status` shows.

Asked anew for each request, so that a login or logout while a conversation goes on counts with its next request.
"""

import os
from collections.abc import Mapping, Sequence

from daedal.app.credentials import ANTHROPIC, Credentials, secret_names
from daedal.app.settings import Settings
from daedal.app.sources import DESCRIPTOR, HANDED_OVER, HandedOver, Source, Variable
from daedal.config import dotenv_path, logins_path
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ProviderError
from daedal.protocol.turns import ErrorKind
from daedal.providers import Choice, Endpoint, Grant, has_login

ANTHROPIC_CLASS = "claude_code_subscription"


def is_supplied(endpoint: Endpoint, settings: Settings, credentials: Credentials) -> bool:
    """Whether a credential comes from elsewhere than a variable, as far as can be told without asking for it."""
    if endpoint.name != ANTHROPIC_CLASS:
        return has_login(endpoint.name, logins_path())
    if settings.auth.api_key_helper is not None:
        return True
    if credentials.is_bare:
        return False
    given = any(os.environ.get(name, "").strip() for name in (HANDED_OVER, DESCRIPTOR))
    return given or HANDED_OVER in credentials.saved or has_login(endpoint.name, logins_path())


def access_to(
    choice: Choice, settings: Settings, credentials: Credentials, *, vouched: Mapping[str, str], root: str | None
) -> "HouseAccess | None":
    """For an endpoint without a key in the environment. None where it knows no other way: then nothing can change."""
    endpoint = choice.endpoint
    is_login = any(login.provider == endpoint.name for login in settings.logins)
    if endpoint.name != ANTHROPIC_CLASS and not is_login and not has_login(endpoint.name, logins_path()):
        return None
    return HouseAccess(endpoint, sources_of(endpoint, settings, credentials, vouched=vouched, root=root))


def sources_of(
    endpoint: Endpoint, settings: Settings, credentials: Credentials, *, vouched: Mapping[str, str], root: str | None
) -> Sequence[Source]:
    """Strongest first; the same objects each time, because they remember what they obtained."""
    if endpoint.name not in credentials.sources:
        is_anthropic = endpoint.name == ANTHROPIC_CLASS
        make = _anthropic if is_anthropic else _others
        credentials.sources[endpoint.name] = make(endpoint, settings, credentials, vouched, root)
    return credentials.sources[endpoint.name]


class HouseAccess:
    """The `Access` of a provider's requests."""

    def __init__(self, endpoint: Endpoint, sources: Sequence[Source]) -> None:
        self._endpoint = endpoint
        self._sources = sources

    async def grant(self) -> Grant:
        for source in self._sources:
            if (grant := await source.grant()) is not None:
                return grant
        if not self._endpoint.keys or self._endpoint.key_default:
            return Grant(
                secret=self._endpoint.key_default, travels="bearer", source="none", advice=say("providers.no_key_sent")
            )
        raise ProviderError(say("app.source.none", provider=self._endpoint.name), ErrorKind.AUTHENTICATION)

    async def renew(self, refused: Grant) -> bool:
        for source in self._sources:
            if source.id == refused.source:
                return await source.renew(refused)
        return False

    async def close(self) -> None:
        for source in self._sources:
            await source.close()


def _anthropic(
    endpoint: Endpoint, settings: Settings, credentials: Credentials, vouched: Mapping[str, str], root: str | None
) -> list[Source]:
    key = _given("ANTHROPIC_API_KEY", "api_key_env", is_bearer=False)
    helper = _helper(settings, credentials, vouched, root)
    if credentials.is_bare:
        return [key, helper]
    token = _given("ANTHROPIC_AUTH_TOKEN", "auth_token_env", is_bearer=True)
    return [
        token,
        key,
        helper,
        HandedOver(credentials.learn),
        _login(endpoint, settings, credentials),
        _saved(ANTHROPIC, credentials, bearers=("ANTHROPIC_AUTH_TOKEN", HANDED_OVER)),
    ]


def _others(
    endpoint: Endpoint, settings: Settings, credentials: Credentials, vouched: Mapping[str, str], root: str | None
) -> list[Source]:
    del vouched, root
    names = [key.variable for key in endpoint.keys]
    bearers = [key.variable for key in endpoint.keys if key.bearer]
    given: list[Source] = [_given(name, "env", is_bearer=name in bearers) for name in names]
    return [*given, _login(endpoint, settings, credentials), *([_saved(names, credentials, bearers)] if names else [])]


def _given(variable: str, source_id: str, *, is_bearer: bool) -> Variable:
    return Variable(
        variable,
        os.environ,
        source_id=source_id,
        name=say("app.source.variable", variable=variable),
        travels="bearer" if is_bearer else "key",
        advice=say("providers.check_key", variable=variable),
    )


def _saved(names: Sequence[str], credentials: Credentials, bearers: Sequence[str]) -> Variable:
    """The strongest of those that are saved."""
    variable = next((name for name in names if credentials.saved.get(name, "").strip()), names[0])
    return Variable(
        variable,
        credentials.saved,
        source_id="saved",
        name=say("app.source.saved", variables=", ".join(names), file=dotenv_path()),
        travels="bearer" if variable in bearers else "key",
        advice=say("providers.check_key", variable=variable),
    )


def _login(endpoint: Endpoint, settings: Settings, credentials: Credentials) -> Source:
    from daedal.app.stored_login import StoredLogin

    return StoredLogin(endpoint.name, settings.network, credentials.environment(), credentials.learn)


def _helper(settings: Settings, credentials: Credentials, vouched: Mapping[str, str], root: str | None) -> Source:
    from daedal.app.key_helper import KeyHelper
    from daedal.sandbox import ProcessSpawner

    return KeyHelper(
        settings.auth, ProcessSpawner(secret_names(settings)), credentials.learn, vouched=vouched, root=root
    )
