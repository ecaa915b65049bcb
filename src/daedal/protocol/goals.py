"""What is a goal, and what is said about one? A thread works at it turn after turn, until it is done or stopped.

The shapes are Codex's `ThreadGoal`; what is ours stands below them. What is asked about goals is in `goal_calls`.
"""

from enum import StrEnum

from msgspec import Struct


class GoalStatus(StrEnum):
    ACTIVE = "active"
    PAUSED = "paused"
    BLOCKED = "blocked"
    USAGE_LIMITED = "usageLimited"
    BUDGET_LIMITED = "budgetLimited"
    COMPLETE = "complete"


class GoalStrategy(StrEnum):
    SIMPLE = "simple"
    RESEARCH = "research"
    """The AutoResearch protocol, with its state in the project."""


class GoalEnd(StrEnum):
    """What ended the work, or holds it up."""

    COMPLETE = "complete"
    BLOCKED = "blocked"
    LIMIT = "limit"
    """Of continuations."""
    STEPS = "steps"
    BUDGET = "budget"
    PERSON = "person"
    FAILURE = "failure"
    CHECK = "check"
    """The check may not run, so that nothing can ever be found done."""


class GoalBlock(Struct, rename="camel", frozen=True, kw_only=True):
    """What keeps being in the way."""

    reason: str
    """As it was said first."""
    count: int = 1
    """How many turns in a row ended with it."""


class GoalCheck(Struct, rename="camel", frozen=True, kw_only=True):
    """One run of the command that says whether a goal is reached."""

    command: str
    passed: bool
    exit_code: int | None = None
    declined: bool = False
    """The gate did not let it run."""
    output: str = ""
    """The end of it."""
    checked_at: int = 0


class ThreadGoal(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    objective: str
    status: GoalStatus
    created_at: int
    updated_at: int
    tokens_used: int = 0
    time_used_seconds: int = 0
    token_budget: int | None = None
    strategy: GoalStrategy = GoalStrategy.SIMPLE
    check: str | None = None
    """The command that decides whether it is done."""
    limit: int = 0
    """How many turns may follow the first by themselves."""
    continuations: int = 0
    """How many did."""
    steps: int = 0
    """Model calls."""
    cost_usd: float | None = None
    blocked: GoalBlock | None = None
    stopped_by: GoalEnd | None = None
    reason: str | None = None
    """The same in a sentence."""
    last_check: GoalCheck | None = None
    state_dir: str | None = None
    """Where the research strategy keeps what it found out."""

    @property
    def is_active(self) -> bool:
        return self.status is GoalStatus.ACTIVE

    @property
    def is_over(self) -> bool:
        return self.status is GoalStatus.COMPLETE


class GoalUpdated(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    goal: ThreadGoal
    turn_id: str | None = None


class GoalCleared(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
