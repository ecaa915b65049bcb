"""What does a turn consist of, as faces see it? Items, in the vocabulary of the Codex app-server."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct


class ItemStatus(StrEnum):
    IN_PROGRESS = "inProgress"
    COMPLETED = "completed"
    FAILED = "failed"
    DECLINED = "declined"


class UserInput(Struct, tag_field="type", tag="text", rename="camel", frozen=True):
    text: str
    is_literal: bool = False
    """Material, not words of the person: nothing in it is a command or a reference; ours."""


class ImageInput(Struct, tag_field="type", tag="image", rename="camel", frozen=True, kw_only=True):
    url: str
    """A `data:` address with the image itself."""
    name: str | None = None
    """How its file was called; ours."""
    detail: str | None = None


class LocalImageInput(Struct, tag_field="type", tag="localImage", rename="camel", frozen=True, kw_only=True):
    """An image by its path. What is on the record is the image as it was then."""

    path: str
    detail: str | None = None


class MentionInput(Struct, tag_field="type", tag="mention", rename="camel", frozen=True, kw_only=True):
    """A file or folder, as `@path` in the words."""

    name: str
    path: str


class SkillInput(Struct, tag_field="type", tag="skill", rename="camel", frozen=True, kw_only=True):
    """A skill to be used, as `/name` in the words."""

    name: str
    path: str = ""


Given = UserInput | ImageInput | LocalImageInput | MentionInput | SkillInput
"""Whatever a person gives a model."""


class UserMessage(Struct, tag_field="type", tag="userMessage", rename="camel", frozen=True, kw_only=True):
    id: str
    content: Sequence[Given]


class AgentMessage(Struct, tag_field="type", tag="agentMessage", rename="camel", frozen=True, kw_only=True):
    id: str
    text: str


class Reasoning(Struct, tag_field="type", tag="reasoning", rename="camel", frozen=True, kw_only=True):
    id: str
    summary: list[str]
    content: list[str]


USER_SHELL = "userShell"
"""The `source` of a command that a person typed."""


class CommandExecution(Struct, tag_field="type", tag="commandExecution", rename="camel", frozen=True, kw_only=True):
    id: str
    command: str
    cwd: str
    status: ItemStatus
    command_actions: list[dict[str, Any]] = []
    source: str = "agent"
    process_id: str | None = None
    aggregated_output: str | None = None
    exit_code: int | None = None
    duration_ms: int | None = None
    reason: str | None = None
    """Why it was declined, or failed; ours."""


class Change(Struct, rename="camel", frozen=True, kw_only=True):
    path: str
    kind: dict[str, Any]
    """`{"type": "add" | "delete" | "update"}`."""
    diff: str


class FileChange(Struct, tag_field="type", tag="fileChange", rename="camel", frozen=True, kw_only=True):
    id: str
    changes: list[Change]
    """When it was declined, and while it is not done yet: the path, with an empty diff. Where a person may be asked,
    it begins with what it would change."""
    status: ItemStatus
    tool: str = "Edit"
    """`Write` or `Edit`; ours."""
    reason: str | None = None
    """Why it was declined, or failed; ours."""


class ToolCall(Struct, tag_field="type", tag="dynamicToolCall", rename="camel", frozen=True, kw_only=True):
    """Any tool that is neither a command nor a file change."""

    id: str
    tool: str
    arguments: dict[str, Any]
    status: ItemStatus
    content_items: list[dict[str, Any]] | None = None
    success: bool | None = None
    duration_ms: int | None = None
    reason: str | None = None
    """Why it was declined, or failed; ours."""
    declined: bool = False
    """It failed because it was refused; ours. Codex has no status for that here."""


def was_declined(item: CommandExecution | FileChange | ToolCall) -> bool:
    return item.status is ItemStatus.DECLINED or (isinstance(item, ToolCall) and item.declined)


class PlanStep(Struct, rename="camel", frozen=True, kw_only=True):
    """One line of the model's list of what is to be done."""

    step: str
    status: str
    """`pending`, `inProgress` or `completed`."""
    active_form: str = ""
    """How it reads while it is being done; ours."""


class ReviewEntered(Struct, tag_field="type", tag="enteredReviewMode", rename="camel", frozen=True, kw_only=True):
    id: str
    review: str
    """What is reviewed."""


class ReviewExited(Struct, tag_field="type", tag="exitedReviewMode", rename="camel", frozen=True, kw_only=True):
    id: str
    review: str
    """What came of it."""


class ContextCompaction(Struct, tag_field="type", tag="contextCompaction", rename="camel", frozen=True, kw_only=True):
    id: str


Item = (
    UserMessage
    | AgentMessage
    | Reasoning
    | CommandExecution
    | FileChange
    | ToolCall
    | ReviewEntered
    | ReviewExited
    | ContextCompaction
)
