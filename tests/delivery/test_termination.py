"""Does it end for the weightiest reason, and only then?"""

from hypothesis import given
from hypothesis import strategies as st

from daedal.delivery.deliverables import Board, Deliverable, Status
from daedal.delivery.termination import Reason, State, reason_to_end
from tests.toolbox.requirement import requirement

KINDS = st.lists(st.sampled_from(["pending", "passed", "blocked", "deprecated"]), max_size=6)


def board_of(kinds: list[str]) -> Board:
    deliverables = [
        Deliverable(id=f"A-{number:03}", description="x", acceptance_criteria=["y"]).with_status(Status.PASSED)
        if kind == "passed"
        else Deliverable(
            id=f"A-{number:03}",
            description="x",
            acceptance_criteria=["y"],
            blocked=kind == "blocked",
            **({"deprecated_at": "2025-01-01"} if kind == "deprecated" else {}),
        )
        for number, kind in enumerate(kinds)
    ]
    return Board(created_at="", updated_at="", deliverables=deliverables)


STATES = st.builds(
    State,
    command=st.sampled_from(["run", "sync"]),
    board=st.none() | KINDS.map(board_of),
    iteration=st.integers(0, 5),
    is_interrupted=st.booleans(),
    is_out_of_quota=st.booleans(),
    verified=st.lists(st.sampled_from([f"A-{number:03}" for number in range(6)])),
    has_planned=st.booleans(),
    is_stale=st.booleans(),
    max_iterations=st.none() | st.integers(1, 5),
    errors=st.integers(0, 5),
    max_retries=st.integers(0, 4),
    is_out_of_budget=st.booleans(),
    is_out_of_time=st.booleans(),
)


@requirement("AU-06", "AU-07")
@given(STATES)
def test_reasons_come_in_their_order_and_every_claim_of_success_is_true(state: State):
    reason = reason_to_end(state)
    if state.is_interrupted:
        assert reason is Reason.INTERRUPTED
        return
    if state.is_out_of_quota:
        assert reason is Reason.QUOTA_EXCEEDED
        return
    active = state.board.active() if state.board else []
    if reason is Reason.ALL_PASSED:
        assert state.command == "run"
        assert not state.is_stale
        assert all(one.status is not Status.PENDING for one in active)
        assert not active or any(one.passed for one in active)
    if reason is Reason.ALL_BLOCKED:
        assert state.command == "run"
        assert {one.status for one in active} == {Status.BLOCKED}
    if reason is Reason.ALL_VERIFIED:
        assert state.command == "sync"
        assert state.has_planned
        assert {one.id for one in active} <= set(state.verified)
    if reason is Reason.MAX_RETRIES:
        assert state.errors > state.max_retries
        assert state.max_iterations is None or state.iteration < state.max_iterations
    if reason is None:
        assert state.errors <= state.max_retries
        assert state.max_iterations is None or state.iteration < state.max_iterations
        assert not state.is_out_of_budget
        assert not state.is_out_of_time


@requirement("AU-02")
@given(KINDS)
def test_a_first_session_of_sync_ends_nothing(kinds: list[str]):
    board = board_of(kinds)
    every = [one.id for one in board.deliverables]
    assert reason_to_end(State(command="sync", board=board, verified=every)) is None
