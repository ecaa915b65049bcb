"""What is given to a sub-agent? A task, a part to play, and of the parent's tools those that belong to it."""

from msgspec import Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import LeftTask, Tool, Toolbox

PERSONAL = frozenset(("Agent", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "Brief"))
"""What only the thread that a person talks to may do: ask, plan, speak up, and give out tasks."""


class Delegation(Struct, frozen=True, kw_only=True):
    type: str
    description: str
    """The task in a few words, for people."""
    prompt: str
    instructions: str = ""
    """The system prompt of the type; empty takes our own."""
    tools: list[str] | None = None
    """By name; None is all that the parent has."""
    disallowed: list[str] = []
    effort: str | None = None
    """How hard it thinks; None is as the parent does."""
    model: str | None = None
    """A model reference; None is the parent's."""
    max_turns: int | None = None
    plans_only: bool = False
    """Changes nothing, whatever the parent may."""
    place: str = ""
    """The call that gave the task."""
    is_within_provider: bool = False
    """The model was chosen by a model, which may not choose whom the user's words are sent to."""
    is_isolated: bool = False
    """Works in a worktree of its own."""


class Subset:
    """The `Toolbox` seam of a sub-agent."""

    def __init__(self, toolbox: Toolbox, delegation: Delegation) -> None:
        self._toolbox = toolbox
        self._delegation = delegation
        self._wanted = delegation.tools
        self._barred = PERSONAL.union(delegation.disallowed)

    def specs(self) -> list[ToolSpec]:
        return [spec for spec in self._toolbox.specs() if self._has(spec.name)]

    def get(self, name: str) -> Tool | None:
        return self._toolbox.get(name) if self._has(name) else None

    def over(self, toolbox: Toolbox) -> "Subset":
        """The same choice of other tools."""
        return Subset(toolbox, self._delegation)

    async def close(self) -> list[LeftTask]:
        return await self._toolbox.close()

    def _has(self, name: str) -> bool:
        if name in self._barred:
            return False
        # A whole server may be named as `mcp__server`.
        return self._wanted is None or name in self._wanted or name.rpartition("__")[0] in self._wanted
