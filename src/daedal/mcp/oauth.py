"""How do we prove to a remote server who we are? OAuth as the SDK does it, with what it forgets between two runs.

The SDK keeps tokens and the client's registration; when a token ends and who renews it, it would have to find out anew,
and would then send the person to the browser instead.
"""

import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from mcp.client.auth.oauth2 import OAuthClientProvider
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthMetadata,
    OAuthToken,
    ProtectedResourceMetadata,
)
from msgspec import Struct
from pydantic import BaseModel, ValidationError

from daedal.mcp.entries import ServerConfig
from daedal.mcp.tokens import Login, Tokens
from daedal.mcp.trouble import LoginNeeded, Trouble
from daedal.protocol.catalogue import say

M = TypeVar("M", bound=BaseModel)
UNUSED_REDIRECT = "http://127.0.0.1/callback"
"""Of a session that never sends anybody to a browser."""


class Session(Struct, frozen=True):
    auth: OAuthClientProvider


class Storage:
    """The SDK's `TokenStorage`."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.provider: OAuthClientProvider | None = None
        self.is_new = False
        """Whether tokens came in."""

    async def get_tokens(self) -> OAuthToken | None:
        return _model(OAuthToken, self._tokens.read().tokens)

    async def set_tokens(self, tokens: OAuthToken) -> None:
        login = self._tokens.read()
        login.tokens = _plain(tokens)
        login.expires_at = None if tokens.expires_in is None else time.time() + int(tokens.expires_in)
        if self.provider is not None:
            context = self.provider.context
            login.server = _plain(context.oauth_metadata) or login.server
            login.resource = _plain(context.protected_resource_metadata) or login.resource
        self._tokens.write(login)
        self.is_new = True

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return _model(OAuthClientInformationFull, self._tokens.read().client)

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        login = self._tokens.read()
        login.client = _plain(client_info)
        self._tokens.write(login)

    def login(self) -> Login:
        return self._tokens.read()


class Provider(OAuthClientProvider):
    """The SDK's, which also remembers when its token ends and who renews it."""

    def __init__(self, storage: Storage, **given: Any) -> None:
        super().__init__(storage=storage, **given)
        self._kept = storage
        storage.provider = self

    async def _initialize(self) -> None:
        await super()._initialize()
        login = self._kept.login()
        self.context.token_expiry_time = login.expires_at
        self.context.oauth_metadata = _model(OAuthMetadata, login.server)
        self.context.protected_resource_metadata = _model(ProtectedResourceMetadata, login.resource)


def session_of(config: ServerConfig, tokens: Tokens) -> Session | None:
    """For work without a person: a login that is there is used and renewed. None where there is none to use."""
    if has_own_header(config) or not tokens.is_there:
        return None

    async def nobody(*_: object) -> Any:
        raise stranger(config)

    return Session(provider(config, Storage(tokens), UNUSED_REDIRECT, nobody, nobody))


def provider(
    config: ServerConfig,
    storage: Storage,
    redirect_uri: str,
    send: Callable[[str], Awaitable[None]],
    answer: Callable[[], Awaitable[AuthorizationCodeResult]],
) -> Provider:
    """`send` shows the person an address, `answer` waits for what the browser brings back."""
    return Provider(
        storage,
        server_url=config.url,
        client_metadata=OAuthClientMetadata.model_validate(
            {
                "client_name": "Daedal",
                "redirect_uris": [redirect_uri],
                "grant_types": ["authorization_code", "refresh_token"],
                "response_types": ["code"],
                "token_endpoint_auth_method": "none",
            }
        ),
        redirect_handler=send,
        callback_handler=answer,
    )


def stranger(config: ServerConfig) -> Trouble:
    """What to say where the server does not know who we are."""
    if has_own_header(config):
        return Trouble(say("mcp.header_refused", name=config.name))
    return LoginNeeded(say("mcp.login_needed", name=config.name, slug=config.slug))


def has_own_header(config: ServerConfig) -> bool:
    return any(name.lower() == "authorization" for name in config.headers)


def _plain(model: BaseModel | None) -> dict[str, Any] | None:
    return None if model is None else model.model_dump(mode="json", exclude_none=True)


def _model(kind: type[M], said: dict[str, Any] | None) -> M | None:
    try:
        return None if said is None else kind.model_validate(said)
    except ValidationError:
        return None  # another version wrote it: the login is asked for again
