"""Who gives out tokens in tests? An authorization server that lets everybody in, and remembers what it did."""

import secrets
import time
from urllib.parse import urlencode

from mcp.server.auth.provider import AccessToken, AuthorizationCode, AuthorizationParams, RefreshToken
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken

from tests.mcp.sdk_server import make

LIVES_S = 3600


class AuthorizationServer:
    def __init__(self, *, refuses: bool = False) -> None:
        self.refuses = refuses
        self.clients: dict[str, OAuthClientInformationFull] = {}
        self.codes: dict[str, AuthorizationCode] = {}
        self.tokens: dict[str, AccessToken] = {}
        self.renewals: dict[str, RefreshToken] = {}
        self.log: list[str] = []

    async def get_client(self, client_id: str):
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull):
        self.log.append("register")
        self.clients[client_info.client_id or ""] = client_info

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        self.log.append("authorize")
        if self.refuses:
            said = {"error": "access_denied", "error_description": "<b>no</b>", "state": params.state or ""}
            return f"{params.redirect_uri}?{urlencode(said)}"
        code = secrets.token_urlsafe(16)
        self.codes[code] = AuthorizationCode(
            code=code,
            client_id=client.client_id or "",
            scopes=params.scopes or [],
            expires_at=time.time() + 60,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
        )
        return f"{params.redirect_uri}?{urlencode({'code': code, 'state': params.state or ''})}"

    async def load_authorization_code(self, _client: object, authorization_code: str):
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(self, client: OAuthClientInformationFull, code: AuthorizationCode):
        self.log.append("exchange")
        del self.codes[code.code]
        return self._token(client, code.scopes)

    async def load_refresh_token(self, _client: object, refresh_token: str):
        return self.renewals.get(refresh_token)

    async def exchange_refresh_token(self, client: OAuthClientInformationFull, token: RefreshToken, scopes: list[str]):
        self.log.append("renew")
        return self._token(client, scopes)

    async def load_access_token(self, token: str):
        known = self.tokens.get(token)
        return known if known is not None and (known.expires_at or 0) > time.time() else None

    async def revoke_token(self, _token: object) -> None: ...

    def _token(self, client: OAuthClientInformationFull, scopes: list[str]) -> OAuthToken:
        access, renewal = f"access-{secrets.token_urlsafe(16)}", f"renew-{secrets.token_urlsafe(16)}"
        name = client.client_id or ""
        ends = int(time.time()) + LIVES_S
        self.tokens[access] = AccessToken(token=access, client_id=name, scopes=scopes, expires_at=ends)
        self.renewals[renewal] = RefreshToken(token=renewal, client_id=name, scopes=scopes)
        return OAuthToken(access_token=access, expires_in=LIVES_S, refresh_token=renewal)


def guarded(authority: AuthorizationServer):
    """What makes the proper server's application, which now wants to know who asks."""

    def app(port: int) -> object:
        here = f"http://127.0.0.1:{port}"
        settings = AuthSettings.model_validate(
            {
                "issuer_url": here,
                "resource_server_url": f"{here}/mcp",
                "client_registration_options": ClientRegistrationOptions(enabled=True),
                "validate_token_resource": False,
            }
        )
        return make(auth_server_provider=authority, auth=settings).streamable_http_app()

    return app
