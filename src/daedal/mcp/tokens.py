"""Who are we to a remote server? Its login, in a file for nobody else's eyes: `~/.daedal/mcp/tokens/`."""

import os
from typing import Any

import msgspec
from msgspec import Struct

from daedal.config import read_text, replace_file
from daedal.mcp.entries import ServerConfig
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError


class Login(Struct, kw_only=True, omit_defaults=True):
    """As the SDK's own models dump themselves; ours is only when the token ends."""

    url: str
    tokens: dict[str, Any] | None = None
    expires_at: float | None = None
    client: dict[str, Any] | None = None
    server: dict[str, Any] | None = None
    """What the authorization server said about itself."""
    resource: dict[str, Any] | None = None


class Tokens:
    """The login at one server. What was given for another address is not for this one."""

    def __init__(self, home: str, config: ServerConfig) -> None:
        self.path = os.path.join(home, "mcp", "tokens", f"{config.slug}-{config.identity}.json")
        self._url = config.url

    def read(self) -> Login:
        """Raises ConfigurationError."""
        text = read_text(self.path)
        try:
            login = None if text is None else msgspec.json.decode(text, type=Login)
        except (msgspec.DecodeError, RecursionError) as error:
            raise ConfigurationError(say("mcp.tokens_unreadable", path=self.path, reason=error)) from error
        return login if login is not None and login.url == self._url else Login(url=self._url)

    def write(self, login: Login) -> None:
        replace_file(self.path, msgspec.json.encode(login) + b"\n")

    @property
    def is_there(self) -> bool:
        return os.path.exists(self.path)
