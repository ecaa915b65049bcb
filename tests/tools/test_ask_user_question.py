"""What does the model hear of the user's answers?"""

from typing import Any

import pytest

from tests.tools.desk import Desk

COLOUR = {
    "question": "Which colour?",
    "header": "Colour",
    "options": [{"label": "Red", "description": "Warm"}, {"label": "Blue", "description": "Cold"}],
}
SIZE = {**COLOUR, "question": "Which size?", "header": "Size", "multiSelect": True}


def test_the_answers_come_as_pairs(desk: Desk):
    answers = {"Which colour?": "Red", "Which size?": "Red, Blue"}
    outcome = desk.do("AskUserQuestion", questions=[COLOUR, SIZE], answers=answers)
    assert not outcome.is_error
    assert '"Which colour?"="Red", "Which size?"="Red, Blue"' in outcome.content


def test_what_was_left_open_and_what_was_noted_is_told(desk: Desk):
    outcome = desk.do(
        "AskUserQuestion",
        questions=[COLOUR, SIZE],
        answers={"Which colour?": "Green"},
        annotations={"Which colour?": {"notes": "like the logo"}},
        metadata={"source": "chat"},
    )
    assert '"Which colour?"="Green" (notes: "like the logo")' in outcome.content
    assert 'Not answered: "Which size?"' in outcome.content


@pytest.mark.parametrize("answers", [{}, None, {"Another question?": "Yes"}])
def test_without_an_answer_the_model_is_told_how_to_go_on(desk: Desk, answers: object):
    outcome = desk.do("AskUserQuestion", questions=[COLOUR], answers=answers)
    assert not outcome.is_error
    assert outcome.content.startswith("The user did not answer. Do not ask again")


OPTION = {"label": "Red", "description": ""}


@pytest.mark.parametrize(
    ("questions", "issue"),
    [
        ([], "key `questions`: expected `array` of length >= 1"),
        ([{**COLOUR, "question": f"{number}?"} for number in range(5)], "expected `array` of length <= 4"),
        ([{**COLOUR, "options": [OPTION]}], "expected `array` of length >= 2"),
        ([{**COLOUR, "options": [OPTION] * 5}], "expected `array` of length <= 4"),
        ([{**COLOUR, "options": [OPTION, OPTION]}], 'Two options of "Which colour?" have the same label'),
        ([COLOUR, COLOUR], "Two of the questions are the same"),
        ([{"question": "Which?", "options": [OPTION, OPTION]}], "missing key `header`"),
        ("Which colour?", "expected `array`, got `str`"),
    ],
)
def test_what_cannot_be_asked_is_told(desk: Desk, questions: Any, issue: str):
    outcome = desk.do("AskUserQuestion", questions=questions, answers={"Which colour?": "Red"})
    assert outcome.is_error
    assert issue in outcome.content


def test_a_question_names_no_paths_and_is_never_run_beside_others(desk: Desk):
    assert desk.paths("AskUserQuestion", questions=[COLOUR], file_path="x") == []
    assert [spec.read_only for spec in desk.tools.specs() if spec.name == "AskUserQuestion"] == [False]
