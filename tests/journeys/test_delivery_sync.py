"""Is existing code checked against its specification without being touched? `daedal sync`."""

import subprocess

import pytest

from tests.journeys.delivering import (
    DELIVERABLES,
    TEST,
    Agent,
    bash,
    board,
    claim,
    create,
    deliver,
    listing,
    plant,
    prepared,
    results,
    verify,
    write,
)
from tests.toolbox.model_server import call, say, stall
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement


@pytest.fixture
def project(daedal: Daedal) -> Daedal:
    prepared(daedal)
    (daedal.workspace / "test_it.py").write_text(
        "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        pass\n"
    )
    return daedal


@requirement("AU-02", "AU-03", "AU-04", "AU-07", "AU-13")
def test_the_board_follows_the_specification_and_each_deliverable_is_verified(project: Daedal, model):
    plant(project, CORE_001="pending", OLD_001="passed")
    agent = Agent(
        [listing(), create("CORE-002"), call(f"{DELIVERABLES}deprecate", deliverableId="OLD-001"), say("Planned.")],
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
    assert board(project) == {"CORE-001": "passed", "OLD-001": "passed", "CORE-002": "pending"}
    assert '"deprecatedAt": "20' in (project.workspace / ".daedal" / "status.json").read_text()
    assert "All 2 deliverables verified" in done.out
    assert "Verification complete, partial impl" in done.out
    assert "Overall: 3 session(s), 2/2 verified, cost=$" in done.out
    models = [request.json["model"] for request in server.requests]
    assert "opus" in models[0]
    assert "sonnet" in models[-1]


@requirement("AU-02")
def test_what_has_passed_is_verified_all_the_same(project: Daedal, model):
    plant(project, CORE_001="passed")
    agent = Agent([listing(), say("Nothing new.")], [bash(TEST), verify("CORE-001"), say("Done.")])
    model(agent)
    done = deliver(project, command="sync")
    assert done.code == 0, done.out + done.err
    assert agent.begun == 2
    assert "Verification complete, all passed" in done.out


@requirement("AU-02", "AU-17")
def test_no_source_file_is_changed_and_the_note_is_kept(project: Daedal, model):
    plant(project, CORE_001="pending")
    agent = Agent(
        [listing(), say("Nothing new.")],
        [
            write("app.py", "x = 1\n"),
            call("Edit", file_path="test_it.py", old_string="pass", new_string="fail"),
            bash("python3 -c \"open('y.py','w').write('x')\""),
            bash("mkdir made"),
            write(".daedal-note.md", "it is missing\n"),
            claim("CORE-001", status="pending"),
            verify("CORE-001"),
            say("Done."),
        ],
    )
    model(agent)
    before = {path.name: path.read_bytes() for path in project.workspace.iterdir() if path.is_file()}
    assert deliver(project, command="sync").code == 0
    after = {path.name: path.read_bytes() for path in project.workspace.iterdir() if path.is_file()}
    assert after == {**before, ".daedal-note.md": b"it is missing\n"}


@requirement("AU-02", "AU-17")
def test_the_note_and_the_board_may_be_committed_and_no_source_is_touched_by_git(project: Daedal, model):
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
    assert deliver(project, command="sync").code == 0
    assert git("show", "--stat", "--format=%s", "HEAD").splitlines()[0] == "What is blocked"
    assert (project.workspace / "test_it.py").read_text() == "# another\n"
    assert board(project) == {"CORE-001": "blocked"}


@requirement("AU-02", "AU-18")
def test_where_nothing_confines_it_a_change_of_source_is_at_least_said(project: Daedal, model):
    plant(project, CORE_001="pending")
    (project.workspace / "test_forge.py").write_text("open('app.py', 'w').write('x = 1')\n")
    agent = Agent([listing(), say("Nothing new.")], [bash(TEST), verify("CORE-001"), say("Done.")])
    model(agent)
    assert "although it may only look" not in deliver(project, command="sync").err
    agent.begun = 0
    done = deliver(project, command="sync", DAEDAL_NO_SANDBOX="1")
    assert "although it may only look · see git status" in done.err


@requirement("AU-02")
def test_deliverables_are_asked_for_by_whether_they_are_verified(project: Daedal, model):
    plant(project, CORE_001="pending", CORE_002="pending")
    agent = Agent(
        [listing(), say("Nothing new.")],
        [verify("CORE-001"), listing(filter={"verified": False}), verify("CORE-002"), verify("CORE-009"), say("Done.")],
    )
    server = model(agent)
    deliver(project, command="sync")
    told = results(server.requests[-1])
    assert "CORE-002" in told[1]
    assert "CORE-001" not in told[1]
    assert "no deliverable 'CORE-009'" in told[3]


@requirement("AU-10")
def test_what_only_a_run_may_do_is_no_option_of_sync(project: Daedal):
    for flag in ("--allow-destructive", "--no-sandbox"):
        assert project("sync", flag).code == 2


@requirement("AU-02")
def test_killed_while_verifying_it_verifies_the_rest(project: Daedal, model):
    plant(project, CORE_001="pending", CORE_002="pending")
    agent = Agent(
        [listing(), say("Nothing new.")],
        [claim("CORE-001", status="pending"), verify("CORE-001"), say("One.")],
        [stall(after=-1)],
        [claim("CORE-002", status="pending"), verify("CORE-002"), say("Two.")],
    )
    server = model(agent)
    process = project.start("sync", "--session-delay", "0")
    server.wait_for_stall()
    process.kill()
    process.communicate(timeout=20)
    done = deliver(project, command="sync")
    assert done.code == 0, done.out + done.err
    assert agent.tools(3) == {"set_status", "verify", "list"}
    assert "Overall: 4 session(s), 2/2 verified" in done.out
