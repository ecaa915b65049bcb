"""What can a face change in the house, beside its threads? Settings, rules, trust, memories, servers; and look it over.

All of this is ours. Whoever agrees to something names what they saw: if that is something else by now, it is refused.
"""

from typing import Any, Literal, Protocol

from msgspec import Struct

from daedal.protocol.events import McpLoginCompleted
from daedal.protocol.inventory import FolderParams

Scope = Literal["user", "project"]
RuleScope = Literal["session", "user", "project"]
RuleList = Literal["deny", "ask", "allow"]


class SettingWriteParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`setting/write`."""

    key: str
    value: str | None = None
    """As TOML, or as a bare word; None takes the setting out of the file."""
    scope: Scope = "user"
    cwd: str | None = None


class SettingWriteResponse(Struct, rename="camel", frozen=True, kw_only=True):
    key: str
    value: Any
    """As the file says it now; None where it says nothing any more."""
    file: str


class RuleWriteParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`permission/write`: adds or removes one rule."""

    list: RuleList
    rule: str
    scope: RuleScope = "user"
    remove: bool = False
    thread_id: str | None = None
    """The thread of a rule for the session. The others count at once in all threads."""
    cwd: str | None = None


class RuleWriteResponse(Struct, rename="camel", frozen=True, kw_only=True):
    rule: str
    """As it is written down."""
    changed: bool
    file: str | None
    """None where it holds for the session alone."""


class RuleWhyParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`permission/why`."""

    call: str
    """`Bash(git push)`, or a tool's name."""
    input: str | None = None
    """With a tool's name: its input as a JSON object."""
    thread_id: str | None = None
    cwd: str | None = None


class RuleStep(Struct, rename="camel", frozen=True, kw_only=True):
    stage: str
    decision: str | None = None
    """None where the stage has nothing to say."""
    rule: str | None = None
    reason: str | None = None


class RuleWhyResponse(Struct, rename="camel", frozen=True, kw_only=True):
    decision: str
    rule: str
    reason: str
    steps: list[RuleStep]
    rules: dict[str, list[str]]
    """Those that speak about the call, by list."""


class TrustItem(Struct, rename="camel", frozen=True, kw_only=True):
    file: str
    text: str


class TrustState(Struct, rename="camel", frozen=True, kw_only=True):
    """What `trust/read` and `trust/write` answer."""

    folder: str
    state: Literal["nothing", "trusted", "changed", "untrusted"]
    items: list[TrustItem]
    """What trust puts into effect, in words."""
    files: dict[str, str]
    """What trust is keyed to: path from the folder → SHA-256."""
    obstacle: str = ""


class TrustWriteParams(Struct, rename="camel", frozen=True, kw_only=True):
    trusted: bool
    seen: dict[str, str] = {}
    """The `files` of the state that the person looked at."""
    cwd: str | None = None


class MemoryListParams(Struct, rename="camel", frozen=True, kw_only=True):
    query: str = ""
    cwd: str | None = None
    """Those that hold in this folder; None lists all."""
    limit: int = 50


class KeptMemory(Struct, rename="camel", frozen=True, kw_only=True):
    id: str
    title: str
    type: str
    content: str
    keywords: str
    project_scope: str | None
    """The project's folder; None holds everywhere."""
    updated_at: int


class MemoryListResponse(Struct, rename="camel", frozen=True, kw_only=True):
    data: list[KeptMemory]


class MemoryParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`memory/read`, `memory/forget`: the first characters of the id will do."""

    id: str


class MemoryWriteParams(Struct, rename="camel", frozen=True, kw_only=True):
    id: str
    title: str | None = None
    content: str | None = None


class UsageReadParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`thread/usage/read`."""

    thread_id: str


class ModelUsage(Struct, rename="camel", frozen=True, kw_only=True):
    provider: str
    model: str
    is_subagent: bool
    calls: int
    input_tokens: int
    """Those that had to be read anew."""
    cache_read_tokens: int
    cache_write_tokens: int
    output_tokens: int
    reasoning_tokens: int
    """Part of the output."""
    cost_usd: float | None
    """None where a price is not known."""


class UsageReadResponse(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    data: list[ModelUsage]
    subagents: int
    """How many worked for the thread."""


class Checkup(Struct, rename="camel", frozen=True, kw_only=True):
    name: str
    """The same in every language."""
    label: str
    """For people."""
    state: Literal["ok", "warning", "missing"]
    detail: str
    advice: str = ""


class DoctorResponse(Struct, rename="camel", frozen=True, kw_only=True):
    """`doctor/run`."""

    version: str
    checks: list[Checkup]


class ServerParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`mcpServer/changes`, `mcpServer/reconnect`, `mcpServer/oauth/login`: one MCP server, by its short name."""

    name: str


class ServerChange(Struct, rename="camel", frozen=True, kw_only=True):
    tool: str
    is_new: bool
    diff: list[str]


class ServerChangesResponse(Struct, rename="camel", frozen=True, kw_only=True):
    """What is held back of a server."""

    data: list[ServerChange]
    digest: str
    """Names exactly this."""


class ServerAcceptParams(Struct, rename="camel", frozen=True, kw_only=True):
    name: str
    digest: str
    """Of the changes that the person looked at."""


class ServerAcceptResponse(Struct, rename="camel", frozen=True, kw_only=True):
    accepted: int


class ServerReconnectResponse(Struct, rename="camel", frozen=True, kw_only=True):
    state: str
    trouble: str = ""


class ServerLoginResponse(Struct, rename="camel", frozen=True, kw_only=True):
    authorization_url: str
    """Empty where the server asks nobody to log in."""


class Housekeeping(Protocol):
    """Whoever looks after the house. Raises DaedalError."""

    async def write_setting(self, params: SettingWriteParams) -> SettingWriteResponse: ...

    async def write_rule(self, params: RuleWriteParams) -> RuleWriteResponse: ...

    async def explain_call(self, params: RuleWhyParams) -> RuleWhyResponse: ...

    async def read_trust(self, params: FolderParams) -> TrustState: ...

    async def write_trust(self, params: TrustWriteParams) -> TrustState: ...

    async def list_memories(self, params: MemoryListParams) -> MemoryListResponse: ...

    async def read_memory(self, params: MemoryParams) -> KeptMemory: ...

    async def write_memory(self, params: MemoryWriteParams) -> KeptMemory: ...

    async def forget_memory(self, params: MemoryParams) -> KeptMemory: ...

    async def read_usage(self, params: UsageReadParams) -> UsageReadResponse: ...

    async def examine(self, params: FolderParams) -> DoctorResponse: ...

    async def server_changes(self, params: ServerParams) -> ServerChangesResponse: ...

    async def accept_changes(self, params: ServerAcceptParams) -> ServerAcceptResponse: ...

    async def reconnect(self, params: ServerParams) -> ServerReconnectResponse: ...

    async def start_server_login(self, params: ServerParams) -> ServerLoginResponse:
        """Comes back as soon as the person has something to do."""
        ...

    async def finish_server_login(self, name: str) -> McpLoginCompleted:
        """Waits until the person has done it, or has not."""
        ...
