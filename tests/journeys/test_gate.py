"""Does every call pass the gate, and is the answer on the record?"""

import json

import pytest

from tests.toolbox.model_server import call, calls, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


def verdicts(daedal: Daedal) -> list[tuple[str, str, str]]:
    rows = daedal.rows("SELECT tool_name, decision, reason_json FROM tool_permission_log ORDER BY id")
    return [(tool, decision, json.loads(reason)["rule"]) for tool, decision, reason in rows]


BOTH = calls(("Write", {"file_path": "new.txt", "content": "x"}), ("Bash", {"command": "touch ran"}))


def done(daedal: Daedal) -> list[bool]:
    return [(daedal.workspace / name).exists() for name in ("new.txt", "ran")]


@requirement("RX-20", "RX-11", "RX-16")
@pytest.mark.parametrize(("posture", "rule"), [("ask", "fallback:confined"), ("auto", "posture:auto")])
def test_with_nobody_to_ask_what_the_sandbox_confines_may_run(daedal: Daedal, model, posture: str, rule: str):
    model([BOTH, say("Done.")])
    assert daedal("exec", "Do it.", "--approval", posture).code == 0
    assert done(daedal) == [True, True]
    assert verdicts(daedal) == [("Write", "allow", rule), ("Bash", "allow", rule)]


@requirement("RX-20", "AU-18")
def test_with_nobody_to_ask_and_no_sandbox_writing_and_running_are_refused_with_a_hint(daedal: Daedal, model):
    server = model([BOTH, say("I may not.")])
    run = daedal("exec", "Do it.", "--no-sandbox")
    assert "warning: --no-sandbox" in run.err
    assert done(daedal) == [False, False]
    assert [decision for _, decision, _ in verdicts(daedal)] == ["deny", "deny"]
    told = [block["content"] for block in server.requests[1].json["messages"][-1]["content"]]
    assert all("nobody was there to be asked; refused by default" in text for text in told)
    assert all("--approval yolo" in text for text in told)
    assert "--approval yolo" in run.err


@requirement("RX-20")
@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        (
            "WebFetch",
            {"url": "https://docs.example/a", "prompt": "x"},
            "it reaches out to the web, and nobody was there to be asked; refused by default. Nothing confines it here:"
            " the user can allow it with --allow 'WebFetch(domain:docs.example)' or --approval yolo",
        ),
        ("WebSearch", {"query": "weather"}, "it reaches out to the web, and nobody was there"),
        ("WebSearch", {"query": "weather"}, "with --allow WebSearch or"),
        ("Read", {"file_path": "/etc/hostname"}, "it reads outside the workspace, and nobody was there"),
        ("Read", {"file_path": "/etc/hostname"}, "--allow 'Read(//etc/hostname)' or"),
        ("Read", {"file_path": 3}, "InputValidationError: Read failed due to the following issue: key `file_path`"),
        ("Read", {"file_path": "a\0b"}, "not a usable path: 'a\\x00b'"),
        ("Glob", {"pattern": "*", "path": "~\0"}, "not a usable path"),
    ],
)
def test_a_refusal_says_what_is_true_and_which_rule_would_allow_it(
    daedal: Daedal, model, tool: str, given: dict[str, object], said: str
):
    model([call(tool, **given), say("I may not.")])
    assert daedal("exec", "Do it.").code == 0
    [result] = daedal.results()
    assert result["is_error"]
    assert said in result["content"]


@requirement("AU-18")
def test_the_environment_turns_the_sandbox_off_too_and_says_so(daedal: Daedal, model):
    model([BOTH, say("I may not.")])
    run = daedal("exec", "Do it.", DAEDAL_NO_SANDBOX="1")
    assert "warning: DAEDAL_NO_SANDBOX" in run.err
    assert done(daedal) == [False, False]


@requirement("RX-11")
def test_the_posture_never_refuses_instead_of_asking(daedal: Daedal, model):
    model([BOTH, say("I may not.")])
    daedal("exec", "Do it.", "--approval", "never")
    assert done(daedal) == [False, False]
    assert verdicts(daedal) == [("Write", "deny", "posture:never"), ("Bash", "deny", "posture:never")]


@requirement("SD-15", "RX-10", "RX-20")
def test_rules_by_flags_decide_before_posture_and_sandbox(daedal: Daedal, model):
    model([BOTH, say("Done.")])
    daedal("exec", "Do it.", "--approval", "yolo", "--deny", "Bash(touch:*)", "--allow", "Edit(new.txt)")
    assert verdicts(daedal) == [("Write", "allow", "allow: Edit(new.txt)"), ("Bash", "deny", "deny: Bash(touch:*)")]


def test_a_flag_that_is_no_rule_is_a_usage_error_before_anything_is_asked(daedal: Daedal, model):
    server = model([say("never")])
    run = daedal("exec", "Do it.", "--deny", "Bash(")
    assert run.code == 2
    assert "Bash(" in run.err
    assert server.requests == []


@requirement("SD-15")
@pytest.mark.parametrize(
    ("mode", "decisions"),
    [
        ("acceptEdits", ["allow", "allow"]),
        ("bypassPermissions", ["allow", "allow"]),
        ("dontAsk", ["deny", "deny"]),
        ("plan", ["deny", "deny"]),
    ],
)
def test_the_permission_mode_is_the_last_line_of_the_rules(daedal: Daedal, model, mode: str, decisions: list[str]):
    model([BOTH, say("Done.")])
    daedal("exec", "Do it.", "--permission-mode", mode)
    assert [decision for _, decision, _ in verdicts(daedal)] == decisions


@requirement("RX-20")
def test_yolo_allows_and_the_verdict_names_rule_and_principal(daedal: Daedal, model):
    model([call("Write", file_path="new.txt", content="x"), say("Done.")])
    assert daedal("exec", "Do it.", "--approval", "yolo", USER="ada").code == 0
    assert verdicts(daedal) == [("Write", "allow", "posture:yolo")]
    assert daedal.rows("SELECT principal FROM tool_permission_log") == [("person:ada",)]
    assert daedal.rows("SELECT principal FROM turns") == [("person:ada",)]


def test_reading_inside_the_workspace_is_silent_and_outside_it_is_not(daedal: Daedal, model):
    (daedal.workspace / "in.txt").write_text("inside\n")
    secret = daedal.home / "out.txt"
    secret.write_text("outside\n")
    (daedal.workspace / "link.txt").symlink_to(secret)
    model(
        [
            calls(
                ("Read", {"file_path": "in.txt"}),
                ("Read", {"file_path": str(secret)}),
                ("Read", {"file_path": "link.txt"}),
                ("Read", {"file_path": "../home/out.txt"}),
            ),
            say("Done."),
        ]
    )
    # The temporary folder counts as readable, and this test lives in it.
    daedal("exec", "Read.", TMPDIR=str(daedal.workspace))
    assert [decision for _, decision, _ in verdicts(daedal)] == ["allow", "deny", "deny", "deny"]


def test_no_posture_opens_daedals_own_keys_or_ledger_or_home(daedal: Daedal, model):
    keys = daedal.home / ".daedal" / ".env"
    keys.parent.mkdir()
    keys.write_text("SOME_KEY=not-for-models\n")
    keys.chmod(0o600)
    model(
        [
            calls(
                ("Read", {"file_path": str(keys)}),
                ("Read", {"file_path": str(daedal.database)}),
                ("Write", {"file_path": str(keys.parent / "config.toml"), "content": "x = 1"}),
                ("Edit", {"file_path": str(keys), "old_string": "not", "new_string": "now"}),
            ),
            say("Done."),
        ]
    )
    daedal("exec", "Try.", "--approval", "yolo")
    assert [decision for _, decision, _ in verdicts(daedal)] == ["deny"] * 4
    assert keys.read_text() == "SOME_KEY=not-for-models\n"


def test_what_steers_the_agent_is_not_written_even_under_yolo(daedal: Daedal, model):
    names = ["daedal.toml", ".mcp.json", ".claude/settings.json", ".git/hooks/pre-commit", ".git/config", ".daedal/x"]
    model([calls(*[("Write", {"file_path": name, "content": "x"}) for name in names]), say("Done.")])
    daedal("exec", "Try.", "--approval", "yolo")
    assert verdicts(daedal) == [("Write", "deny", "baseline:steering")] * len(names)
    assert list(daedal.workspace.iterdir()) == []


def test_an_unknown_tool_is_answered_with_the_known_ones(daedal: Daedal, model):
    model([call("Teleport", where="home"), say("Pity.")])
    assert daedal("exec", "Go.").code == 0
    (result,) = daedal.results()
    assert result["is_error"]
    assert "No such tool available: Teleport" in result["content"]
    assert "Read" in result["content"]


def test_what_steers_an_agent_is_closed_in_any_folder(daedal: Daedal, model):
    (daedal.workspace / "sub" / "deep").mkdir(parents=True)
    names = ["../.git/hooks/post-checkout", "../daedal.toml", "deep/.git/config", "deep/.claude/settings.json"]
    model([calls(*[("Write", {"file_path": name, "content": "x"}) for name in names]), say("Done.")])
    daedal("exec", "Try.", "--approval", "yolo", "-C", "sub")
    assert verdicts(daedal) == [("Write", "deny", "baseline:steering")] * len(names)


def test_a_project_cannot_choose_the_program_that_runs_commands(daedal: Daedal, model):
    evil = daedal.workspace / "evil.sh"
    evil.write_text("#!/bin/sh\ntouch owned\n")
    evil.chmod(0o755)
    (daedal.workspace / "daedal.toml").write_text('[tools.shell]\npath = "./evil.sh"\n')
    model([call("Bash", command="ls"), say("Done.")])
    run = daedal("exec", "List.", "--approval", "yolo")
    assert not (daedal.workspace / "owned").exists()
    assert "tools.shell" in run.err
