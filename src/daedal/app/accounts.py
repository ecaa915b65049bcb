"""Who is logged in where, and how does that change? For `daedal auth` and for every face, from the same sources."""

import asyncio
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from daedal.app.access import ANTHROPIC_CLASS, sources_of
from daedal.app.credentials import Credentials
from daedal.app.settings import Settings
from daedal.app.sources import Source
from daedal.protocol.accounts import (
    Account,
    AccountLoginCompleted,
    AccountLoginParams,
    AccountLoginResponse,
    AccountLogoutParams,
    AccountReadParams,
    AccountReadResponse,
    AccountSource,
)
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError, DaedalError
from daedal.providers import (
    DeviceCode,
    LoginSettings,
    LoginStore,
    Net,
    Tokens,
    endpoint_of,
    locked,
    log_in_by_browser,
    log_in_by_device,
    log_out,
)

if TYPE_CHECKING:
    from daedal.app.startup import Startup

UNDER_WAY_MAX = 8
KEYS = ("api_key_env", "helper", "saved", "env")


class HouseAccounts:
    """The `Accounts` of one house."""

    def __init__(
        self,
        settings: Settings,
        credentials: Credentials,
        *,
        vouched: Mapping[str, str],
        root: str | None,
        default_provider: str | None = None,
    ) -> None:
        self._settings = settings
        self._credentials = credentials
        self._vouched = vouched
        self._root = root
        self._default = default_provider or ANTHROPIC_CLASS
        self._under_way: dict[str, asyncio.Task[None]] = {}

    @classmethod
    def of(cls, startup: "Startup") -> "HouseAccounts":
        return cls(
            startup.settings,
            startup.credentials,
            vouched=startup.effective.vouched,
            root=startup.files.root,
            default_provider=startup.model.provider if startup.model else None,
        )

    async def read_account(self, params: AccountReadParams) -> AccountReadResponse:
        provider = params.provider or self._default
        sources = self._sources(provider)
        winner = next((source for source in sources if source.is_present()), None)
        if params.refresh_token and winner is not None and (grant := await winner.grant()) is not None:
            await winner.renew(grant)
        return AccountReadResponse(
            account=_account(winner),
            provider=provider,
            in_use=winner.id if winner else None,
            why=_why(provider, sources, winner, is_bare=self._credentials.is_bare),
            sources=[
                AccountSource(
                    id=source.id,
                    name=source.name,
                    present=source.is_present(),
                    in_use=source is winner,
                    detail=source.detail(),
                )
                for source in sources
            ],
        )

    async def start_login(self, params: AccountLoginParams) -> AccountLoginResponse:
        if params.type not in ("chatgpt", "chatgptDeviceCode"):
            raise ConfigurationError(say("app.account.other_kind", kind=params.type))
        login = self.login_settings(params.provider)
        if len(self._under_way) >= UNDER_WAY_MAX:
            raise ConfigurationError(say("app.account.too_many", count=UNDER_WAY_MAX))
        login_id = os.urandom(8).hex()
        shown: asyncio.Future[AccountLoginResponse] = asyncio.get_running_loop().create_future()

        def show_address(address: str) -> None:
            shown.set_result(AccountLoginResponse(type="chatgpt", login_id=login_id, auth_url=address))

        def show_code(code: DeviceCode) -> None:
            told = AccountLoginResponse(
                type="chatgptDeviceCode",
                login_id=login_id,
                user_code=code.user_code,
                verification_url=code.complete_url or code.verification_url,
            )
            shown.set_result(told)

        store = LoginStore()
        net = self.net()

        async def work() -> None:
            if params.type == "chatgpt":
                tokens = await log_in_by_browser(login, net, show=show_address)
            else:
                tokens = await log_in_by_device(login, net, show=show_code)
            await self.keep(login.provider, tokens, store)

        await asyncio.to_thread(store.prepare, login.provider)
        task = self._under_way[login_id] = asyncio.create_task(work())
        try:
            await asyncio.wait([task, shown], return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            # Whoever asked has left, and nobody will ask how it ended.
            task.cancel()
            del self._under_way[login_id]
            raise
        if not shown.done():
            shown.cancel()
            del self._under_way[login_id]
            task.result()  # raises why nobody can be sent anywhere
        return shown.result()

    async def finish_login(self, login_id: str) -> AccountLoginCompleted:
        task = self._under_way.get(login_id)
        if task is None:
            return AccountLoginCompleted(login_id=login_id, success=False, error=say("app.account.no_such_login"))
        try:
            await asyncio.shield(task)
        except DaedalError as trouble:
            return AccountLoginCompleted(login_id=login_id, success=False, error=str(trouble))
        except asyncio.CancelledError:
            if not task.cancelled():
                task.cancel()  # The house closes, and nobody is left to hear of it.
                raise
            return AccountLoginCompleted(login_id=login_id, success=False, error=say("app.account.cancelled"))
        finally:
            self._under_way.pop(login_id, None)
        return AccountLoginCompleted(login_id=login_id, success=True)

    def cancel_login(self, login_id: str) -> bool:
        task = self._under_way.get(login_id)
        return task is not None and task.cancel()

    async def log_out(self, params: AccountLogoutParams) -> str:
        provider = params.provider or self._default
        endpoint_of(provider, self._settings.providers)
        _, trouble = await log_out(provider, LoginStore(), self.net())
        return trouble

    def login_settings(self, provider: str | None) -> LoginSettings:
        """Where to log in. Raises ConfigurationError."""
        name = provider or self._default
        endpoint_of(name, self._settings.providers)
        for login in self._settings.logins:
            if login.provider == name:
                return login
        raise ConfigurationError(say("app.account.no_issuer", provider=name))

    async def keep(self, provider: str, tokens: Tokens, store: LoginStore) -> None:
        """What was obtained is known where it must not go before it is anywhere at all."""
        for secret in tokens.secrets():
            self._credentials.learn("login", secret)
        async with locked(store.folder):
            # Again, because somebody may have logged out in between, and the key goes with the last login.
            await asyncio.to_thread(store.prepare, provider)
            store.write(provider, tokens)

    def net(self) -> Net:
        return Net(self._settings.network, self._credentials.environment())

    def _sources(self, provider: str) -> list[Source]:
        endpoint = endpoint_of(provider, self._settings.providers)
        found = sources_of(endpoint, self._settings, self._credentials, vouched=self._vouched, root=self._root)
        return list(found)


def _account(winner: Source | None) -> Account | None:
    if winner is None:
        return None
    return Account(type="apiKey") if winner.id in KEYS else Account(type="chatgpt", email=None, plan_type="unknown")


def _why(provider: str, sources: list[Source], winner: Source | None, *, is_bare: bool) -> str:
    if winner is None:
        return say("app.account.why_bare" if is_bare else "app.account.why_none", provider=provider)
    weaker = [source.name for source in sources[sources.index(winner) + 1 :] if source.is_present()]
    if not weaker:
        return say("app.account.why_only", provider=provider, winner=winner.name)
    return say("app.account.why_first", provider=provider, winner=winner.name, weaker=", ".join(weaker))
