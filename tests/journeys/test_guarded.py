"""What may work do that nobody watches? The guard refuses with reasons, the walls hold, the agent file needs trust."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.toolbox.model_server import calls, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

AGENT = {
    "allowCommands": {"base": ["hostname"], "run": ["whoami"], "sync": ["uptime"]},
    "permissions": {"allow": ["Read(//**)"]},
}


@pytest.fixture
def project(daedal: Daedal) -> Daedal:
    (daedal.workspace / ".daedal").mkdir()
    (daedal.workspace / ".daedal" / "status.json").write_text("{}")
    (daedal.workspace / "a.py").write_text("print(1)\n")
    return daedal


def attempt(daedal: Daedal, model, profile: str, wanted: Sequence[tuple[str, dict[str, object]]], *flags: str):
    """Lets the model try each call; how each was decided, and what it was told."""
    server = model([calls(*wanted), say("Done.")])
    temp = daedal.root / "tmp"
    temp.mkdir(exist_ok=True)
    # The temporary folder may be written, and this test lives in it.
    run = daedal("exec", "Go.", "--guard", profile, *flags, TMPDIR=str(temp))
    assert run.code == 0, run.err
    assert "Traceback" not in run.err
    told = [block["content"] for block in server.requests[1].json["messages"][-1]["content"]]
    rows = daedal.rows("SELECT decision, reason_json FROM tool_permission_log ORDER BY id")[-len(wanted) :]
    return [(decision, json.loads(reason)["rule"]) for decision, reason in rows], told


def bash(*commands: str) -> list[tuple[str, dict[str, object]]]:
    return [("Bash", {"command": command}) for command in commands]


@requirement("AU-14")
def test_what_is_listed_runs_and_what_is_not_is_refused_with_what_to_do_instead(project: Daedal, model):
    decided, told = attempt(project, model, "run", bash("ls", "mkdir made", "curl x", "ls; wget x", "bash -c ls"))
    assert [decision for decision, _ in decided] == ["allow", "allow", "deny", "deny", "deny"]
    assert all(rule.startswith("guard:") for decision, rule in decided if decision == "deny")
    assert "agent.json" in told[2]
    assert (project.workspace / "made").is_dir()


@requirement("AU-14", "AU-18")
def test_no_flag_and_no_rule_lifts_the_guard(project: Daedal, model):
    flags = ["--approval", "yolo", "--allow", "Bash", "--permission-mode", "bypassPermissions"]
    decided, _ = attempt(project, model, "run", bash("curl x", "rm -rf a.py", "cat x $(wget y)"), *flags)
    assert [decision for decision, _ in decided] == ["deny"] * 3
    assert (project.workspace / "a.py").exists()


@requirement("AU-17", "RX-16")
@pytest.mark.parametrize("profile", ["run", "sync"])
def test_the_state_folder_is_untouched_by_any_route(project: Daedal, model, profile: str):
    (project.workspace / "w.py").write_text("open('.daedal/status.json', 'w').write('x')\n")
    (project.workspace / "m.py").write_text("import os\nos.rename('.daedal', 'gone')\n")
    (project.workspace / "away").symlink_to(".daedal")
    wanted = [
        *bash("echo x > .daedal/status.json", "cp a.py .daedal/status.json", "python3 w.py", "python3 m.py"),
        ("Write", {"file_path": ".daedal/status.json", "content": "x"}),
        ("Write", {"file_path": "away/status.json", "content": "x"}),
        ("Edit", {"file_path": ".daedal/status.json", "old_string": "{}", "new_string": "x"}),
    ]
    attempt(project, model, profile, wanted, "--approval", "yolo")
    assert (project.workspace / ".daedal" / "status.json").read_text() == "{}"


@requirement("AU-17")
def test_a_state_folder_that_is_not_there_yet_cannot_be_made(daedal: Daedal, model):
    (daedal.workspace / "w.py").write_text("import os\nos.makedirs('.daedal/x')\n")
    attempt(daedal, model, "run", bash("python3 w.py", "mkdir -p .daedal/y"), "--approval", "yolo")
    assert not (daedal.workspace / ".daedal" / "x").exists()
    assert not (daedal.workspace / ".daedal" / "y").exists()


@requirement("AU-17")
def test_sync_writes_its_note_and_nothing_else_of_the_project(project: Daedal, model):
    (project.workspace / "w.py").write_text("open('made.txt', 'w').write('x')\n")
    (project.workspace / "e.py").write_text("open('a.py', 'a').write('x')\n")
    before = {path.name for path in project.workspace.iterdir()}
    wanted = [
        ("Write", {"file_path": ".daedal-note.md", "content": "what is wrong\n"}),
        ("Write", {"file_path": "b.py", "content": "x"}),
        ("Edit", {"file_path": "a.py", "old_string": "1", "new_string": "2"}),
        *bash("python3 w.py", "python3 e.py", "mkdir d", "touch a.py"),
    ]
    decided, told = attempt(project, model, "sync", wanted, "--approval", "yolo")
    assert decided[0][0] == "allow"
    assert [rule for _, rule in decided[1:3]] == ["guard:read-only"] * 2
    assert "Read-only file system" in told[3]
    assert {path.name for path in project.workspace.iterdir()} == {".daedal-note.md", *before}
    assert (project.workspace / "a.py").read_text() == "print(1)\n"


@requirement("AU-15", "SD-27")
def test_what_the_agent_file_adds_counts_by_tier_once_the_folder_is_trusted(project: Daedal, model):
    (project.workspace / ".daedal" / "agent.json").write_text(json.dumps(AGENT))
    outside = project.home / "notes.txt"
    outside.write_text("private\n")
    wanted = [*bash("hostname", "whoami", "uptime"), ("Read", {"file_path": str(outside)})]
    verdict = {True: "allow", False: "deny"}

    def decided(profile: str) -> list[str]:
        return [decision for decision, _ in attempt(project, model, profile, wanted)[0]]

    assert decided("run") == decided("sync") == ["deny"] * 4
    shown = project("trust", "--yes").out
    assert "lets unattended work do more" in shown
    assert decided("run") == [verdict[on] for on in (True, True, False, True)]
    assert decided("sync") == [verdict[on] for on in (True, False, True, True)]
    (project.workspace / ".daedal" / "agent.json").write_text(json.dumps({**AGENT, "allowPkillTargets": ["x"]}))
    assert decided("run") == ["deny"] * 4


@requirement("AU-15")
def test_a_tool_that_the_agent_file_allows_is_allowed_in_a_trusted_folder(project: Daedal, model):
    (project.workspace / ".daedal" / "agent.json").write_text('{"allowedTools": ["Write"]}')
    wanted = [("Write", {"file_path": "new.txt", "content": "x"})]
    assert attempt(project, model, "run", wanted, "--no-sandbox")[0][0][0] == "deny"
    project("trust", "--yes")
    assert attempt(project, model, "run", wanted, "--no-sandbox")[0][0][0] == "allow"


@requirement("AU-15")
def test_a_profile_narrows_without_trust(project: Daedal, model):
    (project.workspace / ".daedal" / "agent.json").write_text('{"profile": "go"}')
    decided, _ = attempt(project, model, "run", bash("npm test", "ls"))
    assert [decision for decision, _ in decided] == ["deny", "allow"]


@requirement("AU-15")
def test_what_is_wrong_in_the_agent_file_is_dropped_with_a_warning(project: Daedal, model):
    said = {**AGENT, "permissions": {"allow": ["Bash(", "Read(//**)"], "deny": []}, "color": 1}
    (project.workspace / ".daedal" / "agent.json").write_text(json.dumps(said))
    project("trust", "--yes")
    model([calls(*bash("hostname")), say("Done.")])
    run = project("exec", "Go.", "--guard", "run")
    assert run.code == 0
    assert '"Bash(" is no permission rule' in run.err
    assert "color" in run.err


@requirement("AU-18")
def test_without_walls_unattended_commands_are_refused(project: Daedal, model):
    decided, _ = attempt(project, model, "run", bash("ls"), "--no-sandbox")
    assert [decision for decision, _ in decided] == ["deny"]


@requirement("AU-14")
def test_the_agent_file_of_a_link_out_of_the_project_is_not_followed(daedal: Daedal, model):
    elsewhere: Path = daedal.root / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "agent.json").write_text('{"allowCommands": ["whoami"]}')
    (daedal.workspace / ".daedal").symlink_to(elsewhere)
    model([calls(*bash("whoami")), say("Done.")])
    run = daedal("exec", "Go.", "--guard", "run")
    assert "Traceback" not in run.err
    daedal("trust", "--yes")
    model([calls(*bash("whoami")), say("Done.")])
    daedal("exec", "Go.", "--guard", "run")
    assert daedal.rows("SELECT DISTINCT decision FROM tool_permission_log") == [("deny",)]


@requirement("AU-16")
@pytest.mark.parametrize(("profile", "flags", "is_gone"), [("run", ["--allow-destructive"], True), ("run", [], False)])
def test_removing_needs_a_flag_and_stays_inside_the_project(
    project: Daedal, model, profile: str, flags: list[str], is_gone: bool
):
    outside = project.root / "outside.txt"
    outside.write_text("keep\n")
    decided, _ = attempt(project, model, profile, bash("rm a.py", f"rm {outside}"), *flags)
    assert (project.workspace / "a.py").exists() is not is_gone
    assert decided[1] == ("deny", "guard:destructive")
    assert outside.exists()


@requirement("AU-16")
def test_the_flag_is_warned_of_and_counts_for_nothing_while_verifying(project: Daedal, model):
    decided, _ = attempt(project, model, "sync", bash("rm a.py"), "--allow-destructive")
    assert decided[0][0] == "deny"
    assert (
        "warning: --allow-destructive"
        in project("--eval", '{"tool":"Glob","input":{"pattern":"*"}}', "--allow-destructive").err
    )
