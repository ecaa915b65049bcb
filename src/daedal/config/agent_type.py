"""What is known about a type of agents before one is given a task, and once it is?"""

from msgspec import Struct

from daedal.config.kept_folders import Steering


class AgentType(Struct, frozen=True, kw_only=True):
    """A type as lists show it. All of it is harmless to show, on one line each."""

    name: str
    description: str
    source: str
    """`project`, `user` or `built-in`."""
    path: str = ""
    tools: list[str] | None = None
    """What it may use of what its parent has; None means all of it."""
    disallowed: list[str] = []
    """What it may not, whatever `tools` says."""
    model: str = ""
    """Its own choice, where that counts; empty says nothing, `inherit` is the model of whoever asks."""
    max_turns: int | None = None
    effort: str | None = None
    """How hard its model thinks; None is as the parent's."""
    isolation: str = ""
    """`worktree`, or nothing."""
    plans_only: bool = False
    """It works as in plan mode, whatever its parent may do."""
    in_background: bool = False


class AgentsFound(Struct, frozen=True):
    types: list[AgentType] = []
    """Those that are built in first, then the project's, and by name."""
    problems: list[str] = []
    """What is no agent, or counts only in part, and why."""
    steering: list[Steering] = []
    """What the project's would decide if they are trusted, or do decide because they are."""


class LoadedAgent(Struct, frozen=True):
    type: AgentType
    prompt: str
    """Its system prompt."""
