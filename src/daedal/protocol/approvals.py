"""How does an engine ask before it acts? A request to the client with a deadline, and an answer."""

from enum import StrEnum
from typing import Any, Literal

from msgspec import Struct

from daedal.protocol.items import Change

Scope = Literal["user", "project"]
EDITABLE = {"Bash": "command", "ExitPlanMode": "plan"}
"""What a person may put in other words before it is allowed, by tool."""


class ApprovalDecision(StrEnum):
    ACCEPT = "accept"
    ACCEPT_FOR_SESSION = "acceptForSession"
    ACCEPT_ALWAYS = "acceptAlways"
    """And write it down in the settings."""
    DECLINE = "decline"
    CANCEL = "cancel"
    """Decline, and stop the turn."""


class Offers(Struct, rename="camel", frozen=True, kw_only=True):
    """Rules that a person could grant instead of this one call, the narrowest first."""

    for_session: list[str] = []
    always: list[str] = []
    files: dict[str, str] = {}
    """Where an `always` is written down, by scope."""


class ApprovalRequest(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    turn_id: str
    item_id: str
    tool: str
    arguments: dict[str, Any]
    cwd: str
    rule: str
    """The rule that asks."""
    reason: str
    deadline_ms: int
    """When the default answer (decline) is taken, in milliseconds since the epoch."""
    offers: Offers = Offers()
    started_at_ms: int = 0
    kind: str = "command"
    command: str | None = None
    """The command line, where the call is one."""
    changes: list[Change] = []
    """What it would change in files, as far as that is known; ours."""
    is_confined: bool = False
    """Walls hold what it does inside what the thread may touch; ours."""
    is_editable: bool = False
    """The answer may bring another command or plan; ours."""
    principal: str = ""
    """On whose behalf, as `person:ada` or `subagent:review`; ours."""


class ApprovalAnswer(Struct, rename="camel", frozen=True, kw_only=True):
    decision: ApprovalDecision
    rule: str | None = None
    """Which of the offers is granted; None takes the narrowest."""
    message: str = ""
    """What the person wants the model to know, with a refusal above all."""
    scope: Scope = "user"
    """Whose settings an `acceptAlways` is written to; ours."""
    arguments: dict[str, Any] | None = None
    """The call as the person wants it instead: another command, another plan. What nobody may edit is left; ours."""
    mode: str | None = None
    """With a plan that is accepted: the permission mode in which it is carried out, `default` or `acceptEdits`; without
    one its calls need no asking until the turn ends; ours."""
    by_default: bool = False
    """Nobody was there to decide; the client answered for want of a person."""


APPROVAL_METHODS = {
    "Bash": "item/commandExecution/requestApproval",
    "Write": "item/fileChange/requestApproval",
    "Edit": "item/fileChange/requestApproval",
    "NotebookEdit": "item/fileChange/requestApproval",
    "Move": "item/fileChange/requestApproval",
}
APPROVAL_METHOD_OTHER = "item/tool/requestApproval"


def approval_method(tool: str) -> str:
    return APPROVAL_METHODS.get(tool, APPROVAL_METHOD_OTHER)
