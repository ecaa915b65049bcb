"""Which model answers, and how is it reached? Model endpoints, logins and credentials, prices, recorded replies."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from daedal.providers.choice import Choice, credential_names, known_models, resolve
    from daedal.providers.recorder import recording
    from daedal.providers.registry import connect
    from daedal.providers.replay import replaying
    from daedal.providers.settings import NetworkSettings, PriceSettings, ProviderSettings

__all__ = [
    "Choice",
    "NetworkSettings",
    "PriceSettings",
    "ProviderSettings",
    "connect",
    "credential_names",
    "known_models",
    "recording",
    "replaying",
    "resolve",
]

_HOMES = {
    "Choice": "choice",
    "NetworkSettings": "settings",
    "PriceSettings": "settings",
    "ProviderSettings": "settings",
    "connect": "registry",
    "credential_names": "choice",
    "known_models": "choice",
    "recording": "recorder",
    "replaying": "replay",
    "resolve": "choice",
}


def __getattr__(name: str) -> Any:
    """Loads the file behind a name when the name is first used, so that a replay never loads TLS."""
    if name not in _HOMES:
        raise AttributeError(name)
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
