"""What can a client do about logins? Read, begin, cancel and end one; how a login ends is told to every client."""

from collections.abc import Awaitable, Callable
from typing import Any

from daedal.protocol.accounts import (
    AccountLoginCancelParams,
    AccountLoginCancelResponse,
    AccountLoginParams,
    AccountLoginResponse,
    AccountLogoutParams,
    AccountReadParams,
    AccountReadResponse,
    Accounts,
)
from daedal.protocol.catalogue import say
from daedal.protocol.events import AccountUpdated, Warned
from daedal.protocol.wire import Nothing
from daedal.server.roles import Caller


async def _read(accounts: Accounts, remote: Caller, params: AccountReadParams) -> AccountReadResponse:
    del remote
    return await accounts.read_account(params)


async def _start(accounts: Accounts, remote: Caller, params: AccountLoginParams) -> AccountLoginResponse:
    begun = await accounts.start_login(params)

    async def finish() -> None:
        completed = await accounts.finish_login(begun.login_id)
        remote.board.announce(completed)
        if completed.success:
            await _tell(accounts, remote, params.provider)

    remote.owned(finish())
    return begun


async def _cancel(accounts: Accounts, remote: Caller, params: AccountLoginCancelParams) -> AccountLoginCancelResponse:
    del remote
    return AccountLoginCancelResponse(status="canceled" if accounts.cancel_login(params.login_id) else "notFound")


async def _log_out(accounts: Accounts, remote: Caller, params: AccountLogoutParams) -> Nothing:
    trouble = await accounts.log_out(params)
    if trouble:
        remote.board.announce(Warned(message=say("app.account.not_revoked", reason=trouble)))
    remote.owned(_tell(accounts, remote, params.provider))  # after the answer, as Codex has it
    return Nothing()


async def _tell(accounts: Accounts, remote: Caller, provider: str | None) -> None:
    account = (await accounts.read_account(AccountReadParams(provider=provider))).account
    mode = None if account is None else "apikey" if account.type == "apiKey" else "chatgpt"
    remote.board.announce(AccountUpdated(auth_mode=mode))


ACCOUNT_METHODS: dict[str, tuple[type[Any], Callable[[Accounts, Caller, Any], Awaitable[Any]]]] = {
    "account/read": (AccountReadParams, _read),
    "account/login/start": (AccountLoginParams, _start),
    "account/login/cancel": (AccountLoginCancelParams, _cancel),
    "account/logout": (AccountLogoutParams, _log_out),
}
