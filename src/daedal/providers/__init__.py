"""Which model answers, and how is it reached? Model endpoints, logins and credentials, prices, recorded replies."""

from typing import TYPE_CHECKING

from daedal.protocol.rooms import loaded_when_used

if TYPE_CHECKING:
    from daedal.providers.address import parse as parse_address
    from daedal.providers.choice import Choice, credential_names, known_models, resolve
    from daedal.providers.dial import Trust
    from daedal.providers.findings import WebHit, WebQuery
    from daedal.providers.proxies import authorization as proxy_authorization
    from daedal.providers.proxies import proxy_for
    from daedal.providers.recorder import recording
    from daedal.providers.registry import connect
    from daedal.providers.replay import replaying
    from daedal.providers.searching import WebFindings, search_web
    from daedal.providers.settings import NetworkSettings, PriceSettings, ProviderSettings

__all__ = [
    "Choice",
    "NetworkSettings",
    "PriceSettings",
    "ProviderSettings",
    "Trust",
    "WebFindings",
    "WebHit",
    "WebQuery",
    "connect",
    "credential_names",
    "known_models",
    "parse_address",
    "proxy_authorization",
    "proxy_for",
    "recording",
    "replaying",
    "resolve",
    "search_web",
]

_FILES = {
    "Choice": "choice",
    "NetworkSettings": "settings",
    "PriceSettings": "settings",
    "ProviderSettings": "settings",
    "Trust": "dial",
    "WebFindings": "searching",
    "WebHit": "findings",
    "WebQuery": "findings",
    "connect": "registry",
    "credential_names": "choice",
    "known_models": "choice",
    "parse_address": "address:parse",
    "proxy_authorization": "proxies:authorization",
    "proxy_for": "proxies",
    "recording": "recorder",
    "replaying": "replay",
    "resolve": "choice",
    "search_web": "searching",
}

__getattr__ = loaded_when_used(__name__, _FILES)
"""Loads the file behind a name when the name is first used, so that a replay never loads TLS."""
