"""Who writes the board? The tools of a session, and nobody else by any route."""

import json
import subprocess

import pytest

from tests.journeys.delivering import (
    TEST,
    Agent,
    Proved,
    bash,
    board,
    built,
    claim,
    deliver,
    listing,
    plant,
    prepared,
    results,
    write,
)
from tests.toolbox.model_server import say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

STATUS = ".daedal/status.json"
FORGE = "p = '.dae' + 'dal/status.json'\nt = open(p).read()\nopen(p, 'w').write(t.replace('false', 'true', 1))\n"
REMOVE = "import os\nos.unlink('.dae' + 'dal/status.json')\n"


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


@requirement("AU-05", "AU-17", "AU-18")
def test_without_a_sandbox_it_warns_and_the_guard_and_the_board_hold(project: Daedal, model):
    path, outside = project.workspace / STATUS, project.home / "outside.txt"
    true = path.read_text()
    tries = [
        *[write(str(outside), "x"), bash("curl example.com"), bash(f"rm {outside}")],
        *[write("forge.py", FORGE), bash("python3 forge.py"), listing()],
        *[write("forge.py", REMOVE), bash("python3 forge.py")],
    ]
    server = model(Agent([*tries, *built("adding"), claim("CORE-001", TEST), say("Done!")]))
    done = deliver(project, "--no-sandbox")
    assert done.code == 0, done.out + done.err
    assert "--no-sandbox" in done.err
    told = results(server.requests[-1])
    assert "guard:unlisted" in told[1]
    assert "guard:" in told[2]
    # A forged board is put back and kept aside; one that was removed is back.
    assert "put back as the tools left it" in done.err
    assert json.loads(told[5])["summary"]["passed"] == 0
    kept = [one.read_text() for one in path.parent.glob("status.json.foreign-*")]
    assert kept == [true.replace("false", "true", 1)]
    assert "was removed by somebody else" in done.err
    assert board(project) == {"CORE-001": "passed"}


@requirement("AU-05")
def test_ids_that_somebody_changed_between_runs_are_said_and_count_as_they_stand(daedal: Daedal, model, proved: Proved):
    project = proved.copy(daedal)
    model([])
    path = project.workspace / STATUS
    path.write_text(path.read_text().replace("CORE-001", "CORE-009"))
    done = deliver(project)
    assert done.code == 0
    assert "was changed since the last run ended" in done.err
    assert board(project) == {"CORE-009": "passed", "CORE-002": "blocked"}
    assert deliver(project).err == ""
    path.write_text(json.dumps({**json.loads(path.read_text()), "deliverables": [*double(path.read_text())]}))
    twice = project("run")
    assert twice.code == 2
    assert "CORE-009 stands there twice" in twice.err


def double(text: str) -> list[dict[str, object]]:
    return [*json.loads(text)["deliverables"]] * 2
