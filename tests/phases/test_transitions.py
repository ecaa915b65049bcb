"""Which phase may follow which, and what it takes."""

import pytest

from daedal.phases import CoverageReport, Grounds, Phase, judge, moves
from tests.toolbox.requirement import requirement

NOTHING = Grounds(has_approved_plan=False, coverage=CoverageReport(is_met=False, lack="none"))
EVERYTHING = Grounds(has_approved_plan=True, coverage=CoverageReport(is_met=True), is_operator=True)
TABLE = {
    (Phase.PLANNING, Phase.IMPLEMENT),
    (Phase.IMPLEMENT, Phase.TEST),
    (Phase.TEST, Phase.VERIFY),
    (Phase.VERIFY, Phase.DONE),
    *((before, Phase.PLANNING) for before in Phase),
}


@requirement("SD-18")
def test_the_phases_are_the_six_of_the_specification():
    assert list(map(str, Phase)) == ["idle", "planning", "implement", "test", "verify", "done"]


@requirement("SD-18")
@pytest.mark.parametrize("before", Phase)
@pytest.mark.parametrize("after", Phase)
def test_only_the_steps_of_the_table_are_open_however_good_the_grounds(before: Phase, after: Phase):
    move = judge(before, after, EVERYTHING)
    assert (move.refusal is None) == ((before, after) in TABLE)
    assert move.refusal != ""


@requirement("SD-18")
@pytest.mark.parametrize(
    ("before", "after", "grounds", "reason"),
    [
        (Phase.PLANNING, Phase.IMPLEMENT, NOTHING, "no plan of it is approved"),
        (Phase.TEST, Phase.VERIFY, NOTHING, "not every success criterion has a passing test: none"),
        (Phase.VERIFY, Phase.DONE, NOTHING, "done needs the operator's approval"),
        (Phase.IMPLEMENT, Phase.VERIFY, EVERYTHING, "the tests come first"),
        (Phase.IMPLEMENT, Phase.DONE, EVERYTHING, "the tests come first"),
        (Phase.IDLE, Phase.IMPLEMENT, EVERYTHING, "idle leads to planning alone"),
        (Phase.DONE, Phase.VERIFY, EVERYTHING, "done leads to planning alone"),
        (Phase.TEST, Phase.IMPLEMENT, EVERYTHING, "test does not lead to implement · it leads to verify"),
        (Phase.TEST, Phase.TEST, EVERYTHING, "it is in phase test already"),
        ("", Phase.TEST, EVERYTHING, "it is in phase '', which is none"),
    ],
)
def test_a_refusal_says_why_and_what_to_do(before: str, after: Phase, grounds: Grounds, reason: str):
    assert reason in (judge(before, after, grounds).refusal or "")


@pytest.mark.parametrize("before", [*map(str, Phase), "", "anything"])
def test_planning_is_open_from_everywhere(before: str):
    assert judge(before, Phase.PLANNING, NOTHING).refusal is None


def test_what_may_come_next_is_the_way_on_and_the_way_back():
    assert [(move.after, move.refusal is None) for move in moves("test", NOTHING)] == [
        (Phase.VERIFY, False),
        (Phase.PLANNING, True),
    ]
    assert [str(move.after) for move in moves("planning", EVERYTHING)] == ["implement"]
    assert [str(move.after) for move in moves("nonsense", EVERYTHING)] == ["planning"]


def test_the_record_says_what_a_step_stood_for():
    assert judge("verify", Phase.DONE, EVERYTHING).detail == {"approval": "operator"}
    assert judge("implement", Phase.TEST, EVERYTHING).detail == {"signal": "implementation complete"}
    assert judge("idle", Phase.PLANNING, EVERYTHING).detail == {}
