"""As whom does Daedal ask a provider? Reading it, logging in and out; Codex's methods, with what it does not tell.

Codex knows two kinds of account that matter here: `apiKey`, and `chatgpt` for every login by OAuth, whoever issued it.
"""

from typing import Literal, Protocol

from msgspec import UNSET, Struct, UnsetType

from daedal.protocol.events import AccountLoginCompleted

LoginKind = Literal["chatgpt", "chatgptDeviceCode"]
"""In the browser, or with a code that is typed in elsewhere."""


class Account(Struct, rename="camel", frozen=True, kw_only=True):
    type: Literal["apiKey", "chatgpt"]
    email: str | UnsetType | None = UNSET
    """Of a login; no issuer has to tell."""
    plan_type: str | UnsetType = UNSET


class AccountSource(Struct, rename="camel", frozen=True, kw_only=True):
    """Where a credential can come from. Never the credential."""

    id: str
    name: str
    present: bool
    in_use: bool
    detail: str


class AccountReadParams(Struct, rename="camel", frozen=True, kw_only=True):
    refresh_token: bool = False
    """Renew the login first."""
    provider: str | None = None
    """Ours; the model's own where it is not given."""


class AccountReadResponse(Struct, rename="camel", frozen=True, kw_only=True):
    account: Account | None
    requires_openai_auth: bool = False
    provider: str
    """Ours, as are all that follow."""
    in_use: str | None
    """The id of the source that wins."""
    why: str
    """For a person, in a sentence."""
    sources: list[AccountSource]
    """The strongest first."""


class AccountLoginParams(Struct, rename="camel", frozen=True, kw_only=True):
    type: str
    """A `LoginKind`; Codex knows further ones, which hand over a secret, and they are refused."""
    provider: str | None = None


class AccountLoginResponse(Struct, rename="camel", frozen=True, kw_only=True, omit_defaults=True):
    type: LoginKind
    login_id: str
    auth_url: str | None = None
    """What the person opens in a browser."""
    user_code: str | None = None
    """What the person types in at `verification_url`."""
    verification_url: str | None = None


class AccountLoginCancelParams(Struct, rename="camel", frozen=True, kw_only=True):
    login_id: str


class AccountLoginCancelResponse(Struct, rename="camel", frozen=True, kw_only=True):
    status: Literal["canceled", "notFound"]


class AccountLogoutParams(Struct, rename="camel", frozen=True, kw_only=True):
    provider: str | None = None


class Accounts(Protocol):
    """Whoever keeps the logins of a house. Raises DaedalError."""

    async def read_account(self, params: AccountReadParams) -> AccountReadResponse: ...

    async def start_login(self, params: AccountLoginParams) -> AccountLoginResponse:
        """Comes back as soon as the person has something to do."""
        ...

    async def finish_login(self, login_id: str) -> AccountLoginCompleted:
        """Waits until the person has done it, or has not."""
        ...

    def cancel_login(self, login_id: str) -> bool:
        """Whether there was one to cancel."""
        ...

    async def log_out(self, params: AccountLogoutParams) -> str:
        """Says what could not be done elsewhere; it is forgotten here in any case."""
        ...
