"""Who writes the board? The tools of a session, and nobody else by any route."""

import json
import subprocess

import pytest

from tests.journeys.delivering import (
    TEST,
    Agent,
    bash,
    board,
    built,
    claim,
    create,
    deliver,
    listing,
    plant,
    prepared,
    results,
    write,
)
from tests.toolbox.model_server import call, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

STATUS = ".daedal/status.json"
FORGE = "p = '.dae' + 'dal/status.json'\nt = open(p).read()\nopen(p, 'w').write(t.replace('false', 'true', 1))\n"


@pytest.fixture
def project(daedal: Daedal) -> Daedal:
    prepared(daedal)
    plant(daedal, CORE_001="pending")
    return daedal


def git(project: Daedal, *words: str) -> str:
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    command = ["git", *identity, *words]
    done = subprocess.run(command, cwd=project.workspace, env=project.environment(), check=True, capture_output=True)
    return done.stdout.decode()


@requirement("AU-05", "AU-17")
def test_git_does_not_bring_back_another_board(project: Daedal, model):
    path = project.workspace / STATUS
    true = path.read_text()
    git(project, "init", "-q")
    path.write_text(true.replace('"passed": false', '"passed": true'))
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "Forged")
    path.write_text(true)
    git(project, "commit", "-q", "-a", "-m", "True")
    patch = git(project, "diff", "HEAD", "HEAD~1", "--", STATUS)
    attempts = [
        f"git checkout HEAD~1 -- {STATUS}",
        f"git restore --source HEAD~1 {STATUS}",
        "git checkout -q HEAD~1",
        "git reset --hard HEAD~1",
        "git revert --no-edit HEAD",
        "git apply forged.patch",
        "git stash -u && git stash pop",
        f"git mv {STATUS} aside.json",
        f"git rm -f {STATUS}",
        f"git show HEAD~1:{STATUS} > {STATUS}",
        f"cp aside.json {STATUS}",
        "git worktree add .daedal/w HEAD~1",
    ]
    model(Agent([write("forged.patch", patch), *(bash(attempt) for attempt in attempts), say("Done!")]))
    deliver(project, "-n", "1")
    assert path.read_text() == true


@requirement("AU-05", "AU-18")
def test_without_a_sandbox_a_forged_board_is_put_back_and_kept_aside(project: Daedal, model):
    path = project.workspace / STATUS
    true = path.read_text()
    model(Agent([write("forge.py", FORGE), bash("python3 forge.py"), say("Done!")]))
    done = deliver(project, "-n", "1", "--no-sandbox")
    assert done.code == 53, done.out + done.err
    assert "put back as the tools left it" in done.err
    assert path.read_text() == true
    kept = [one.read_text() for one in path.parent.glob("status.json.foreign-*")]
    assert kept == [true.replace("false", "true", 1)]
    assert "0/1 passed" in project("status").out


@requirement("AU-05")
def test_a_board_that_was_removed_during_a_run_is_back(project: Daedal, model):
    script = "import os\nos.unlink('.dae' + 'dal/status.json')\n"
    model(Agent([write("forge.py", script), bash("python3 forge.py"), *built("adding"), claim("CORE-001", TEST)]))
    done = deliver(project, "--no-sandbox")
    assert done.code == 0, done.out + done.err
    assert "was removed by somebody else" in done.err
    assert board(project) == {"CORE-001": "passed"}


@requirement("AU-05")
def test_ids_that_somebody_changed_between_runs_are_said_and_count_as_they_stand(project: Daedal, model):
    model(Agent([*built("adding"), claim("CORE-001", TEST), say("Done.")], [listing(), say("Hm.")]))
    assert deliver(project).code == 0
    path = project.workspace / STATUS
    path.write_text(path.read_text().replace("CORE-001", "CORE-009"))
    done = deliver(project)
    assert done.code == 0
    assert "was changed since the last run ended" in done.err
    assert board(project) == {"CORE-009": "passed"}
    assert deliver(project).err == ""
    path.write_text(json.dumps({**json.loads(path.read_text()), "deliverables": [*double(path.read_text())]}))
    twice = project("run")
    assert twice.code == 2
    assert "CORE-009 stands there twice" in twice.err


def double(text: str) -> list[dict[str, object]]:
    return [*json.loads(text)["deliverables"]] * 2


@requirement("AU-05", "AU-07")
def test_an_id_that_was_given_up_is_never_used_again(project: Daedal, model):
    plant(project, CORE_001="pending", OLD_001="deprecated")
    server = model(
        Agent([create("OLD-001"), call("mcp__deliverables__deprecate", deliverableId="OLD-001"), say("Ok.")])
    )
    deliver(project, "-n", "1", command="sync")
    assert "OLD-001 is taken; ids never change and are never used again" in results(server.requests[-1])[0]
    assert board(project) == {"CORE-001": "pending", "OLD-001": "pending"}
    assert '"deprecatedAt": "2025-01-10"' in (project.workspace / STATUS).read_text()


@requirement("AU-18")
def test_the_variable_that_turns_the_sandbox_off_lets_unattended_work_go_on(project: Daedal, model):
    model(Agent([*built("adding"), claim("CORE-001", TEST), say("Done.")]))
    done = deliver(project, DAEDAL_NO_SANDBOX="1")
    assert done.code == 0, done.out + done.err
    assert "warning: DAEDAL_NO_SANDBOX=1: commands run with all of your rights" in done.err


@requirement("AU-18", "AU-17")
def test_without_a_sandbox_the_guard_holds(project: Daedal, model):
    outside = project.home / "outside.txt"
    project.env["TMPDIR"] = str(project.root / "tmp")
    agent = Agent([write(str(outside), "x"), bash("curl example.com"), bash(f"rm {outside}"), say("Done.")])
    server = model(agent)
    deliver(project, "-n", "1", "--no-sandbox")
    told = results(server.requests[-1])
    assert "guard:unlisted" in told[1]
    assert "guard:" in told[2]
