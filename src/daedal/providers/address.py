"""Where does a URL lead? Scheme, host, port and path, and nothing that could smuggle anything else."""

import re

from msgspec import Struct

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

_URL = re.compile(
    r"(?P<scheme>https?)://(?:(?P<user>[^@/?#\s]*)@)?(?P<host>\[[0-9A-Fa-f:.%]+\]|[^\s/?#:@\[\]]+)"
    r"(?::(?P<port>[0-9]{1,5}))?(?P<path>/[^\s?#]*)?",
    re.IGNORECASE,
)


class Address(Struct, frozen=True):
    scheme: str
    host: str
    """Without brackets, in ASCII."""
    port: int
    path: str
    """Without a slash at its end; empty for the root."""
    userinfo: str = ""

    @property
    def secure(self) -> bool:
        return self.scheme == "https"

    @property
    def authority(self) -> str:
        """Host and port as `host:port`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def host_header(self) -> str:
        usual = 443 if self.secure else 80
        return self.authority.removesuffix(f":{usual}") if self.port == usual else self.authority

    @property
    def loopback(self) -> bool:
        return self.host in ("localhost", "::1") or self.host.startswith("127.")

    def __str__(self) -> str:
        """Without the user's part: this is what messages show."""
        return f"{self.scheme}://{self.host_header}{self.path}"


def parse(url: str, *, source: str) -> Address:
    """`source` names the setting or variable for the error. The value is not repeated: it may hold a password."""
    found = _URL.fullmatch(url.strip())
    if found is None:
        raise ConfigurationError(say("providers.url_malformed", source=source))
    scheme = found["scheme"].lower()
    port = int(found["port"]) if found["port"] else (443 if scheme == "https" else 80)
    if not 0 < port < 65536:
        raise ConfigurationError(say("providers.url_malformed", source=source))
    return Address(scheme, _ascii(found["host"].strip("[]"), source), port, _path(found["path"]), found["user"] or "")


def _path(found: str | None) -> str:
    return (found or "").rstrip("/")


def _ascii(host: str, source: str) -> str:
    if host.isascii():
        return host.lower()
    try:
        return host.encode("idna").decode()
    except UnicodeError as error:
        raise ConfigurationError(say("providers.url_malformed", source=source)) from error
