"""Does the acceptance matrix tell the truth? Compared both ways with the ids that the tests carry."""

import ast

from tests.checks.marks import marked_tests, shown_by_tests
from tests.checks.matrix import MATRIX, REQUIREMENTS, ROOT, complaints, obligations, promised, rows, updated

SAMPLE = """\
## SD · Sample: SD-01 to SD-02

| id | obligation | state | shown by |
| --- | --- | --- | --- |
| SD-01 | a whole | met | |
| SD-01/one | a part | met | `tests/test_a.py::test_one` |
| SD-02 | another | open | |
"""
SHOWN = {"SD-01/one": ["tests/test_a.py::test_one"]}


def test_the_matrix_and_the_tests_agree():
    wrong = list(complaints(MATRIX.read_text("utf-8"), shown_by_tests(ROOT)))
    assert not wrong, "\n".join(wrong)


def test_the_matrix_has_every_obligation():
    text = MATRIX.read_text("utf-8")
    wanted = obligations(REQUIREMENTS.read_text("utf-8")) if REQUIREMENTS.is_file() else promised(text)
    assert {row.id for row in rows(text) if not row.is_part} == wanted == promised(text)


def test_a_true_matrix_raises_no_complaint():
    assert list(complaints(SAMPLE, SHOWN)) == []


def test_an_id_without_a_row_is_noticed():
    found = list(complaints(SAMPLE, {**SHOWN, "SD-03": ["tests/test_a.py::test_three"]}))
    assert found == ["SD-03 is carried by tests/test_a.py::test_three, but has no row"]


def test_a_promise_without_a_test_is_noticed():
    found = list(complaints(updated(SAMPLE, {}), {}))
    assert found == [
        "SD-01 is said to be met, but no test shows it",
        "SD-01/one is said to be met, but no test shows it",
    ]


def test_a_whole_is_not_met_while_a_part_is_open():
    found = list(complaints(SAMPLE.replace("a part | met | `tests/test_a.py::test_one` ", "a part | open | "), {}))
    assert "SD-01 is said to be met, but a part of it is not" in found


def test_a_missing_row_is_noticed():
    without = SAMPLE.replace("| SD-02 | another | open | |\n", "")
    assert list(complaints(without, SHOWN)) == ["SD-02 is promised by a heading, but has no row"]


def test_a_row_that_is_written_wrongly_is_noticed():
    wrong = SAMPLE.replace("| SD-02 | another | open | |", "| SD-02 | another | open |")
    assert "not a row: | SD-02 | another | open |" in list(complaints(wrong, SHOWN))


def test_writing_names_new_tests_and_opens_no_claim_of_its_own():
    shown = {"SD-02": ["tests/test_b.py::test_x", "tests/test_b.py::test_y"], **SHOWN}
    after = updated(SAMPLE, shown)
    assert "| SD-02 | another | part | `tests/test_b.py::test_x`<br>`tests/test_b.py::test_y` |\n" in after
    assert list(complaints(after, shown)) == []
    assert updated(after, shown) == after


def test_ids_are_found_on_functions_classes_modules_and_parameters():
    source = """
pytestmark = requirement("AA-01")

@requirement("AA-02", "AA-03")
def test_plain(): ...

@pytest.mark.requirement("AA-04")
class TestGroup:
    @pytest.mark.parametrize("x", [pytest.param(1, marks=requirement("AA-05"))])
    async def test_member(self, x): ...

def helper(): ...
"""
    assert dict(marked_tests(ast.parse(source))) == {
        "test_plain": {"AA-01", "AA-02", "AA-03"},
        "TestGroup::test_member": {"AA-01", "AA-04", "AA-05"},
    }
