"""How does a login end? It is forgotten here in any case, and revoked at the issuer where that can be reached."""

from daedal.protocol.errors import DaedalError
from daedal.providers.login.asking import Refused
from daedal.providers.login.fetching import Net
from daedal.providers.login.lock import locked
from daedal.providers.login.store import LoginStore
from daedal.providers.login.tokens import Tokens


async def log_out(provider: str, store: LoginStore, net: Net) -> tuple[bool, str]:
    """Whether there was a login, and why the issuer does not know of its end, where it does not. Raises DaedalError."""
    async with locked(store.folder):
        try:
            tokens = store.read(provider)
        except DaedalError:
            tokens = None  # What cannot be opened can still be thrown away.
        was_there = store.delete(provider)
    return was_there, "" if tokens is None else await _revoked(tokens, net)


async def _revoked(tokens: Tokens, net: Net) -> str:
    """RFC 7009: with the refresh token all that came from it ends. Says what went wrong."""
    issuer = tokens.issuer
    if not issuer.revocation_endpoint:
        return ""
    hint = "refresh_token" if tokens.renewal else "access_token"
    form = {"token": tokens.renewal or tokens.access, "token_type_hint": hint, "client_id": tokens.client_id}
    try:
        answer = await net.post(issuer.revocation_endpoint, form, source=issuer.name)
    except (DaedalError, Refused) as trouble:
        return str(trouble)
    return "" if answer.status == 200 else f"HTTP {answer.status}"
