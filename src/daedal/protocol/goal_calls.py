"""What can be asked about goals, and what does an engine need for them? `thread/goal/*`, and who drives.

`set`, `get` and `clear` are Codex's; `check` and `report` are ours, for the driver.
"""

from enum import StrEnum
from typing import Protocol, runtime_checkable

from msgspec import Struct

from daedal.protocol.goals import GoalBlock, GoalCheck, GoalEnd, GoalStatus, GoalStrategy, ThreadGoal
from daedal.protocol.records import TurnStatus
from daedal.protocol.turns import TurnError


class GoalOrigin(StrEnum):
    USER = "user"
    AUTOMATIC = "automatic"


class GoalSetParams(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    objective: str | None = None
    """Begins a goal; None changes the one there is."""
    status: GoalStatus | None = None
    token_budget: int | None = None
    origin: GoalOrigin | None = None
    strategy: GoalStrategy | None = None
    """None finds it from the objective; ours."""
    check: str | None = None
    """Ours."""
    limit: int | None = None
    """Ours."""
    reason: str | None = None
    """Why it is stopped, where that was not the person's doing; ours."""
    defer: bool = False
    """The driver waits for the end of the next turn, which the client starts; ours."""


class GoalSetResponse(Struct, rename="camel", frozen=True, kw_only=True):
    goal: ThreadGoal


class GoalGetParams(Struct, rename="camel", frozen=True, kw_only=True):
    """Also `thread/goal/check`."""

    thread_id: str


class DueTurn(Struct, rename="camel", frozen=True, kw_only=True):
    """The thread's last turn, about which the driver has not said anything yet."""

    turn_id: str
    status: TurnStatus
    """`inProgress`: it was cut off, or still runs."""
    said: str = ""
    """The last words of the model."""
    error: TurnError | None = None
    duration_s: int = 0


class GoalGetResponse(Struct, rename="camel", frozen=True, kw_only=True):
    goal: ThreadGoal | None
    due: DueTurn | None = None
    """Ours."""
    is_begun: bool = False
    """A turn has been made for it; ours."""
    is_busy: bool = False
    """A turn runs in the thread right now; ours."""


class GoalClearParams(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    origin: GoalOrigin | None = None


class GoalClearResponse(Struct, rename="camel", frozen=True, kw_only=True):
    cleared: bool


class GoalCheckResponse(Struct, rename="camel", frozen=True, kw_only=True):
    check: GoalCheck


class GoalReportParams(Struct, rename="camel", frozen=True, kw_only=True):
    """What a driver makes of a finished turn. Said again about the same turn, it changes nothing."""

    thread_id: str
    turn_id: str
    status: GoalStatus
    stopped_by: GoalEnd | None = None
    reason: str | None = None
    blocked: GoalBlock | None = None
    continues: bool = False
    """Another turn follows by itself."""


@runtime_checkable
class Goals(Protocol):
    """An engine whose threads can have a goal."""

    async def set_goal(self, params: GoalSetParams) -> GoalSetResponse: ...

    async def get_goal(self, params: GoalGetParams) -> GoalGetResponse: ...

    async def clear_goal(self, params: GoalClearParams) -> GoalClearResponse: ...

    async def check_goal(self, params: GoalGetParams) -> GoalCheckResponse: ...

    async def report_goal(self, params: GoalReportParams) -> GoalSetResponse: ...


class Autopilot(Protocol):
    """Whoever keeps a thread at work towards its goal. `app` plugs it in; an engine knows only this of it."""

    def due(self, thread_id: str) -> None:
        """There is something to decide about the thread's goal. Returns at once."""
        ...

    def strategy_for(self, objective: str) -> GoalStrategy: ...

    def is_worth_a_goal(self, prompt: str) -> bool:
        """Whether an ordinary prompt says so strongly that it is long research that it becomes a goal by itself."""
        ...

    def begin(self, goal: ThreadGoal, workspace: str) -> str | None:
        """Makes what the goal's strategy needs; where it keeps its state. Raises UsageError where it cannot."""
        ...

    def words(self, goal: ThreadGoal) -> str:
        """What the model is told before each prompt."""
        ...
