"""Do the rules of the board hold, whatever is asked of it?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.delivery.deliverables import Deliverable, Refused, Status, deprecated, empty, flaws, with_new, with_status
from daedal.delivery.duration import in_words, seconds_of
from tests.toolbox.requirement import requirement

IDS = st.sampled_from(["A-001", "B-002", "UI-003", "bad", ""])
STEPS = st.lists(st.tuples(st.sampled_from(["create", "pending", "passed", "blocked", "deprecate"]), IDS), max_size=20)


@requirement("AU-05", "AU-07")
@given(STEPS)
def test_no_sequence_of_calls_breaks_a_rule(steps: list[tuple[str, str]]):
    board = empty("2025-01-01")
    for what, key in steps:
        before = board
        try:
            if what == "create":
                board = with_new(board, [Deliverable(id=key, description="d", acceptance_criteria=["c"])], "2025-01-02")
            elif what == "deprecate":
                board = deprecated(board, key, "2025-01-02")
            else:
                board = with_status(board, key, Status(what), "2025-01-02")
        except Refused:
            assert board is before
        assert flaws(board.deliverables) == []
        assert [one.id for one in board.deliverables][: len(before.deliverables)] == [
            one.id for one in before.deliverables
        ]


@requirement("AU-05")
def test_what_has_passed_is_not_blocked_without_going_back_first():
    board = with_new(empty(""), [Deliverable(id="A-001", description="d", acceptance_criteria=["c"])], "")
    board = with_status(board, "A-001", Status.PASSED, "")
    with pytest.raises(Refused, match="set it to pending first"):
        with_status(board, "A-001", Status.BLOCKED, "")


@requirement("AU-12")
@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "0s"), (5, "5s"), (90, "1m 30s"), (3600, "1h"), (3661, "1h 1m 1s"), (3900, "1h 5m")]
)
def test_durations_leave_out_what_is_nothing(seconds: int, words: str):
    assert in_words(seconds) == words


@given(st.integers(1, 10**6))
def test_a_duration_reads_back(seconds: int):
    assert seconds_of(in_words(seconds)) == seconds


@pytest.mark.parametrize("text", ["", "0", "soon", "-1s", "1d", "h"])
def test_what_is_no_duration_is_refused(text: str):
    with pytest.raises(ValueError, match="is no duration"):
        seconds_of(text)
