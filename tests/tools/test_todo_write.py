"""What becomes of the list of what is to be done?"""

from typing import Any

import pytest

from daedal.protocol.items import PlanStep
from tests.tools.desk import Desk


def todo(content: str, status: str) -> dict[str, str]:
    return {"content": content, "status": status, "activeForm": f"{content}, now"}


def test_the_list_is_handed_over_in_its_order_and_in_the_words_of_faces(desk: Desk):
    todos = [todo("Look", "completed"), todo("Write", "in_progress"), todo("Test", "pending")]
    outcome = desk.do("TodoWrite", todos=todos)
    assert outcome.todos == [
        PlanStep(step="Look", status="completed", active_form="Look, now"),
        PlanStep(step="Write", status="inProgress", active_form="Write, now"),
        PlanStep(step="Test", status="pending", active_form="Test, now"),
    ]
    assert (outcome.is_error, outcome.content) == (False, "The list was updated: 3 tasks, 1 completed. Now: Write.")


@pytest.mark.parametrize(
    ("todos", "told"),
    [
        ([], "The list is empty now."),
        ([todo("A", "pending")], "The list was updated: 1 task, 0 completed. Next: A."),
        ([todo("A", "completed")], "The list was updated: 1 task, 1 completed."),
    ],
)
def test_the_model_hears_how_far_it_is(desk: Desk, todos: list[dict[str, str]], told: str):
    outcome = desk.do("TodoWrite", todos=todos)
    assert (outcome.content, len(outcome.todos or [])) == (told, len(todos))


@pytest.mark.parametrize(
    ("todos", "issue"),
    [
        ([todo("", "pending")], "expected `str` of length >= 1"),
        ([todo("A", "done")], "invalid enum value 'done'"),
        ([{"content": "A", "status": "pending"}], "missing key `activeForm`"),
        ("A", "expected `array`, got `str`"),
    ],
)
def test_what_is_no_list_changes_nothing(desk: Desk, todos: Any, issue: str):
    outcome = desk.do("TodoWrite", todos=todos)
    assert (outcome.is_error, outcome.todos) == (True, None)
    assert issue in outcome.content
