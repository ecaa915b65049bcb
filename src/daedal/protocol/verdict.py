"""What does the gate answer when a turn wants to touch something?"""

from enum import StrEnum, auto
from typing import Any

from msgspec import Struct


class Verdict(StrEnum):  # declared mildest first
    ALLOW = auto()
    ASK = auto()
    DENY = auto()


class Posture(StrEnum):
    """How asks are answered when nobody is asked; the value of `--approval`."""

    ASK = auto()
    AUTO = auto()
    YOLO = auto()
    NEVER = auto()


class ToolRequest(Struct, frozen=True, kw_only=True):
    """One tool call as the gate judges it."""

    tool_use_id: str
    tool: str
    input: dict[str, Any]
    read_only: bool
    paths: list[str]
    """Absolute, symlink-free paths that the call names; empty where the tool cannot tell (a shell command)."""
    cwd: str
    """Where it would run; the same words elsewhere are another call."""
    is_confined: bool = False
    """Whether walls that really stand hold the effect inside what it may touch."""
    is_own: bool = False
    """The person typed it themselves: what would be asked is answered by that."""
    principal: str
    """On whose behalf, as `person:ada`, `driver:delivery`, `peer:bob` or `subagent:review`."""


class Decision(Struct, frozen=True, kw_only=True):
    verdict: Verdict
    rule: str
    """The rule that decided, shown to the person."""
    reason: str
    """What the model or the person can do about it."""
    is_fallback: bool = False
    """No rule spoke: the posture may lift an ask, and without a person it is allowed where walls stand."""
    is_firm: bool = False
    """Only a person may answer this ask; no posture and no hook does."""


class Ruling(Struct, frozen=True, kw_only=True):
    """The gate's last word on a call, with how it came about. One row of `tool_permission_log`."""

    decision: Decision
    asked: bool = False
    by_default: bool = False
    """Nobody answered within the deadline (or nobody could be asked), so the default did."""
    input: dict[str, Any] | None = None
    """What the call became on its way through the gate, where a hook or the person changed it."""
    context: list[str] = []
    """What hooks want the model to know with the result."""
    said: str = ""
    """What the person wants the model to know beside their yes."""
    mode: str | None = None
    """In which permission mode the person wants it to go on from here."""
    may_retry: bool = False
    """A hook said that the model may try a refused call again."""

    @property
    def allowed(self) -> bool:
        return self.decision.verdict is Verdict.ALLOW
