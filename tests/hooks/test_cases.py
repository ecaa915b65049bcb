"""Does `daedal policy check hooks` decide what it should? Every case of `hook_cases.jsonl`, through the front door."""

import json
import re
from pathlib import Path

import pytest

from daedal.hooks import hooks_case
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

FILE = Path(__file__).parent / "hook_cases.jsonl"
CASES = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


def agrees(answer: dict, case: dict) -> bool:
    expect, message = case["expect"], answer["reason"]
    found = [message.find(part) for part in expect.get("message_contains_in_order", [])]
    return (
        (answer["decision"], answer["skipped"]) == (expect["decision"], expect["skipped"])
        and message == expect.get("message", message)
        and re.search(expect.get("message_regex", ""), message) is not None
        and -1 not in found
        and found == sorted(found)
        and answer.get("final") == case.get("final")
        and answer.get("updatedInput") == case.get("updatedInput")
    )


@requirement("SD-12", "SD-14")
def test_every_case_is_decided_as_it_should_be(daedal: Daedal):
    done = daedal("policy", "check", "hooks", stdin=FILE.read_bytes())
    assert done.code == 0, done.err
    wrong = [(case, answer) for case, answer in zip(CASES, done.lines, strict=True) if not agrees(answer, case)]
    assert wrong == []
    assert [answer["id"] for answer in done.lines] == [case["id"] for case in CASES]


def test_the_hook_that_decided_is_named():
    case = {"event": "PreToolUse", "hooks": [{"exit": 0}, {"exit": 2, "stderr": "no"}, {"exit": 2}]}
    answer = {"decision": "deny", "reason": "[1] no", "rule": "PreToolUse hook 1", "skipped": [False, False, True]}
    assert hooks_case(case) == {**answer, "is_blocked": True}


@pytest.mark.parametrize(
    "case", [{}, {"event": "Nope"}, {"event": "Stop", "hooks": 3}, {"event": "Stop", "hooks": [{"exit": "2"}]}]
)
def test_what_is_no_case_is_a_value_error_or_a_validation_error(daedal: Daedal, case: dict):
    done = daedal("policy", "check", "hooks", stdin=json.dumps(case))
    assert (done.code, done.lines[0]["decision"]) == (2, "invalid")
