"""What is a thread, and how is one started, resumed, read and listed?"""

from typing import Any

from msgspec import Raw, Struct

from daedal import __version__
from daedal.protocol.content import Image
from daedal.protocol.turns import Turn
from daedal.protocol.verdict import Posture


class ThreadStatus(Struct, rename="camel", frozen=True):
    type: str
    """`notLoaded`, `idle`, `active` or `systemError`."""
    active_flags: list[str] = []


class Thread(Struct, rename="camel", frozen=True, kw_only=True):
    id: str
    preview: str
    model_provider: str
    model: str
    cwd: str
    created_at: int
    updated_at: int
    status: ThreadStatus
    turns: list[Turn] = []
    session_id: str = ""
    """The same as the id: a thread is a session."""
    cli_version: str = __version__
    source: str = "appServer"
    ephemeral: bool = False
    name: str | None = None
    project_id: str | None = None
    forked_from_id: str | None = None
    parent_thread_id: str | None = None
    """The thread that a sub-agent works for."""
    held_by: "Holder | None" = None
    """The other process that drives it; told in lists, ours."""


class ThreadLimits(Struct, rename="camel", frozen=True, kw_only=True):
    """What a turn may use up before it is stopped. 0 or None means no limit."""

    max_turns: int | None = None
    """Model calls in one turn; None takes the setting."""
    max_budget_usd: float | None = None
    reserves: bool = False
    """A call is made only if the budget holds for the worst that it can cost; ours."""


class ToolServer(Struct, rename="camel", frozen=True, kw_only=True):
    """An MCP server that a driver runs for one thread of its own."""

    url: str
    headers: dict[str, str] = {}


class ThreadOptions(Struct, rename="camel", frozen=True, kw_only=True):
    """What `thread/start` and `thread/resume` have in common."""

    cwd: str | None = None
    model: str | None = None
    model_provider: str | None = None
    base_instructions: str | None = None
    approval_policy: Posture | None = None
    sandbox: str | None = None
    """`danger-full-access` takes the walls down, `read-only` lets nothing be written; None takes the settings."""
    planner_model: str | None = None
    """A model that plans each request first, in a session of its own; empty for none, None takes the settings. Ours."""
    effort: str | None = None
    """How hard the model thinks: one of `EFFORTS`; None takes the settings. Ours."""
    permission_mode: str | None = None
    """The rules' last line, as `defaultMode`; None takes the settings."""
    allow: list[str] = []
    """Further allow rules, for this thread."""
    deny: list[str] = []
    guard: str | None = None
    """`run` or `sync`: nobody watches, so the guard of unattended work judges too."""
    allow_destructive: bool = False
    """The guard lets `rm` and `mv` work inside the project; never under `sync`."""
    setup: str | None = None
    """`init` or `maintenance`: the user's Setup hooks run before the thread starts."""
    keep_tasks: bool = False
    """Commands in the background stay when the thread is let go."""
    limits: ThreadLimits = ThreadLimits()
    mcp_servers: dict[str, ToolServer] = {}
    """Servers by name that lend their tools to this thread alone; ours."""
    ephemeral: bool = False
    """For an errand of the client's own: it is put aside from the start. What it does is on the record as ever."""


class ThreadStartParams(ThreadOptions, rename="camel", frozen=True, kw_only=True):
    without_model: bool = False
    """A thread for tool calls by hand: no model is connected, and turns are refused."""
    beside: str | None = None
    """A thread in whose conversation, and so in whose phase and plan, this one begins afresh; ours."""


class ThreadResumeParams(ThreadOptions, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    without_model: bool = False
    exclude_turns: bool = False
    """Leave `thread.turns` of the answer empty."""
    follow: bool = False
    """Where another process drives the thread, watch it instead; ours. `following` in the answer then names it."""
    after: "Seen | None" = None
    """The last event that this client saw; ours. What came later is sent again, after the answer."""

    @classmethod
    def with_options(cls, thread_id: str, options: ThreadOptions, **more: Any) -> "ThreadResumeParams":
        """As a thread would have been started, with what both have in common."""
        shared = {name: getattr(options, name) for name in ThreadOptions.__struct_fields__}
        return cls(thread_id=thread_id, **shared, **more)


class Holder(Struct, rename="camel", frozen=True, kw_only=True):
    """The process that drives a thread."""

    pid: int | None = None
    """None where the system does not say."""


class Seen(Struct, rename="camel", frozen=True, kw_only=True):
    """A place in a thread's events. Numbers of another `stream` mean nothing: the server was another process."""

    stream: str
    sequence: int


class ThreadStartResponse(Struct, rename="camel", frozen=True, kw_only=True):
    thread: Thread
    model: str
    model_provider: str
    cwd: str
    approval_policy: str
    """In Codex's words; `posture` is what holds."""
    sandbox: dict[str, Any]
    instruction_sources: list[str] = []
    posture: Posture
    approvals_reviewer: str = "user"
    reasoning_effort: str | None = None
    permission_mode: str = "default"
    """The rules' last line; `plan` exactly while the phase is `planning`; ours."""
    phase: str = "idle"
    """Of the conversation; ours."""
    notices: list[str] = []
    """What the person should hear about it, since it is not as they might think; ours."""
    seen: Seen | None = None
    """Where the thread's events are as of this answer; ours."""
    following: Holder | None = None
    """Who drives the thread, where it is only watched here; ours."""
    replayed: bool = False
    """The events after `after` follow; where they are not kept any more, `thread.turns` has their outcome; ours."""


class ThreadReadParams(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    include_turns: bool = False


class ThreadReadResponse(Struct, rename="camel", frozen=True, kw_only=True):
    thread: Thread


class ThreadListParams(Struct, rename="camel", frozen=True, kw_only=True):
    limit: int | None = None
    cwd: str | list[str] | None = None
    cursor: str | None = None
    archived: bool | None = None
    search_term: str | None = None
    model_providers: list[str] | None = None


class ThreadListResponse(Struct, rename="camel", frozen=True, kw_only=True):
    data: list[Thread]
    next_cursor: str | None = None


class ToolCallParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`thread/toolCall`, ours: one tool call by the person, through the same gate and into the same transcript."""

    thread_id: str
    tool: str
    input: dict[str, Any]


class ToolCallResponse(Struct, rename="camel", frozen=True, kw_only=True):
    tool_use_id: str
    content: str
    is_error: bool
    images: list[Image] = []
    """What belongs to the result beside its text."""
    exit_code: int | None = None
    """How a command ended."""


class ToolListParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`tool/list`, ours: what `thread/toolCall` can call in a thread."""

    thread_id: str


class ListedTool(Struct, rename="camel", frozen=True, kw_only=True):
    name: str
    description: str
    """As a model reads it."""
    input_schema: Raw
    """JSON Schema."""
    read_only: bool
    is_deferred: bool
    """A model is told only its name, until it looks the tool up."""
    source: str
    """`built-in`, or the MCP server that lends it."""


class ToolListResponse(Struct, rename="camel", frozen=True, kw_only=True):
    data: list[ListedTool]
