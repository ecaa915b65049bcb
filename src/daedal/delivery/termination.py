"""Is it over, and why? Decided by values alone, in a fixed order of priority."""

from collections.abc import Collection
from enum import StrEnum

from msgspec import Struct

from daedal.delivery.deliverables import Board, Status


class Reason(StrEnum):
    """Why a loop ended, the weightiest first."""

    INTERRUPTED = "interrupted"
    QUOTA_EXCEEDED = "quota_exceeded"
    ALL_PASSED = "all_passed"
    ALL_VERIFIED = "all_verified"
    ALL_BLOCKED = "all_blocked"
    MAX_ITERATIONS = "max_iterations"
    MAX_RETRIES = "max_retries_exceeded"
    BUDGET = "budget_exceeded"
    DURATION = "max_duration"

    @property
    def is_success(self) -> bool:
        return self in (Reason.ALL_PASSED, Reason.ALL_VERIFIED)


class State(Struct, frozen=True, kw_only=True):
    """What the end is decided by."""

    command: str
    board: Board | None
    iteration: int = 0
    """Sessions that were run."""
    is_interrupted: bool = False
    is_out_of_quota: bool = False
    """The last session ended so, and nobody wants to wait."""
    verified: Collection[str] = ()
    has_planned: bool = False
    """`sync`: its first session is over."""
    is_stale: bool = False
    """Something passed was changed since; it has to be verified again before anything is over."""
    max_iterations: int | None = None
    errors: int = 0
    """In a row."""
    max_retries: int = 3
    is_out_of_budget: bool = False
    is_out_of_time: bool = False


def reason_to_end(state: State) -> Reason | None:
    if state.is_interrupted:
        return Reason.INTERRUPTED
    if state.is_out_of_quota:
        return Reason.QUOTA_EXCEEDED
    goal = _goal(state)
    if goal is not None:
        return goal
    if state.max_iterations is not None and state.iteration >= state.max_iterations:
        return Reason.MAX_ITERATIONS
    if state.errors > state.max_retries:
        return Reason.MAX_RETRIES
    if state.is_out_of_budget:
        return Reason.BUDGET
    return Reason.DURATION if state.is_out_of_time else None


def _goal(state: State) -> Reason | None:
    active = state.board.active() if state.board else []
    if state.command == "sync":
        # Its first session checks nothing: only then it is known what there is to verify.
        is_verified = state.has_planned and bool(active) and {one.id for one in active} <= set(state.verified)
        return Reason.ALL_VERIFIED if is_verified else None
    if state.board is None or not state.board.deliverables:
        return None
    if active and all(one.status is Status.BLOCKED for one in active):
        return Reason.ALL_BLOCKED
    is_done = all(one.status is not Status.PENDING for one in active)
    return Reason.ALL_PASSED if is_done and not state.is_stale else None
