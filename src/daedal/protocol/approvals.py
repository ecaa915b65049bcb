"""How does an engine ask before it acts? A request to the client with a deadline, and an answer."""

from enum import StrEnum
from typing import Any

from msgspec import Struct


class ApprovalDecision(StrEnum):
    ACCEPT = "accept"
    ACCEPT_FOR_SESSION = "acceptForSession"
    ACCEPT_ALWAYS = "acceptAlways"
    """And write it down in the user's settings."""
    DECLINE = "decline"
    CANCEL = "cancel"
    """Decline, and stop the turn."""


class Offers(Struct, rename="camel", frozen=True, kw_only=True):
    """Rules that a person could grant instead of this one call, the narrowest first."""

    for_session: list[str] = []
    always: list[str] = []


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


class ApprovalAnswer(Struct, rename="camel", frozen=True, kw_only=True):
    decision: ApprovalDecision
    rule: str | None = None
    """Which of the offers is granted; None takes the narrowest."""
    message: str = ""
    """What the person wants the model to know, with a refusal above all."""
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
