"""What do rules decide? Cases of every class, through the command that decides them offline."""

import json
from pathlib import Path

import pytest

from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

CASES = Path(__file__).with_name("rule_cases.jsonl")


@requirement("SD-15", "RX-10", "RX-11", "SD-19", "DX-02")
def test_every_case_is_decided_as_it_should_be(daedal: Daedal):
    cases = [json.loads(line) for line in CASES.read_text().splitlines()]
    done = daedal("policy", "check", "tool", stdin=CASES.read_bytes())
    assert done.code == 0, done.err
    decided = {answer["id"]: answer["decision"] for answer in done.lines}
    wrong = [
        (case["expect"], decided[case["id"]], case["rules"], case["tool"], case["input"], case["why"])
        for case in cases
        if decided[case["id"]] != case["expect"]
    ]
    assert not wrong
    assert all(answer["rule"] and answer["reason"] for answer in done.lines)


@requirement("RX-10")
@pytest.mark.parametrize(
    ("path", "expected"),
    [("docs/a.md", "allow"), ("docs/link/a.md", "ask"), ("docs/dangling", "ask"), ("docs/round", "allow")],
)
def test_an_allow_holds_where_a_path_really_leads(daedal: Daedal, tmp_path: Path, path: str, expected: str):
    docs = daedal.workspace / "docs"
    docs.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (docs / "link").symlink_to(tmp_path / "elsewhere")
    (docs / "dangling").symlink_to(tmp_path / "not-there")
    (docs / "round").symlink_to(docs / "a.md")
    case = {"rules": {"allow": ["Edit(docs/**)"]}, "tool": "Edit", "input": {"file_path": path}}
    assert decide(daedal, case) == expected


@requirement("RX-10")
def test_a_deny_holds_for_the_link_and_for_what_it_leads_to(daedal: Daedal):
    (daedal.workspace / ".env").write_text("KEY=1")
    (daedal.workspace / "harmless.txt").symlink_to(daedal.workspace / ".env")
    for denied, path in [(".env", "harmless.txt"), ("harmless.txt", "harmless.txt"), (".env", ".env")]:
        rules = {"allow": ["Read"], "deny": [f"Read({denied})"]}
        assert decide(daedal, {"rules": rules, "tool": "Read", "input": {"file_path": path}}) == "deny"


@pytest.mark.parametrize(
    ("tool", "given"),
    [("Write", {"file_path": ".claude/settings.json"}), ("Bash", {"command": "echo x > .claude/settings.json"})],
)
def test_what_steers_the_agent_is_known_by_its_name_wherever_it_leads(daedal: Daedal, tool: str, given: dict[str, str]):
    (daedal.workspace / "conf").mkdir()
    (daedal.workspace / ".claude").symlink_to(daedal.workspace / "conf")
    case = {"rules": {"allow": [tool]}, "mode": "bypassPermissions", "tool": tool, "input": given}
    assert decide(daedal, case) == "ask"


def test_a_redirection_through_a_link_leaves_the_workspace(daedal: Daedal, tmp_path: Path):
    (tmp_path / "elsewhere").mkdir()
    (daedal.workspace / "out").symlink_to(tmp_path / "elsewhere")
    case = {"rules": {"allow": ["Bash(echo:*)"]}, "tool": "Bash"}
    assert decide(daedal, {**case, "input": {"command": "echo x > out/a"}}) == "ask"
    assert decide(daedal, {**case, "input": {"command": "echo x > a"}}) == "allow"


@pytest.mark.parametrize(
    "case",
    [
        {"tool": 5},
        {"tool": "Bash", "input": []},
        {"tool": "Bash", "input": {}, "mode": "auto"},
        {"tool": "Bash", "input": {}, "posture": "brave"},
        {"tool": "Bash", "input": {}, "rules": {"allow": "Bash"}},
        {"tool": "Bash", "input": {}, "rules": {"allow": [5]}},
        {"tool": "Bash", "input": {}, "cwd": "here"},
        {"tool": "Bash", "input": {}, "settings": {"defaultMode": "auto"}},
    ],
)
def test_what_is_no_case_is_answered_and_stops_nothing(daedal: Daedal, case: dict[str, object]):
    good = {"id": 2, "tool": "Read", "input": {"file_path": "a"}, "cwd": "/w", "home": "/h"}
    lines = [{"id": 1, "cwd": "/w", "home": "/h", **case}, good]
    done = daedal("policy", "check", "tool", stdin="\n".join(map(json.dumps, lines)))
    assert [answer["decision"] for answer in done.lines] == ["invalid", "allow"]
    assert done.code == 2


def decide(daedal: Daedal, case: dict[str, object]) -> str:
    whole = {"id": "x", "mode": "default", "cwd": str(daedal.workspace), "home": str(daedal.home), **case}
    return daedal("policy", "check", "tool", stdin=json.dumps(whole)).json["decision"]
