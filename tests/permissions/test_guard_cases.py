"""What does the guard answer to two thousand written cases, through the front door?"""

import json
from pathlib import Path
from typing import Any

from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

CASES = Path(__file__).with_name("guard_cases.jsonl")


def answers(daedal: Daedal, cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    finished = daedal("policy", "check", "bash", stdin="".join(json.dumps(case) + "\n" for case in cases))
    assert finished.code == 0, finished.err
    return finished.lines


@requirement("AU-14", "AU-15", "AU-16", "AU-17")
def test_no_written_case_is_allowed_or_refused_against_its_expectation(daedal: Daedal):
    cases = [json.loads(line) for line in CASES.read_text().splitlines()]
    given = answers(daedal, cases)
    wrong = [
        (case["command"], answer["rule"])
        for case, answer in zip(cases, given, strict=True)
        if answer["decision"] != case["expect"]
    ]
    false_allows = [each for each in wrong if each[1] == "guard:listed"]
    assert (false_allows, wrong) == ([], [])
    assert all(answer["rule"].startswith("guard:") and answer["reason"] for answer in given)


def test_a_malformed_case_is_answered_and_the_others_still_are(daedal: Daedal):
    place = {"cwd": "/srv/project", "home": "/home/dev"}
    cases = [
        {"id": "a", "command": 7, **place},
        {"id": "b", "command": "ls", "profile": "walk", **place},
        {"id": "c", "command": "ls", "flags": "x", **place},
        {"id": "d", "command": "ls", "cwd": "here", "home": "/"},
        {"id": "e", "command": "ls", **place},
    ]
    finished = daedal("policy", "check", "bash", stdin="".join(json.dumps(case) + "\n" for case in cases))
    assert finished.code == 2
    assert [answer["decision"] for answer in finished.lines] == ["invalid"] * 4 + ["allow"]
