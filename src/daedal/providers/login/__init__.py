"""How does a person become known to a provider, and stay so? OAuth: in the browser or with a code, kept and renewed."""

from typing import TYPE_CHECKING

from daedal.protocol.rooms import loaded_when_used

if TYPE_CHECKING:
    from daedal.providers.login.browser import log_in_by_browser
    from daedal.providers.login.device import DeviceCode, log_in_by_device
    from daedal.providers.login.fetching import Net
    from daedal.providers.login.issuer import Issuer
    from daedal.providers.login.kept import KeptLogin
    from daedal.providers.login.leaving import log_out
    from daedal.providers.login.lock import locked
    from daedal.providers.login.names import has_login
    from daedal.providers.login.store import LoginStore
    from daedal.providers.login.tokens import Tokens

__all__ = [
    "DeviceCode",
    "Issuer",
    "KeptLogin",
    "LoginStore",
    "Net",
    "Tokens",
    "has_login",
    "locked",
    "log_in_by_browser",
    "log_in_by_device",
    "log_out",
]

_FILES = {
    "DeviceCode": "device",
    "Issuer": "issuer",
    "KeptLogin": "kept",
    "LoginStore": "store",
    "Net": "fetching",
    "Tokens": "tokens",
    "has_login": "names",
    "locked": "lock",
    "log_in_by_browser": "browser",
    "log_in_by_device": "device",
    "log_out": "leaving",
}

__getattr__ = loaded_when_used(__name__, _FILES)
