"""Which events are there, what is a hook told about each, and what may it do about it? All 27, in union order.

The order of `POINTS` and of the fields is that of the specification's union; `tests/checks/hook_order.py` compares.
A field that may be missing defaults to None and is then left out of the JSON.
"""

from enum import Enum, auto
from typing import Any, Literal

from msgspec import Struct, field

from daedal.protocol.hooks import HookEvent

TIMEOUT_MS = 600_000
SESSION_END_TIMEOUT_MS = 1_500


class Common(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What every hook is told."""

    hook_event_name: str
    session_id: str
    conversation_id: str
    runtime_db_path: str
    cwd: str
    permission_mode: str | None = None


class Stdin(Common, frozen=True, kw_only=True):
    """The same with the sub-agent that it happens in, if it does. (Events about sub-agents always name one.)"""

    agent_id: str | None = None
    agent_type: str | None = None


class PreToolUse(Stdin, frozen=True, kw_only=True):
    tool_name: str
    tool_input: Any
    tool_use_id: str


class PostToolUse(Stdin, frozen=True, kw_only=True):
    tool_name: str
    tool_input: Any
    tool_response: Any
    tool_use_id: str


class PostToolUseFailure(Stdin, frozen=True, kw_only=True):
    tool_name: str
    tool_input: Any
    tool_use_id: str
    error: str
    is_interrupt: bool | None = None


class PermissionDenied(Stdin, frozen=True, kw_only=True):
    tool_name: str
    tool_input: Any
    tool_use_id: str
    reason: str


class Notification(Stdin, frozen=True, kw_only=True):
    message: str
    title: str | None = None
    notification_type: str


class UserPromptSubmit(Stdin, frozen=True, kw_only=True):
    prompt: str


class SessionStart(Stdin, frozen=True, kw_only=True):
    source: Literal["startup", "resume", "clear", "compact"]
    agent_type: str | None = None
    model: str | None = None


class SessionEnd(Stdin, frozen=True, kw_only=True):
    reason: Literal["clear", "resume", "logout", "prompt_input_exit", "other", "bypass_permissions_disabled"]


class Stop(Stdin, frozen=True, kw_only=True):
    stop_hook_active: bool
    last_assistant_message: str | None = None


class StopFailure(Stdin, frozen=True, kw_only=True):
    error: Literal[
        "authentication_failed",
        "billing_error",
        "rate_limit",
        "invalid_request",
        "server_error",
        "unknown",
        "max_output_tokens",
    ]
    error_details: str | None = None
    last_assistant_message: str | None = None


class SubagentStart(Common, frozen=True, kw_only=True):
    agent_id: str
    agent_type: str


class SubagentStop(Common, frozen=True, kw_only=True):
    stop_hook_active: bool
    agent_id: str
    agent_transcript_path: str = field(default_factory=str)
    """Always sent, always empty: the transcript is in the ledger. (A made default is not left out of the JSON.)"""
    agent_type: str
    last_assistant_message: str | None = None


class PreCompact(Stdin, frozen=True, kw_only=True):
    trigger: Literal["manual", "auto"]
    custom_instructions: str | None
    """Sent as null where there are none."""


class PostCompact(Stdin, frozen=True, kw_only=True):
    trigger: Literal["manual", "auto"]
    compact_summary: str


class PermissionRequest(Stdin, frozen=True, kw_only=True):
    tool_name: str
    tool_input: Any
    permission_suggestions: list[dict[str, Any]] | None = None


class Setup(Stdin, frozen=True, kw_only=True):
    trigger: Literal["init", "maintenance"]


class TeammateIdle(Stdin, frozen=True, kw_only=True):
    teammate_name: str
    team_name: str


class TaskCreated(Stdin, frozen=True, kw_only=True):
    task_id: str
    task_subject: str
    task_description: str | None = None
    teammate_name: str | None = None
    team_name: str | None = None


class TaskCompleted(TaskCreated, frozen=True, kw_only=True):
    pass


class Elicitation(Stdin, frozen=True, kw_only=True):
    mcp_server_name: str
    message: str
    mode: Literal["form", "url"] | None = None
    url: str | None = None
    elicitation_id: str | None = None
    requested_schema: dict[str, Any] | None = None


class ElicitationResult(Stdin, frozen=True, kw_only=True):
    mcp_server_name: str
    elicitation_id: str | None = None
    mode: Literal["form", "url"] | None = None
    action: Literal["accept", "decline", "cancel"]
    content: dict[str, Any] | None = None


class ConfigChange(Stdin, frozen=True, kw_only=True):
    source: Literal["user_settings", "project_settings", "local_settings", "policy_settings", "skills"]
    file_path: str | None = None


class InstructionsLoaded(Stdin, frozen=True, kw_only=True):
    file_path: str
    memory_type: Literal["User", "Project", "Local", "Managed"]
    load_reason: Literal["session_start", "nested_traversal", "path_glob_match", "include", "compact"]
    globs: list[str] | None = None
    trigger_file_path: str | None = None
    parent_file_path: str | None = None


class WorktreeCreate(Stdin, frozen=True, kw_only=True):
    name: str


class WorktreeRemove(Stdin, frozen=True, kw_only=True):
    worktree_path: str


class CwdChanged(Stdin, frozen=True, kw_only=True):
    old_cwd: str
    new_cwd: str


class FileChanged(Stdin, frozen=True, kw_only=True):
    file_path: str
    event: Literal["change", "add", "unlink"]


class Objection(Enum):
    """What exit code 2 and `decision: block` do."""

    BLOCKS = auto()
    """What was about to happen does not happen."""
    ADVISES = auto()
    """It has happened; the model is told."""
    IS_NOTED = auto()
    """Nothing can be held up: it is a failure like any other."""


NO_QUERY = ""
"""Only hooks for anything (`""` or `*`) match."""


class Point(Struct, frozen=True):
    stdin: type[Common]
    query: str | None
    """The field that a matcher is compared with. None: the event has nothing to compare, and matchers are ignored."""
    objection: Objection = Objection.IS_NOTED
    timeout_ms: int = TIMEOUT_MS


POINTS: dict[HookEvent, Point] = {
    HookEvent.PRE_TOOL_USE: Point(PreToolUse, "tool_name", Objection.BLOCKS),
    HookEvent.POST_TOOL_USE: Point(PostToolUse, "tool_name", Objection.ADVISES),
    HookEvent.POST_TOOL_USE_FAILURE: Point(PostToolUseFailure, "tool_name", Objection.ADVISES),
    HookEvent.PERMISSION_DENIED: Point(PermissionDenied, "tool_name"),
    HookEvent.NOTIFICATION: Point(Notification, "notification_type"),
    HookEvent.USER_PROMPT_SUBMIT: Point(UserPromptSubmit, None, Objection.BLOCKS),
    HookEvent.SESSION_START: Point(SessionStart, "source"),
    HookEvent.SESSION_END: Point(SessionEnd, "reason", timeout_ms=SESSION_END_TIMEOUT_MS),
    HookEvent.STOP: Point(Stop, None, Objection.BLOCKS),
    HookEvent.STOP_FAILURE: Point(StopFailure, "error"),
    HookEvent.SUBAGENT_START: Point(SubagentStart, "agent_type"),
    HookEvent.SUBAGENT_STOP: Point(SubagentStop, "agent_type", Objection.BLOCKS),
    HookEvent.PRE_COMPACT: Point(PreCompact, "trigger", Objection.BLOCKS),
    HookEvent.POST_COMPACT: Point(PostCompact, "trigger"),
    HookEvent.PERMISSION_REQUEST: Point(PermissionRequest, "tool_name", Objection.BLOCKS),
    HookEvent.SETUP: Point(Setup, "trigger"),
    HookEvent.TEAMMATE_IDLE: Point(TeammateIdle, NO_QUERY, Objection.BLOCKS),
    HookEvent.TASK_CREATED: Point(TaskCreated, NO_QUERY, Objection.BLOCKS),
    HookEvent.TASK_COMPLETED: Point(TaskCompleted, NO_QUERY, Objection.BLOCKS),
    HookEvent.ELICITATION: Point(Elicitation, "mcp_server_name", Objection.BLOCKS),
    HookEvent.ELICITATION_RESULT: Point(ElicitationResult, "mcp_server_name", Objection.BLOCKS),
    HookEvent.CONFIG_CHANGE: Point(ConfigChange, "source", Objection.BLOCKS),
    HookEvent.INSTRUCTIONS_LOADED: Point(InstructionsLoaded, "load_reason"),
    HookEvent.WORKTREE_CREATE: Point(WorktreeCreate, None, Objection.BLOCKS),
    HookEvent.WORKTREE_REMOVE: Point(WorktreeRemove, None),
    HookEvent.CWD_CHANGED: Point(CwdChanged, None),
    HookEvent.FILE_CHANGED: Point(FileChanged, "file_path"),
}

TIMEOUT_BLOCKS = frozenset({HookEvent.PRE_TOOL_USE, HookEvent.USER_PROMPT_SUBMIT})
"""A hook that does not answer in time counts as one that blocked; elsewhere time running out is a failure."""

SKIPS_AFTER_BLOCK = frozenset({HookEvent.PRE_TOOL_USE})
"""Once a call is denied, later hooks are not asked. A prompt's hooks all run: a person reads all objections at once."""
