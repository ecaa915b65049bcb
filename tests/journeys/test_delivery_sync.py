"""Is existing code checked against its specification without being touched? `daedal sync`."""

import json
import subprocess

import pytest

from tests.journeys.delivering import (
    TEST,
    Agent,
    bash,
    board,
    claim,
    create,
    deliver,
    deprecate,
    listing,
    plant,
    prepared,
    results,
    verify,
    write,
)
from tests.toolbox.model_server import call, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


@pytest.fixture
def project(daedal: Daedal) -> Daedal:
    prepared(daedal)
    (daedal.workspace / "test_it.py").write_text(
        "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        pass\n"
    )
    return daedal


@requirement("AU-02", "AU-03", "AU-04", "AU-05", "AU-07", "AU-13")
def test_the_board_follows_the_specification_and_each_deliverable_is_verified(project: Daedal, model):
    plant(project, CORE_001="pending", OLD_001="passed", OLD_002="deprecated")
    agent = Agent(
        [listing(), create("CORE-002"), deprecate("OLD-001"), create("OLD-002"), deprecate("OLD-002"), say("Planned.")],
        [bash(TEST), claim("CORE-001", TEST), verify("CORE-001"), say("One.")],
        [claim("CORE-002", status="pending"), verify("CORE-002"), say("Two.")],
    )
    server = model(agent)
    done = deliver(project, command="sync")
    assert done.code == 0, done.out + done.err
    assert [agent.tools(number) for number in range(3)] == [
        {"create", "deprecate", "list"},
        {"set_status", "verify", "list"},
        {"set_status", "verify", "list"},
    ]
    assert board(project) == {"CORE-001": "passed", "OLD-001": "passed", "OLD-002": "pending", "CORE-002": "pending"}
    given_up = {
        one["id"]: one["deprecatedAt"]
        for one in json.loads((project.workspace / ".daedal" / "status.json").read_text())["deliverables"]
        if "deprecatedAt" in one
    }
    assert list(given_up) == ["OLD-001", "OLD-002"]
    assert given_up["OLD-002"] == "2025-01-10"
    assert "OLD-002 is taken; ids never change and are never used again" in results(server.requests[5])[3]
    assert "All 2 deliverables verified" in done.out
    assert "Verification complete, partial impl" in done.out
    assert "Overall: 3 session(s), 2/2 verified, cost=$" in done.out
    models = [request.json["model"] for request in server.requests]
    assert "opus" in models[0]
    assert "sonnet" in models[-1]


@requirement("AU-02")
def test_what_has_passed_is_verified_all_the_same_and_can_be_asked_for_by_that(project: Daedal, model):
    plant(project, CORE_001="passed", CORE_002="passed")
    agent = Agent(
        [listing(), say("Nothing new.")],
        [verify("CORE-001"), listing(filter={"verified": False}), verify("CORE-009"), verify("CORE-002"), say("Done.")],
    )
    server = model(agent)
    done = deliver(project, command="sync")
    assert done.code == 0, done.out + done.err
    assert agent.begun == 2
    assert "Verification complete, all passed" in done.out
    told = results(server.requests[-1])
    assert "CORE-002" in told[1]
    assert "CORE-001" not in told[1]
    assert "no deliverable 'CORE-009'" in told[2]


@requirement("AU-02", "AU-17")
def test_no_source_file_is_changed_also_by_git_and_the_note_and_the_board_may_be_committed(project: Daedal, model):
    plant(project, CORE_001="pending")

    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=project.workspace, check=True, capture_output=True, text=True)
        return done.stdout

    git("init", "-q")
    git("config", "user.name", "Ada")
    git("config", "user.email", "ada@example.com")
    git("add", "-A")
    git("commit", "-q", "-m", "Begin")
    (project.workspace / "test_it.py").write_text("# another\n")
    agent = Agent(
        [listing(), say("Nothing new.")],
        [
            write("app.py", "x = 1\n"),
            call("Edit", file_path="test_it.py", old_string="another", new_string="third"),
            bash("python3 -c \"open('y.py','w').write('x')\""),
            bash("mkdir made"),
            claim("CORE-001", status="blocked"),
            write(".daedal-note.md", "no key\n"),
            bash("git add .daedal/status.json .daedal-note.md && git commit -q -m 'What is blocked'"),
            bash("git checkout -- test_it.py"),
            bash("git stash"),
            verify("CORE-001"),
            say("Done."),
        ],
    )
    model(agent)
    before = {path.name: path.read_bytes() for path in project.workspace.iterdir() if path.is_file()}
    done = deliver(project, command="sync")
    assert done.code == 0, done.out
    assert "although it may only look" not in done.err
    after = {path.name: path.read_bytes() for path in project.workspace.iterdir() if path.is_file()}
    assert after == {**before, ".daedal-note.md": b"no key\n"}
    assert not (project.workspace / "made").exists()
    assert git("show", "--stat", "--format=%s", "HEAD").splitlines()[0] == "What is blocked"
    assert board(project) == {"CORE-001": "blocked"}


@requirement("AU-02", "AU-18")
def test_where_nothing_confines_it_work_goes_on_and_a_change_of_source_is_at_least_said(project: Daedal, model):
    plant(project, CORE_001="pending")
    (project.workspace / "test_forge.py").write_text("open('app.py', 'w').write('x = 1')\n")
    agent = Agent([listing(), say("Nothing new.")], [bash(TEST), verify("CORE-001"), say("Done.")])
    model(agent)
    done = deliver(project, command="sync", DAEDAL_NO_SANDBOX="1")
    assert done.code == 0, done.out + done.err
    assert "warning: DAEDAL_NO_SANDBOX=1: commands run with all of your rights" in done.err
    assert "although it may only look · see git status" in done.err


@requirement("AU-10")
def test_what_only_a_run_may_do_is_no_option_of_sync(project: Daedal):
    for flag in ("--allow-destructive", "--no-sandbox"):
        assert project("sync", flag).code == 2
