"""What is a thread, and how is one started, resumed, read and listed?"""

from typing import Any

from msgspec import Struct

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


class ThreadLimits(Struct, rename="camel", frozen=True, kw_only=True):
    """What a turn may use up before it is stopped. 0 or None means no limit."""

    max_turns: int | None = None
    """Model calls in one turn; None takes the setting."""
    max_budget_usd: float | None = None


class ThreadOptions(Struct, rename="camel", frozen=True, kw_only=True):
    """What `thread/start` and `thread/resume` have in common."""

    cwd: str | None = None
    model: str | None = None
    model_provider: str | None = None
    base_instructions: str | None = None
    approval_policy: Posture | None = None
    sandbox: str | None = None
    """`danger-full-access` takes the walls down; None takes the settings."""
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


class ThreadStartParams(ThreadOptions, rename="camel", frozen=True, kw_only=True):
    without_model: bool = False
    """A thread for tool calls by hand: no model is connected, and turns are refused."""


class ThreadResumeParams(ThreadOptions, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    without_model: bool = False


class ThreadStartResponse(Struct, rename="camel", frozen=True, kw_only=True):
    thread: Thread
    model: str
    model_provider: str
    cwd: str
    approval_policy: Posture
    sandbox: dict[str, Any]
    instruction_sources: list[str] = []


class ThreadReadParams(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    include_turns: bool = False


class ThreadReadResponse(Struct, rename="camel", frozen=True, kw_only=True):
    thread: Thread


class ThreadListParams(Struct, rename="camel", frozen=True, kw_only=True):
    limit: int | None = None
    cwd: str | None = None


class ThreadListResponse(Struct, rename="camel", frozen=True, kw_only=True):
    data: list[Thread]


class ToolCallParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`thread/toolCall`, ours: one tool call by the person, through the same gate and into the same transcript."""

    thread_id: str
    tool: str
    input: dict[str, Any]


class ToolCallResponse(Struct, rename="camel", frozen=True, kw_only=True):
    tool_use_id: str
    content: str
    is_error: bool
