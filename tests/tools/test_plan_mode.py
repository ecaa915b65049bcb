"""How does planning begin and end?"""

import pytest

from tests.tools.desk import Desk


def test_planning_begins_with_what_to_do_next(desk: Desk):
    outcome = desk.do("EnterPlanMode")
    assert (outcome.is_error, outcome.phase, outcome.loaded) == (False, "planning", ["ExitPlanMode"])
    assert "ExitPlanMode with it in `plan`" in outcome.content


def test_who_plans_already_is_told_so_and_nothing_changes(desk: Desk):
    desk.phase = "planning"
    outcome = desk.do("EnterPlanMode")
    assert (outcome.is_error, outcome.phase) == (False, None)
    assert "already" in outcome.content


def test_a_key_where_none_belongs_is_told(desk: Desk):
    outcome = desk.do("EnterPlanMode", plan="x")
    assert (outcome.is_error, outcome.phase) == (True, None)


def test_an_approved_plan_is_to_be_carried_out(desk: Desk):
    desk.phase = "planning"
    prompts = [{"tool": "Bash", "prompt": "run the tests"}]
    outcome = desk.do("ExitPlanMode", plan="1. Write it.", allowedPrompts=prompts, planFilePath="somewhere")
    assert (outcome.is_error, outcome.phase) == (False, "implement")
    assert outcome.content.startswith("The user approved the plan.")


@pytest.mark.parametrize("given", [{}, {"plan": ""}, {"plan": " \n\t"}, {"plan": None}])
def test_without_a_plan_planning_goes_on(desk: Desk, given: dict[str, str]):
    desk.phase = "planning"
    outcome = desk.do("ExitPlanMode", **given)
    assert (outcome.is_error, outcome.phase) == (True, None)
    assert "with the whole plan in `plan`" in outcome.content


@pytest.mark.parametrize("phase", ["idle", "implement", "test", "verify", "done"])
def test_outside_planning_there_is_no_plan_to_approve(desk: Desk, phase: str):
    desk.phase = phase
    outcome = desk.do("ExitPlanMode", plan="1. Write it.")
    assert (outcome.is_error, outcome.phase) == (True, None)
    assert "not in plan mode" in outcome.content
