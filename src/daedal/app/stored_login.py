"""What does a kept login supply? Its token, renewed in time; and for a person, where it is and how long it lasts."""

import time
from collections.abc import Callable, Mapping

from daedal.config import logins_path
from daedal.protocol.catalogue import say
from daedal.protocol.errors import DaedalError
from daedal.providers import Grant, KeptLogin, LoginStore, Net, NetworkSettings, has_login


class StoredLogin:
    id = "login"

    def __init__(
        self, provider: str, network: NetworkSettings, env: Mapping[str, str], learn: Callable[[str, str], None]
    ) -> None:
        self.name = say("app.source.login")
        self._provider = provider
        self._network = network
        self._env = env
        self._learn = learn
        self._kept: KeptLogin | None = None

    def is_present(self) -> bool:
        return has_login(self._provider, logins_path())

    def detail(self) -> str:
        if not self.is_present():
            return say("app.source.login_none", provider=self._provider)
        store = LoginStore()
        try:
            tokens, place = store.read(self._provider), store.place(self._provider)
        except DaedalError as trouble:
            return str(trouble)
        if tokens is None or place is None:
            return say("app.source.login_none", provider=self._provider)
        where = say(f"app.source.key_in_{place}")
        return say(
            "app.source.login_at",
            folder=logins_path(),
            issuer=tokens.issuer.name,
            ends=_ends(tokens.ends_at, tokens.renewal),
            where=where,
        )

    async def grant(self) -> Grant | None:
        if not self.is_present():
            return None
        token = await self._login().token()
        if token is None:
            return None
        advice = say("app.source.login_advice", provider=self._provider)
        return Grant(secret=token, travels="bearer", source=self.id, advice=advice)

    async def renew(self, refused: Grant) -> bool:
        return self.is_present() and await self._login().renew(refused.secret)

    async def close(self) -> None:
        if self._kept is not None:
            await self._kept.close()

    def _login(self) -> KeptLogin:
        if self._kept is None:
            self._kept = KeptLogin(self._provider, LoginStore(), Net(self._network, self._env), self._learn)
        return self._kept


def _ends(ends_at: float | None, renewal: str) -> str:
    """How long it lasts, in words."""
    if ends_at is None:
        return say("app.source.no_end")
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(ends_at))
    if ends_at > time.time():
        return say("app.source.ends_renewable" if renewal else "app.source.ends", when=when)
    return say("app.source.ended_renewable" if renewal else "app.source.ended", when=when)
