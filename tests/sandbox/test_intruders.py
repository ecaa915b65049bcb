"""Can a command make what steers an agent or git, where it is missing? And what becomes of it?"""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from daedal.protocol.confinement import Confinement
from daedal.protocol.seams import Finish, Job
from daedal.sandbox import ConfinedSpawner, Moved, ProcessSpawner, left_behind, permit
from daedal.sandbox.intruders import Intruders, Watched
from daedal.sandbox.landlock import version, wrapped
from daedal.sandbox.workshop import Workshop
from tests.sandbox.jailhouse import Jailhouse

HIDDEN = "x=$(echo .);"
"""So that nobody can read from the command where it writes."""


@pytest.fixture
def house(jailhouse: Jailhouse) -> Jailhouse:
    """With a project in it: an empty folder is left empty, so that one can clone into it."""
    (jailhouse.ws / "a.txt").write_text("a\n")
    return jailhouse


def moved_by(house: Jailhouse, *scripts: str) -> list[Moved]:
    async def scenario(walls: ConfinedSpawner) -> list[Moved]:
        for script in scripts:
            await walls.run(house.job(script))
        return walls.moved_aside()

    return house.within(scenario)


def names(house: Jailhouse) -> list[str]:
    """What is in the project, without its repository's own and without what was moved aside."""
    found = (str(path.relative_to(house.ws)) for path in house.ws.rglob("*"))
    return sorted(name for name in found if not name.startswith(".git/") and ".quarantined-" not in name)


def test_folders_that_steer_cannot_be_made(house: Jailhouse):
    finish = house.run(
        f"{HIDDEN} mkdir -p $x/.claude; echo x > $x/.claude/settings.json; mkdir -p $x/.daedal/agents;"
        "rmdir .claude; mv .claude away; ln -s /tmp .daedal/x"
    )
    assert finish.stderr.count(b"\n") == 5
    assert names(house) == ["a.txt"]  # And what stood there meanwhile is gone.


@pytest.mark.parametrize("name", ["daedal.toml", ".mcp.json", ".git/commondir", ".git/config.worktree"])
def test_a_file_that_steers_loses_its_name(house: Jailhouse, name: str):
    (house.ws / ".git").mkdir()
    (found,) = moved_by(house, f"{HIDDEN} echo evil > $x/{name}")
    assert found.path == str(house.ws / name)
    assert not (house.ws / name).exists()
    assert Path(found.aside).read_text() == "evil\n"
    assert Path(found.aside).name.startswith(f"{os.path.basename(name)}.quarantined-")


@pytest.mark.parametrize("script", ["ln -s a.txt daedal.toml", "mkdir -p daedal.toml/x", "mkfifo .mcp.json"])
def test_whatever_kind_of_file_it_is(house: Jailhouse, script: str):
    assert len(moved_by(house, script)) == 1
    assert names(house) == ["a.txt"]


def test_what_takes_the_place_of_a_link_is_new(house: Jailhouse):
    (house.ws / "real.toml").write_text("mine\n")
    (house.ws / "daedal.toml").symlink_to("real.toml")
    assert len(moved_by(house, "rm daedal.toml; echo evil > daedal.toml")) == 1
    assert names(house) == ["a.txt", "real.toml"]


def test_in_an_empty_folder_what_steers_is_found_afterwards_and_it_can_be_cloned_into(jailhouse: Jailhouse):
    git = "git -c user.name=n -c user.email=e"
    origin = jailhouse.outside / "origin"
    for words in (f"init -q {origin}", f"-C {origin} commit -q --allow-empty -m first"):
        subprocess.run(["bash", "-c", f"{git} {words}"], check=True)
    assert jailhouse.run(f"git clone -q {origin} .").exit_code == 0
    other = jailhouse.ws / "deeper"
    other.mkdir()
    jailhouse.ws = other
    found = moved_by(jailhouse, "mkdir .claude .daedal; echo x > .claude/settings.json")
    assert [os.path.basename(moved.path) for moved in found] == [".claude"]


def test_a_repository_can_be_made_and_used(house: Jailhouse):
    script = "git init -q . && git config user.name n && git config user.email e && git add a.txt && git commit -qm 1"
    script += " && git remote add origin https://example.org/x.git"
    assert moved_by(house, script) == []
    assert (house.ws / ".git" / "config").exists()


@pytest.mark.parametrize(
    "script",
    [
        "git config core.fsmonitor ./evil",
        "git config filter.x.clean ./evil",
        "git config alias.st '!./evil'",
        "git config include.path ../evil",
        "git remote add origin ext::./evil",
        "echo '[core] fsmonitor = ./evil' >> .git/config",
        "printf '[core]\\nbare = fal\\\\\\nse\\n' > .git/config",
        "ln -sf ../evil .git/config",
        "echo ./evil > .git/hooks/pre-commit",
        "rm -r .git/hooks && ln -s ../evil .git/hooks",
        "rm -r .git && mkdir evil && ln -s evil .git",
        "rm -r .git && echo gitdir: evil > .git",
    ],
)
def test_a_repository_that_would_start_something_is_disarmed(house: Jailhouse, script: str):
    found = moved_by(house, f"git init -q . && {{ {script}; }}")
    assert len(found) == 1
    assert found[0].aside


def test_what_a_person_or_a_file_tool_makes_stays(house: Jailhouse):
    async def scenario(walls: ConfinedSpawner) -> list[Moved]:
        waiting = "until [ -e go ]; do sleep 0.01; done"
        background = walls.start(house.job(waiting), str(house.outside / "output"))
        (house.ws / ".daedal" / "agent.json").write_text("{}")  # From outside, as nobody inside can.
        permit(str(house.ws / ".mcp.json"))
        (house.ws / ".mcp.json").write_text("{}")
        await walls.run(house.job("touch go"))
        await background.wait()
        (house.ws / "daedal.toml").write_text("")
        await walls.run(house.job("true"))
        return walls.moved_aside()

    assert house.within(scenario) == []
    assert names(house) == [".daedal", ".daedal/agent.json", ".mcp.json", "a.txt", "daedal.toml", "go"]


def test_what_a_command_in_the_background_makes_is_found_when_the_next_one_ends(house: Jailhouse):
    async def scenario(walls: ConfinedSpawner) -> list[Moved]:
        waiting = "echo evil > daedal.toml; touch made; until [ -e go ]; do sleep 0.01; done"
        background = walls.start(house.job(waiting), str(house.outside / "output"))
        await walls.run(house.job("until [ -e made ]; do sleep 0.01; done"))
        found = walls.moved_aside()
        await walls.run(house.job("touch go"))
        await background.wait()
        return found

    assert [moved.path for moved in house.within(scenario)] == [str(house.ws / "daedal.toml")]


def test_where_a_folder_is_only_looked_at_nothing_is_moved(house: Jailhouse):
    house.walls_say = {"read_only": [house.ws]}

    async def scenario(walls: ConfinedSpawner) -> list[Moved]:
        background = walls.start(house.job("until [ -e go ]; do sleep 0.01; done"), str(house.outside / "output"))
        (house.ws / "daedal.toml").write_text("")
        (house.ws / "go").touch()
        await background.wait()
        return walls.moved_aside()

    assert house.within(scenario) == []


def test_under_landlock_it_is_found_too(house: Jailhouse):
    assert version() >= 1

    async def scenario() -> tuple[Finish, list[Moved]]:
        spawner, intruders = ProcessSpawner([]), Intruders(house.confinement())
        workshop = Workshop(Watched(spawner.ground(), intruders))
        argv = wrapped(["bash", "-c", "mkdir .claude; echo x > .claude/y; echo x > daedal.toml"], house.confinement())
        try:
            job = Job(argv=argv, cwd=str(house.ws), env=spawner.environment(), timeout_s=30)
            return await workshop.run(job), intruders.take()
        finally:
            await workshop.close()

    finish, found = asyncio.run(scenario())
    assert (finish.exit_code, len(found)) == (0, 2)
    assert names(house) == ["a.txt"]


def test_two_jails_in_one_folder_share_what_stands_there(house: Jailhouse):
    async def scenario() -> list[bool]:
        spawner = ProcessSpawner([])
        first, second = spawner.within(house.confinement()), spawner.within(house.confinement())
        await first.run(house.job("true"))
        await second.run(house.job("true"))
        await first.close()
        there = [(house.ws / ".claude").exists()]
        await second.close()
        return [*there, (house.ws / ".claude").exists()]

    assert asyncio.run(scenario()) == [True, False]


KILLED = """
import asyncio, os, signal, sys
from daedal.protocol.confinement import Confinement
from daedal.protocol.seams import Job
from daedal.sandbox import ProcessSpawner
async def main():
    walls = ProcessSpawner([], notes=sys.argv[2]).within(Confinement(workspace=sys.argv[1], writable=[sys.argv[1]]))
    await walls.run(Job(argv=["true"], cwd="/", env=walls.environment()))
    os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(main())
"""


def test_what_a_killed_process_left_standing_goes_with_the_next_start(house: Jailhouse, tmp_path: Path):
    notes = tmp_path / "home" / "tasks"
    done = subprocess.run([sys.executable, "-c", KILLED, str(house.ws), str(notes)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert (house.ws / ".claude").is_dir()
    (house.ws / ".daedal" / "used").write_text("")
    assert left_behind(str(notes)) == []
    assert names(house) == [".daedal", ".daedal/used", "a.txt"]
    assert list(notes.iterdir()) == []


def test_a_note_that_nobody_understands_is_passed_over(tmp_path: Path):
    (tmp_path / "x.held").write_text("[")
    (tmp_path / "y.held").write_text('{"owner": 1}')
    assert left_behind(str(tmp_path)) == []


def test_the_walls_around_a_single_file_have_no_room_for_intruders(tmp_path: Path):
    intruders = Intruders(Confinement(workspace=str(tmp_path), writable=[str(tmp_path / "note")]))
    intruders.begin("command", intruders.look())
    (tmp_path / "daedal.toml").write_text("")
    intruders.end("command")
    assert intruders.take() == []
