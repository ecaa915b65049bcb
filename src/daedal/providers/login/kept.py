"""How does a login last? Its token is renewed before it ends and after it was refused, once for all who use it.

Whoever renews holds the lock over all processes and looks first whether somebody else has just done it. What the
issuer answers is on the disk before anybody uses it; and a turn that is cancelled in between does not take the renewal
with it, because the old refresh token may already be worth nothing.
"""

import asyncio
import os
from collections.abc import Callable

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ProviderError
from daedal.protocol.turns import ErrorKind
from daedal.providers.login.asking import Refused, ask
from daedal.providers.login.fetching import Net
from daedal.providers.login.lock import locked
from daedal.providers.login.store import LoginStore
from daedal.providers.login.tokens import Tokens, renewed

Learn = Callable[[str, str], None]


class KeptLogin:
    """One provider's login, as a process uses it."""

    def __init__(self, provider: str, store: LoginStore, net: Net, learn: Learn) -> None:
        """`learn` is told every token before it is used or kept, so that it is known where it must not go."""
        self._provider = provider
        self._store = store
        self._net = net
        self._learn = learn
        self._tokens: Tokens | None = None
        self._seen: tuple[int, ...] | None = None
        self._renewing: asyncio.Task[Tokens] | None = None

    async def token(self) -> str | None:
        """A token that is good as far as can be told; None where nobody is logged in. Raises DaedalError."""
        tokens = await self._current()
        if tokens is None or not tokens.is_due():
            return tokens.access if tokens else None
        try:
            return (await self._renewed(tokens.access)).access
        except ProviderError as trouble:
            if trouble.kind is ErrorKind.AUTHENTICATION or tokens.is_over():
                raise
            return tokens.access  # Too early to worry: it is good for a little while.

    async def renew(self, refused: str) -> bool:
        """After a server refused a token. Whether there is another one now. Raises DaedalError."""
        if await self._current() is None:
            return False
        return (await self._renewed(refused)).access != refused

    async def close(self) -> None:
        """A renewal that is under way is brought to its end."""
        if self._renewing is not None and not self._renewing.done():
            await asyncio.wait([self._renewing])

    async def _current(self) -> Tokens | None:
        """What is kept, read again where another process changed it."""
        seen = self._look()
        if seen is None:
            self._tokens = self._seen = None
        elif seen != self._seen:
            self._hold(await asyncio.to_thread(self._store.read, self._provider))
            self._seen = seen
        return self._tokens

    def _hold(self, tokens: Tokens | None) -> None:
        for secret in tokens.secrets() if tokens else []:
            self._learn("login", secret)
        self._tokens = tokens

    def _look(self) -> tuple[int, ...] | None:
        try:
            found = os.stat(self._store.path(self._provider))
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    async def _renewed(self, stale: str) -> Tokens:
        if self._renewing is None or self._renewing.done():
            self._renewing = asyncio.create_task(self._renew(stale))
            self._renewing.add_done_callback(_seen)
        return await asyncio.shield(self._renewing)

    async def _renew(self, stale: str) -> Tokens:
        async with locked(self._store.folder):
            kept = await asyncio.to_thread(self._store.read, self._provider)
            if kept is None:
                raise ProviderError(say("providers.login.logged_out"), ErrorKind.AUTHENTICATION)
            if kept.access == stale or kept.is_over():
                kept = await self._exchanged(kept)
                self._hold(kept)
                self._store.write(self._provider, kept)
            self._hold(kept)
            self._seen = self._look()
            return kept

    async def _exchanged(self, kept: Tokens) -> Tokens:
        if not kept.renewal:
            raise ProviderError(say("providers.login.over", provider=self._provider), ErrorKind.AUTHENTICATION)
        form = {"grant_type": "refresh_token", "refresh_token": kept.renewal, "client_id": kept.client_id}
        try:
            said = await ask(self._net, kept.issuer.token_endpoint, form, issuer=kept.issuer.name)
        except Refused as refused:
            reason = refused.description.replace(kept.renewal, "…")
            message = say("providers.login.revoked", reason=reason, provider=self._provider)
            raise ProviderError(message, ErrorKind.AUTHENTICATION) from refused
        return renewed(kept, said)


def _seen(task: "asyncio.Task[Tokens]") -> None:
    """Whoever waited was told; where nobody waits any more, nobody needs to know."""
    if not task.cancelled():
        task.exception()
