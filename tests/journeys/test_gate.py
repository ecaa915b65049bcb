"""Does every call pass the gate, and is the answer on the record?"""

import json

import pytest

from tests.toolbox.model_server import call, calls, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


def verdicts(daedal: Daedal) -> list[tuple[str, str, str]]:
    rows = daedal.rows("SELECT tool_name, decision, reason_json FROM tool_permission_log ORDER BY id")
    return [(tool, decision, json.loads(reason)["rule"]) for tool, decision, reason in rows]


@requirement("RX-20")
@pytest.mark.parametrize("posture", [None, "ask", "auto", "never"])
def test_without_yolo_writing_and_running_are_refused_with_a_hint(daedal: Daedal, model, posture: str | None):
    server = model(
        [
            calls(("Write", {"file_path": "new.txt", "content": "x"}), ("Bash", {"command": "touch ran"})),
            say("I may not."),
        ]
    )
    flags = ["--approval", posture] if posture else []
    run = daedal("exec", "Do it.", *flags)
    assert run.code == 0
    assert not (daedal.workspace / "new.txt").exists()
    assert not (daedal.workspace / "ran").exists()
    assert [decision for _, decision, _ in verdicts(daedal)] == ["deny", "deny"]
    told = [block["content"] for block in server.requests[1].json["messages"][-1]["content"]]
    assert all("Permission denied" in text for text in told)
    if posture != "never":
        assert all("--approval yolo" in text for text in told)
        assert "--approval yolo" in run.err
    assert len(daedal("exec", "--output-format", "json", "--resume", daedal.session, "x").json) > 0


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
