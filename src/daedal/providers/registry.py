"""How does a choice become a provider? By its kind; only the files of that kind are loaded."""

from collections.abc import Callable, Mapping

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError
from daedal.protocol.redaction import Redactor
from daedal.protocol.seams import Provider
from daedal.providers.choice import Choice
from daedal.providers.settings import NetworkSettings
from daedal.providers.wire import Wire

SUBSCRIPTION_TOKEN = "sk-ant-oat"  # noqa: S105  how such a token begins, not one
SUBSCRIPTION_BETA = "oauth-2025-04-20"


def connect(choice: Choice, network: NetworkSettings, env: Mapping[str, str]) -> Provider:
    """A provider that is ready to be asked. No network I/O happens yet. Raises ConfigurationError."""
    return FACTORIES[choice.endpoint.kind](choice, network, env)


def _anthropic(choice: Choice, network: NetworkSettings, env: Mapping[str, str]) -> Provider:
    from daedal.providers.anthropic import AnthropicWire

    return _over_http(choice, AnthropicWire(choice), network, env)


def _openai(choice: Choice, network: NetworkSettings, env: Mapping[str, str]) -> Provider:
    if choice.endpoint.wire == "responses":
        from daedal.providers.responses import ResponsesWire

        return _over_http(choice, ResponsesWire(choice), network, env)
    from daedal.providers.chat import ChatWire

    return _over_http(choice, ChatWire(choice), network, env)


def _replay(choice: Choice, _network: NetworkSettings, _env: Mapping[str, str]) -> Provider:
    from daedal.providers.replay import ReplayProvider

    return ReplayProvider(choice.endpoint.file, choice.card)


def _script(choice: Choice, _network: NetworkSettings, _env: Mapping[str, str]) -> Provider:
    from daedal.providers.script import ScriptedProvider

    return ScriptedProvider(choice.endpoint.file, choice.card)


FACTORIES: dict[str, Callable[[Choice, NetworkSettings, Mapping[str, str]], Provider]] = {
    "anthropic": _anthropic,
    "openai": _openai,
    "replay": _replay,
    "script": _script,
}


def _over_http(choice: Choice, wire: Wire, network: NetworkSettings, env: Mapping[str, str]) -> Provider:
    from daedal.providers import address
    from daedal.providers.dialogue import HttpProvider
    from daedal.providers.transport import Transport

    base = address.parse(choice.base_url, source=choice.base_url_source)
    target = address.Address(base.scheme, base.host, base.port, base.path + wire.path)
    variable, secret = _credential(choice, env)
    headers = wire.headers | choice.endpoint.headers | _authentication(choice, secret)
    transport = Transport(target, headers, network, env)
    return HttpProvider(
        card=choice.card,
        wire=wire,
        transport=transport,
        network=network,
        where=str(target),
        variable=variable,
        redact=Redactor([(variable or "key", secret)]),
        sees_images=choice.sees_images,
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
    bearer = {"Authorization": f"Bearer {secret}"}
    if choice.endpoint.kind == "anthropic" and secret.startswith(SUBSCRIPTION_TOKEN):
        return bearer | {"anthropic-beta": SUBSCRIPTION_BETA}
    return bearer
