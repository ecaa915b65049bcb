"""What is there for a thread in a folder? Skills, hooks, MCP servers, agents and rules, for faces that list them.

Names and shapes are Codex's where it has them, so that its own clients find what they ask for as they start.
"""

from typing import Annotated, Any

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

FOLDERS_MAX = 100
"""Each is looked through, file by file."""


class FoldersParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`skills/list`, `hooks/list`: for each of these folders, or for the server's own."""

    cwds: Annotated[list[str], Meta(max_length=FOLDERS_MAX)] | None = None


class FolderParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`agent/list`, `permission/list`, `trust/read`, `doctor/run`: ours, for one folder."""

    cwd: str | None = None
    thread_id: str | None = None
    """With `permission/list`: the rules as they are in this thread now."""


class ListedSkill(Struct, rename="camel", frozen=True, kw_only=True):
    name: str
    description: str
    path: str
    scope: str
    """`user` or `repo`."""
    enabled: bool = True
    argument_hint: str = ""
    """Ours."""
    runs_as_subagent: bool = False
    """Ours."""


class Problem(Struct, rename="camel", frozen=True, kw_only=True):
    message: str
    path: str


class FolderSkills(Struct, rename="camel", frozen=True, kw_only=True):
    cwd: str
    skills: list[ListedSkill]
    errors: list[Problem]


class SkillListResponse(Struct, rename="camel", frozen=True, kw_only=True):
    data: list[FolderSkills]


class ListedHook(Struct, rename="camel", frozen=True, kw_only=True):
    key: str
    event_name: str
    command: str
    display_order: int
    source: str
    source_path: str
    timeout_sec: int
    matcher: str | None = None
    handler_type: str = "command"
    is_managed: bool = False
    enabled: bool = True
    current_hash: str = ""
    trust_status: str = "trusted"
    """One that is not trusted is not in force, and so not here."""
    required: bool = False
    """Ours: where it cannot run, the call does not either."""


class FolderHooks(Struct, rename="camel", frozen=True, kw_only=True):
    cwd: str
    hooks: list[ListedHook]
    """Those at events that Codex has too."""
    further: list[ListedHook] = []
    """Ours: those at the others."""
    warnings: list[str] = []
    errors: list[Problem] = []


class HookListResponse(Struct, rename="camel", frozen=True, kw_only=True):
    data: list[FolderHooks]


class ServerStatusParams(Struct, rename="camel", frozen=True, kw_only=True):
    cursor: str | None = None
    limit: int | None = None


class ServerTool(Struct, rename="camel", frozen=True, kw_only=True):
    name: str
    input_schema: Raw
    description: str | UnsetType = UNSET


class ListedServer(Struct, rename="camel", frozen=True, kw_only=True):
    name: str
    auth_status: str
    runtime_status: str | None
    tools: dict[str, ServerTool]
    resources: list[Any] = []
    resource_templates: list[Any] = []
    transport: str
    """Ours, as what follows."""
    origin: str
    trouble: str = ""
    withheld: list[str] = []
    """Tools that are new or changed since somebody accepted them."""
    prompts: int = 0
    resource_count: int = 0


class ServerStatusResponse(Struct, rename="camel", frozen=True, kw_only=True):
    data: list[ListedServer]
    next_cursor: str | None = None


class ListedAgent(Struct, rename="camel", frozen=True, kw_only=True):
    name: str
    description: str
    source: str
    path: str
    model: str
    """Empty where that is the model of whoever asks."""
    tools: list[str] | None
    """None means all that its parent has."""


class AgentListResponse(Struct, rename="camel", frozen=True, kw_only=True):
    data: list[ListedAgent]
    problems: list[str] = []


class ListedRule(Struct, rename="camel", frozen=True, kw_only=True):
    list: str
    """`deny`, `ask` or `allow`."""
    rule: str
    origin: str
    invalid: str | None = None
    """Why it does not count."""


class RuleListResponse(Struct, rename="camel", frozen=True, kw_only=True):
    data: list[ListedRule]
    default_mode: str
    posture: str
    managed_only: bool


class ModeMask(Struct, frozen=True, kw_only=True):
    name: str
    mode: str
    model: str | None = None
    reasoning_effort: str | None = None


class ModeListResponse(Struct, rename="camel", frozen=True, kw_only=True):
    data: list[ModeMask]


class RequirementsResponse(Struct, rename="camel", frozen=True, kw_only=True):
    requirements: dict[str, Any] | None = None
    """What an administrator decided stands in `config/read`, with its origin; Codex's own kind is not known here."""


class MarketplacesResponse(Struct, rename="camel", frozen=True, kw_only=True):
    marketplaces: list[Any] = []
    """There are none: servers and skills come from files."""
