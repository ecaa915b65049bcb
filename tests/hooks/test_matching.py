"""Which hooks hear of an event? Anything, exact words, sets of words, ECMAScript expressions; and nothing hangs."""

import asyncio
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daedal.hooks.effort import ways
from daedal.hooks.matching import WAYS_MAX, Undecided, matcher_trouble, matches
from tests.hooks.firing import CALL, fire, hooks_of
from tests.toolbox.requirement import requirement

TOOLS = ["Bash", "BashOutput", "Edit", "NotebookEdit", "mcp__git__push", ""]


def matched(matcher: str, query: str | None) -> bool:
    async def nowhere(pattern: str, text: str) -> bool:
        raise Undecided(pattern, text)

    return asyncio.run(matches(matcher, query, nowhere))


@requirement("SD-10")
@pytest.mark.parametrize(
    ("matcher", "expected"),
    [
        ("", ["Bash", "BashOutput", "Edit", "NotebookEdit", "mcp__git__push", ""]),
        ("*", ["Bash", "BashOutput", "Edit", "NotebookEdit", "mcp__git__push", ""]),
        ("Bash", ["Bash"]),
        ("bash", []),
        ("Bash|Edit", ["Bash", "Edit"]),
        ("|", []),
        ("Bash.*", ["Bash", "BashOutput"]),
        ("^Edit$", ["Edit"]),
        ("Edit$", ["Edit", "NotebookEdit"]),
        ("mcp__.*", ["mcp__git__push"]),
        (r"mcp__\w+?__(?:push|pull)", ["mcp__git__push"]),
        (r"^(?!Bash).+", ["Edit", "NotebookEdit", "mcp__git__push"]),
        (" Bash", []),
        (".*", ["Bash", "BashOutput", "Edit", "NotebookEdit", "mcp__git__push"]),
        ("Bash(", []),
        ("[", []),
        ("(?i)bash", []),
    ],
)
def test_a_matcher_matches(tmp_path: Path, matcher: str, expected: list[str]):
    found = []
    for tool in TOOLS:
        try:
            if matched(matcher, tool):
                found.append(tool)
        except Undecided:
            hooks = hooks_of({"matcher": matcher, "command": "true"})
            found += [tool for _ in fire(hooks, tmp_path, fields={**CALL, "tool_name": tool}).runs]
    assert found == expected


@requirement("SD-10")
def test_expressions_are_those_of_ecmascript():
    assert matched(r"^\cJ$", "\n")
    assert matched(r"^[^]$", "x")
    assert matcher_trouble(r"(?P<name>x)") is not None
    assert matcher_trouble(r"(?<name>x)") is None


@requirement("SD-10")
@pytest.mark.parametrize(
    ("event", "fields", "matcher", "runs"),
    [
        ("FileChanged", {"file_path": "/a/b.env", "event": "add"}, r"^b\.env$", True),
        ("FileChanged", {"file_path": "/a/b.env", "event": "add"}, "/a/", False),
        ("SessionStart", {"source": "startup"}, "startup", True),
        ("SessionStart", {"source": "resume"}, "startup", False),
        ("SessionEnd", {"reason": "logout"}, "logout|clear", True),
        ("StopFailure", {"error": "rate_limit"}, "rate_limit", True),
        ("Notification", {"message": "m", "notification_type": "idle"}, "idle", True),
        ("PreCompact", {"trigger": "auto", "custom_instructions": None}, "manual", False),
        ("SubagentStart", {"agent_id": "1", "agent_type": "review"}, "review", True),
        ("Elicitation", {"mcp_server_name": "git", "message": "m"}, "git", True),
        ("ConfigChange", {"source": "skills"}, "skills", True),
        ("InstructionsLoaded", {"file_path": "f", "memory_type": "User", "load_reason": "include"}, "include", True),
        ("TaskCreated", {"task_id": "1", "task_subject": "s"}, "", True),
        ("TaskCreated", {"task_id": "1", "task_subject": "s"}, ".*", False),
        ("UserPromptSubmit", {"prompt": "p"}, "anything", True),
        ("Stop", {"stop_hook_active": False}, "anything", True),
    ],
)
def test_each_event_compares_its_own_field(tmp_path: Path, event: str, fields: dict, matcher: str, runs: bool):
    hooks = hooks_of({"hook_event_name": event, "matcher": matcher, "command": "true"})
    answer = fire(hooks, tmp_path, event, fields=fields)
    assert [run.outcome for run in answer.runs] == (["ran"] if runs else [])


WITHOUT_END = ["^(a+)+$", "(?:a?){40}a{40}b", "(a|a)*$!", "(.*)*x", r"^(a*)\1*\1*b", ".*.*.*.*.*b"]


@requirement("SD-10")
def test_an_expression_without_end_is_tried_elsewhere():
    assert [pattern for pattern in WITHOUT_END if ways(pattern, 61) <= WAYS_MAX] == []


@requirement("SD-10")
@pytest.mark.parametrize(
    "pattern",
    [*WITHOUT_END[:1], *WITHOUT_END[4:], *(pytest.param(each, marks=pytest.mark.long) for each in WITHOUT_END[1:4])],
)
def test_an_expression_without_end_takes_nobody_with_it(tmp_path: Path, pattern: str):
    query = "a" * 60 + "c"
    hooks = hooks_of({"matcher": pattern, "command": "exit 2"})
    answer = fire(hooks, tmp_path, fields={**CALL, "tool_name": query})
    [run] = answer.runs or [None]
    assert run is None or (run.outcome, run.exit_code) == ("broken", None)
    assert answer.is_blocked is False


def test_a_required_hook_denies_where_its_matcher_finds_no_answer(tmp_path: Path):
    hooks = hooks_of({"matcher": "^(a+)+$", "command": "exit 0", "required": True})
    answer = fire(hooks, tmp_path, fields={**CALL, "tool_name": "a" * 60 + "c"})
    assert (answer.is_blocked, answer.runs[0].outcome) == (True, "broken")


def test_a_name_without_end_is_not_tried(tmp_path: Path):
    hooks = hooks_of({"matcher": "a.*", "command": "exit 0"})
    assert fire(hooks, tmp_path, fields={**CALL, "tool_name": "a" * 100_000}).runs[0].outcome == "broken"


@given(st.text(alphabet="ab.*+?|()[]\\{}1,^$:=!<", max_size=12), st.text(alphabet="ab", max_size=8))
def test_an_expression_is_never_an_exception(pattern: str, query: str):
    try:
        matched(pattern, query)
    except Undecided:
        pass


@given(
    st.lists(st.sampled_from(["a", ".", "[ab]", "(?:a|b)", "a*", ".+", "b?", "(?:ab)?", r"\w*"]), max_size=5),
    st.integers(0, 6),
)
def test_the_bound_is_no_less_than_what_can_happen(parts: list[str], length: int):
    """Counted with Python's own matcher: every way in which the parts can share out the beginning of a text."""
    pattern = "".join(parts)
    text = "a" * length
    endings = [0]
    for part in parts:
        choice = re.compile(part)
        endings = [end for start in endings for end in range(start, length + 1) if choice.fullmatch(text, start, end)]
    assert ways(pattern, length) >= len(endings)
