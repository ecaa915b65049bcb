"""How does a choice become a provider? By its kind; only the files of that kind are loaded."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError
from daedal.protocol.redaction import Redactor
from daedal.protocol.seams import Provider
from daedal.providers.choice import Choice
from daedal.providers.settings import NetworkSettings
from daedal.providers.wire import Wire

if TYPE_CHECKING:
    from daedal.providers.access import Access, Grant

SUBSCRIPTION_TOKEN = "sk-ant-oat"  # noqa: S105  how such a token begins, not one
SUBSCRIPTION_BETA = "oauth-2025-04-20"


def connect(
    choice: Choice, network: NetworkSettings, env: Mapping[str, str], access: "Access | None" = None
) -> Provider:
    """A provider that is ready to be asked. No network I/O happens yet. Raises ConfigurationError.

    `access` grants the credential of each request, where it is not one of the variables.
    """
    return FACTORIES[choice.endpoint.kind](choice, network, env, access)


def _anthropic(choice: Choice, network: NetworkSettings, env: Mapping[str, str], access: "Access | None") -> Provider:
    from daedal.providers.anthropic import AnthropicWire

    return _over_http(choice, AnthropicWire(choice), network, env, access)


def _openai(choice: Choice, network: NetworkSettings, env: Mapping[str, str], access: "Access | None") -> Provider:
    if choice.endpoint.wire == "responses":
        from daedal.providers.responses import ResponsesWire

        return _over_http(choice, ResponsesWire(choice), network, env, access)
    from daedal.providers.chat import ChatWire

    return _over_http(choice, ChatWire(choice), network, env, access)


def _replay(choice: Choice, *_: object) -> Provider:
    from daedal.providers.replay import ReplayProvider

    return ReplayProvider(choice.endpoint.file, choice.card)


def _script(choice: Choice, *_: object) -> Provider:
    from daedal.providers.script import ScriptedProvider

    return ScriptedProvider(choice.endpoint.file, choice.card)


FACTORIES: dict[str, Callable[[Choice, NetworkSettings, Mapping[str, str], "Access | None"], Provider]] = {
    "anthropic": _anthropic,
    "openai": _openai,
    "replay": _replay,
    "script": _script,
}


def _over_http(
    choice: Choice, wire: Wire, network: NetworkSettings, env: Mapping[str, str], access: "Access | None"
) -> Provider:
    from daedal.providers import address
    from daedal.providers.dialogue import HttpProvider
    from daedal.providers.transport import Transport

    base = address.parse(choice.base_url, source=choice.base_url_source)
    target = address.Address(base.scheme, base.host, base.port, base.path + wire.path)
    variable, secret = _credential(choice, env) if access is None else ("", "")
    headers = wire.headers | choice.endpoint.headers | _authentication(choice, secret)
    transport = Transport(target, headers, network, env)
    return HttpProvider(
        card=replace(choice.card, sees_images=choice.sees_images),
        wire=wire,
        transport=transport,
        network=network,
        where=str(target),
        variable=variable,
        redact=Redactor([(variable or "key", secret)]),
        sees_images=choice.sees_images,
        access=access,
        headers_of=lambda grant: _granted(choice, grant),
    )


def _credential(choice: Choice, env: Mapping[str, str]) -> tuple[str, str]:
    """The variable and its value. Blanks around it come from copying, so they are dropped."""
    if choice.key is None:
        return "", choice.endpoint.key_default
    secret = env.get(choice.key.variable, "").strip()
    if not (secret.isascii() and secret.isprintable()):
        raise ConfigurationError(say("providers.key_malformed", variable=choice.key.variable))
    return choice.key.variable, secret


def _authentication(choice: Choice, secret: str) -> dict[str, str]:
    if not secret:
        return {}
    if choice.key is not None and not choice.key.bearer:
        return {"x-api-key": secret}
    return _bearer(choice, secret)


def _granted(choice: Choice, grant: "Grant") -> dict[str, str]:
    bearer = {} if grant.travels == "key" else _bearer(choice, grant.secret)
    # A token of a subscription is refused as a key.
    is_key = grant.travels == "key" or (grant.travels == "both" and not grant.secret.startswith(SUBSCRIPTION_TOKEN))
    return {**bearer, **({"x-api-key": grant.secret} if is_key else {})}


def _bearer(choice: Choice, secret: str) -> dict[str, str]:
    bearer = {"Authorization": f"Bearer {secret}"}
    if choice.endpoint.kind == "anthropic" and secret.startswith(SUBSCRIPTION_TOKEN):
        return bearer | {"anthropic-beta": SUBSCRIPTION_BETA}
    return bearer
