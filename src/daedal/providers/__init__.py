"""Which model answers, and how is it reached? Model endpoints, logins and credentials, prices, recorded replies."""

from typing import TYPE_CHECKING

from daedal.protocol.rooms import loaded_when_used

if TYPE_CHECKING:
    from daedal.providers.access import Access, Grant
    from daedal.providers.address import parse as parse_address
    from daedal.providers.choice import Choice, credential_names, endpoint_of, known_models, resolve
    from daedal.providers.dial import Trust
    from daedal.providers.effort import known_efforts, with_effort
    from daedal.providers.endpoints import Endpoint
    from daedal.providers.findings import WebHit, WebQuery
    from daedal.providers.login import (
        DeviceCode,
        KeptLogin,
        LoginStore,
        Net,
        Tokens,
        has_login,
        locked,
        log_in_by_browser,
        log_in_by_device,
        log_out,
    )
    from daedal.providers.prices import price_of
    from daedal.providers.proxies import authorization as proxy_authorization
    from daedal.providers.proxies import proxy_for
    from daedal.providers.recorder import recording
    from daedal.providers.registry import connect
    from daedal.providers.replay import replaying
    from daedal.providers.searching import WebFindings, search_web
    from daedal.providers.settings import AuthSettings, LoginSettings, NetworkSettings, ProviderSettings

__all__ = [
    "Access",
    "AuthSettings",
    "Choice",
    "DeviceCode",
    "Endpoint",
    "Grant",
    "KeptLogin",
    "LoginSettings",
    "LoginStore",
    "Net",
    "NetworkSettings",
    "ProviderSettings",
    "Tokens",
    "Trust",
    "WebFindings",
    "WebHit",
    "WebQuery",
    "connect",
    "credential_names",
    "endpoint_of",
    "has_login",
    "known_efforts",
    "known_models",
    "locked",
    "log_in_by_browser",
    "log_in_by_device",
    "log_out",
    "parse_address",
    "price_of",
    "proxy_authorization",
    "proxy_for",
    "recording",
    "replaying",
    "resolve",
    "search_web",
    "with_effort",
]

_FILES = {
    "Access": "access",
    "AuthSettings": "settings",
    "Choice": "choice",
    "DeviceCode": "login",
    "Endpoint": "endpoints",
    "Grant": "access",
    "KeptLogin": "login",
    "LoginSettings": "settings",
    "LoginStore": "login",
    "Net": "login",
    "NetworkSettings": "settings",
    "ProviderSettings": "settings",
    "Tokens": "login",
    "Trust": "dial",
    "WebFindings": "searching",
    "WebHit": "findings",
    "WebQuery": "findings",
    "connect": "registry",
    "credential_names": "choice",
    "endpoint_of": "choice",
    "has_login": "login",
    "known_efforts": "effort",
    "known_models": "choice",
    "locked": "login",
    "log_in_by_browser": "login",
    "log_in_by_device": "login",
    "log_out": "login",
    "parse_address": "address:parse",
    "price_of": "prices",
    "proxy_authorization": "proxies:authorization",
    "proxy_for": "proxies",
    "recording": "recorder",
    "replaying": "replay",
    "resolve": "choice",
    "search_web": "searching",
    "with_effort": "effort",
}

__getattr__ = loaded_when_used(__name__, _FILES)
"""Loads the file behind a name when the name is first used, so that a replay never loads TLS."""
