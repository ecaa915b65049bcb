"""What can a hook be told, and what can a chain of hooks say? The 27 events, and the merged answer of one firing."""

from enum import StrEnum
from typing import Any

from msgspec import Struct

from daedal.protocol.records import HookRan
from daedal.protocol.verdict import Verdict


class HookEvent(StrEnum):
    """In the order of the stdin union."""

    PRE_TOOL_USE = "PreToolUse"
    POST_TOOL_USE = "PostToolUse"
    POST_TOOL_USE_FAILURE = "PostToolUseFailure"
    PERMISSION_DENIED = "PermissionDenied"
    NOTIFICATION = "Notification"
    USER_PROMPT_SUBMIT = "UserPromptSubmit"
    SESSION_START = "SessionStart"
    SESSION_END = "SessionEnd"
    STOP = "Stop"
    STOP_FAILURE = "StopFailure"
    SUBAGENT_START = "SubagentStart"
    SUBAGENT_STOP = "SubagentStop"
    PRE_COMPACT = "PreCompact"
    POST_COMPACT = "PostCompact"
    PERMISSION_REQUEST = "PermissionRequest"
    SETUP = "Setup"
    TEAMMATE_IDLE = "TeammateIdle"
    TASK_CREATED = "TaskCreated"
    TASK_COMPLETED = "TaskCompleted"
    ELICITATION = "Elicitation"
    ELICITATION_RESULT = "ElicitationResult"
    CONFIG_CHANGE = "ConfigChange"
    INSTRUCTIONS_LOADED = "InstructionsLoaded"
    WORKTREE_CREATE = "WorktreeCreate"
    WORKTREE_REMOVE = "WorktreeRemove"
    CWD_CHANGED = "CwdChanged"
    FILE_CHANGED = "FileChanged"


class HookScene(Struct, frozen=True, kw_only=True):
    """Where something happens: the fields that every hook is told."""

    session_id: str
    conversation_id: str
    cwd: str
    permission_mode: str | None = None
    agent_id: str | None = None
    agent_type: str | None = None
    turn_id: str = ""


class RequestAnswer(Struct, frozen=True, kw_only=True):
    """What a PermissionRequest hook answered in the person's place."""

    allow: bool
    message: str = ""
    interrupt: bool = False
    updated_input: dict[str, Any] | None = None
    updated_permissions: list[dict[str, Any]] = []
    """PermissionUpdate objects, validated."""


class HookAnswer(Struct, frozen=True, kw_only=True):
    """What a chain of hooks came to, merged in ordinal order. An empty chain gives the defaults."""

    permission: Verdict | None = None
    """PreToolUse: deny over ask over allow; None where no hook spoke."""
    is_blocked: bool = False
    """A hook denied or blocked: exit 2, a timeout where that blocks, or `decision: block`."""
    message: str = ""
    """Why it was denied or blocked; after a tool ran, the feedback for the model."""
    updated_input: dict[str, Any] | None = None
    additional_context: list[str] = []
    initial_user_message: str | None = None
    watch_paths: list[str] = []
    retry: bool = False
    """PermissionDenied: the model may try again."""
    stop: str | None = None
    """`continue: false`: the turn ends, for this reason (may be empty)."""
    system_messages: list[str] = []
    """For the person."""
    updated_output: Any = None
    """PostToolUse: what the model sees of an MCP tool's output instead."""
    request: RequestAnswer | None = None
    elicitation: dict[str, Any] | None = None
    """`action` and `content`, where a hook answered an elicitation."""
    worktree_path: str | None = None
    broken: list[str] = []
    """One line per hook that could not run or said nonsense: it did not deny, and is told apart from one that did."""
    runs: list[HookRan] = []
    """Every invocation and every skip, for the record."""
