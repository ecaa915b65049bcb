"""What may a tool call do while nobody watches, and what can agent.json change about it?"""

import pytest

from daedal.permissions import AgentConfig, Guard, agent_config
from daedal.protocol.verdict import Verdict
from tests.toolbox.requirement import requirement

RUN = Guard(profile="run", project="/srv/project", home="/home/dev")
SYNC = Guard(profile="sync", project="/srv/project", home="/home/dev")


def rule(guard: Guard, tool: str, path: str) -> str:
    decision = guard.decide_call(tool, {"file_path": path}, [path], "/srv/project")
    return decision.rule if decision.verdict is Verdict.DENY else "allowed"


@requirement("AU-17")
@pytest.mark.parametrize("tool", ["Write", "Edit", "NotebookEdit", "Move", "mcp__files__write"])
def test_no_file_tool_writes_into_the_state_folder(tool: str):
    assert rule(RUN, tool, "/srv/project/.daedal/status.json") == "guard:state-folder"
    assert rule(RUN, tool, "/srv/project/.Daedal/status.json") == "guard:state-folder"
    assert rule(RUN, tool, "/srv/project/src/../.daedal/x") == "guard:state-folder"
    assert rule(RUN, tool, "/srv/project/.daedal-note.md") == "allowed"
    assert rule(RUN, tool, "/srv/project/.daedal2/x") == "allowed"


@requirement("AU-17")
def test_a_move_is_judged_by_both_of_its_ends():
    ends = {"source": "a", "dest": ".daedal/a"}
    assert RUN.decide_call("Move", ends, ["/srv/project/a"], "/srv/project").rule == "guard:state-folder"


@requirement("AU-17")
def test_verifying_writes_only_its_note_and_temporary_files():
    assert rule(SYNC, "Write", "/srv/project/src/a.ts") == "guard:read-only"
    assert rule(SYNC, "Edit", "/srv/project/.daedal-note.md") == "allowed"
    assert rule(SYNC, "Write", "/tmp/notes") == "allowed"
    assert rule(SYNC, "Write", "/srv/project/sub/.daedal-note.md") == "guard:read-only"


@pytest.mark.parametrize("path", ["daedal.toml", ".mcp.json", ".claude/settings.json", ".git/hooks/x", ".git/config"])
def test_what_steers_the_agent_is_not_written_unattended(path: str):
    assert rule(RUN, "Write", f"/srv/project/{path}") == "guard:steering"


def test_reading_is_allowed_and_writing_outside_is_not():
    assert rule(RUN, "Read", "/srv/project/.daedal/status.json") == "allowed"
    assert rule(RUN, "Write", "/etc/hosts") == "guard:outside"
    assert rule(RUN, "Write", "/srv/project2/a") == "guard:outside"


def test_the_shell_is_judged_by_its_command():
    assert RUN.decide_call("Bash", {"command": "ls"}, [], "/srv/project").verdict is Verdict.ALLOW
    assert RUN.decide_call("bash", {"command": "rm x"}, [], "/srv/project").rule == "guard:destructive"
    assert RUN.decide_call("Bash", {"command": ["ls"]}, [], "/srv/project").verdict is Verdict.DENY


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("curl x", "guard:unlisted"),
        ("echo x > .daedal/status.json", "guard:state-folder"),
        ("git -c core.pager=x log", "guard:git-exec"),
        ("git rebase -x ls", "guard:git-exec"),
        ("rm x", "guard:destructive"),
        ("ls > ../x", "guard:outside"),
        ("f() { ls; }", "guard:construct"),
        ("PATH=x ls", "guard:environment"),
        ("pkill sshd", "guard:pkill"),
        ("python -c 'import os; os.system(1)'", "guard:code"),
        ("chmod 777 x", "guard:option"),
    ],
)
def test_a_refusal_names_its_rule_and_says_what_to_do(command: str, expected: str):
    decision = RUN.decide(command, "/srv/project")
    assert (decision.verdict, decision.rule) == (Verdict.DENY, expected)
    assert len(decision.reason) > 20


@requirement("AU-15")
def test_agent_json_extends_the_lists_tier_by_tier():
    config, warnings = agent_config(
        {
            "profile": ["node", "go"],
            "allowCommands": {"base": ["make"], "run": ["docker"], "sync": ["shellcheck"]},
            "allowPkillTargets": ["server"],
            "permissions": {"allow": ["WebFetch(domain:a.example)"]},
            "allowedTools": ["Task"],
            "mcpServers": {"x": {"command": "y"}},
        }
    )
    assert warnings == []
    assert config == AgentConfig(
        profiles=("node", "go"),
        allow_base=frozenset({"make"}),
        allow_run=frozenset({"docker"}),
        allow_sync=frozenset({"shellcheck"}),
        pkill_targets=frozenset({"server"}),
        permissions_allow=("WebFetch(domain:a.example)",),
        allowed_tools=("Task",),
        mcp_servers={"x": {"command": "y"}},
    )


@requirement("AU-15")
@pytest.mark.parametrize(
    "raw",
    [
        [],
        "x",
        {"profile": 7},
        {"allowCommands": "make"},
        {"allowCommands": {"bas": ["x"]}},
        {"allowCommands": ["rm"]},
        {"allowCommands": ["eval"]},
        {"allowCommands": [7, "a b"]},
        {"allowPkillTargets": {}},
        {"permissions": []},
        {"permissions": {"deny": []}},
        {"allowedTools": [None]},
        {"mcpServers": {"x": 1}},
        {"sandbox": False},
    ],
)
def test_what_agent_json_gets_wrong_is_dropped_with_a_warning_and_the_baseline_stays(raw: object):
    _, warnings = agent_config(raw)
    assert warnings
    guard = Guard(profile="run", project="/srv/project", home="/home/dev", extra=raw)
    assert guard.decide("git status", "/srv/project").verdict is Verdict.ALLOW
    assert guard.decide("rm -rf src", "/srv/project").verdict is Verdict.DENY
    assert guard.decide("echo x > .daedal/a", "/srv/project").rule == "guard:state-folder"
