"""What may an engine be able to do beside what every engine does, and what else does a server for others need?"""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from daedal.protocol.accounts import Accounts
from daedal.protocol.by_hand import ShellCommandParams, ShellCommandResponse
from daedal.protocol.folding import ContextReadParams, ContextReadResponse, ThreadCompactParams
from daedal.protocol.housekeeping import Housekeeping
from daedal.protocol.inventory import (
    AgentListResponse,
    FolderParams,
    FoldersParams,
    HookListResponse,
    ModeListResponse,
    RuleListResponse,
    ServerStatusParams,
    ServerStatusResponse,
    SkillListResponse,
)
from daedal.protocol.item_pages import ItemListParams, ItemListResponse
from daedal.protocol.lookups import (
    ConfigReadParams,
    ConfigReadResponse,
    HookRunsResponse,
    ModelListParams,
    ModelListResponse,
    ReceiptsResponse,
    RecordParams,
    VerdictsResponse,
)
from daedal.protocol.papers import Papers
from daedal.protocol.repository import Repositories
from daedal.protocol.rewinding import RewindListParams, RewindListResponse, RewindParams, RewindResponse
from daedal.protocol.shelving import (
    LoadedListResponse,
    ThreadArchiveParams,
    ThreadForkParams,
    ThreadNameParams,
    TurnListParams,
    TurnListResponse,
)
from daedal.protocol.steering import TurnSteerParams, TurnSteerResponse
from daedal.protocol.threads import ThreadReadResponse, ThreadStartResponse
from daedal.protocol.wire import Envelope, Malformed


class Wire(Protocol):
    """A connection from outside. What is sent is queued and never waited for: the queue has a bound."""

    on_slow: Callable[[], None] | None
    """Told when the bound is reached and the client is let go."""

    def push(self, envelope: Envelope) -> None:
        """Raises ConnectionError when the other end is gone."""
        ...

    async def receive(self) -> Envelope | Malformed | None: ...

    def close(self) -> None: ...


@runtime_checkable
class Steering(Protocol):
    """An engine whose running turn takes further input."""

    async def steer_turn(self, params: TurnSteerParams) -> TurnSteerResponse: ...


@runtime_checkable
class Shelving(Protocol):
    """An engine whose threads can be copied, put aside and named."""

    async def fork_thread(self, params: ThreadForkParams) -> ThreadStartResponse: ...

    async def archive_thread(self, params: ThreadArchiveParams) -> None: ...

    async def unarchive_thread(self, params: ThreadArchiveParams) -> ThreadReadResponse: ...

    async def name_thread(self, params: ThreadNameParams) -> None: ...

    async def list_turns(self, params: TurnListParams) -> TurnListResponse: ...

    async def list_items(self, params: ItemListParams) -> ItemListResponse: ...

    async def loaded_threads(self) -> LoadedListResponse: ...


@runtime_checkable
class Compacting(Protocol):
    """An engine that can fold what a thread has said so far."""

    async def compact_thread(self, params: ThreadCompactParams) -> None: ...

    async def read_context(self, params: ContextReadParams) -> ContextReadResponse: ...


class Inventory(Protocol):
    """What is there for a thread: skills, hooks, servers, agents, rules."""

    async def list_skills(self, params: FoldersParams) -> SkillListResponse: ...

    async def list_hooks(self, params: FoldersParams) -> HookListResponse: ...

    async def list_servers(self, params: ServerStatusParams) -> ServerStatusResponse: ...

    async def list_agents(self, params: FolderParams) -> AgentListResponse: ...

    async def list_rules(self, params: FolderParams) -> RuleListResponse: ...

    async def list_modes(self) -> ModeListResponse: ...


@runtime_checkable
class Shelling(Protocol):
    """An engine in whose threads a person can run a command of their own."""

    async def run_shell_command(self, params: ShellCommandParams) -> ShellCommandResponse: ...


@runtime_checkable
class Rewinding(Protocol):
    """An engine whose threads can go back."""

    async def list_rewinds(self, params: RewindListParams) -> RewindListResponse: ...

    async def rewind_thread(self, params: RewindParams) -> RewindResponse: ...


class Lookups(Protocol):
    """What faces show beside threads: which models there are, what is set, what was decided."""

    @property
    def inventory(self) -> Inventory: ...

    @property
    def accounts(self) -> Accounts: ...

    @property
    def papers(self) -> Papers: ...

    @property
    def repositories(self) -> Repositories: ...

    @property
    def housekeeping(self) -> Housekeeping: ...

    async def list_models(self, params: ModelListParams) -> ModelListResponse: ...

    async def read_config(self, params: ConfigReadParams) -> ConfigReadResponse: ...

    async def list_verdicts(self, params: RecordParams) -> VerdictsResponse: ...

    async def list_hook_runs(self, params: RecordParams) -> HookRunsResponse: ...

    async def list_receipts(self, params: RecordParams) -> ReceiptsResponse: ...
