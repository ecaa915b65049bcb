"""What may happen before a plan is approved? Looking, not touching."""

from msgspec import Struct

from daedal.protocol.verdict import Decision, Verdict

PLANNING = "planning"
HELD = frozenset(("Write", "Edit", "MultiEdit", "Bash", "NotebookEdit", "Move", "Delete", "Remember", "Forget"))
"""Built-in tools that change something."""


class Stage(Struct, frozen=True, kw_only=True):
    """How far the conversation's work has come; the thread puts a new one in its place when that changes."""

    phase: str = "idle"
    approved_plan: bool = False
    """There is an approved plan, so planning holds nothing back any more."""
    plan_window: bool = False
    """A person just approved a plan: until it is carried out, its calls need no further asking."""

    @property
    def holds(self) -> bool:
        return self.phase == PLANNING and not self.approved_plan


def planning_gate(tool: str, stage: Stage, *, is_trusted: bool) -> Decision | None:
    """The refusal, or None. `tool` is a canonical name; `is_trusted` counts for MCP tools alone."""
    if not stage.holds:
        return None
    if tool in HELD:
        return _refused(f"{tool} changes things, and no plan is approved yet")
    if tool.startswith("mcp__") and not is_trusted:
        return _refused(f"{tool} is not known to only read, and no plan is approved yet")
    return None


def _refused(why: str) -> Decision:
    reason = f"{why}: read and search, then present the plan with ExitPlanMode and wait for its approval"
    return Decision(verdict=Verdict.DENY, rule="phase:planning", reason=reason)
