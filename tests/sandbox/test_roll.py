"""Is every command in the background on the list, and can nobody make the list lie?"""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from daedal.sandbox import Entry, ProcessSpawner, Roll, SpawnFailed, left_behind, marked, ourselves, stop_command
from daedal.sandbox.presence import Owner, Presence, here
from daedal.sandbox.roll import KEPT_MAX, KEPT_S, closed
from tests.sandbox.watching import alive, nap, shell, until

GONE = Owner(pid=2**22 - 1, started=1, place=here())


def entry(identity: str = "bash_00000001", **details: object) -> Entry:
    plain = Entry(
        id=identity,
        session="thread",
        command="make",
        cwd="/ws",
        output=f"/nowhere/{identity}.output",
        since=time.time(),
        owner=ourselves(),
    )
    return replace(plain, **details)


def test_what_was_noted_is_found_and_private(tmp_path: Path):
    roll = Roll(str(tmp_path / "home" / "tasks"))
    roll.put(entry())
    assert roll.get("bash_00000001") == roll.entries()[0]
    [path] = (tmp_path / "home" / "tasks").iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    roll.remove("bash_00000001")
    assert roll.entries() == []


def test_an_ended_one_takes_the_place_of_the_running(tmp_path: Path):
    roll = Roll(str(tmp_path))
    roll.put(entry())
    roll.put(closed(entry(), exit_code=3))
    found = roll.get("bash_00000001")
    assert found is not None
    assert found.exit_code == 3
    assert [path.name for path in tmp_path.iterdir()] == ["bash_00000001.ended"]


@pytest.mark.parametrize(
    "name", ["../../x", "", "bash_", "bash_0000000G", "bash_00000001/../x", "a" * 300, "bash_00000001\n"]
)
def test_an_id_that_is_none_leads_nowhere(tmp_path: Path, name: str):
    (tmp_path / "x").write_text("{}")
    assert Roll(str(tmp_path / "a" / "b")).get(name) is None
    Roll(str(tmp_path)).discard(name)
    assert (tmp_path / "x").exists()


def test_garbage_in_the_folder_is_passed_over(tmp_path: Path):
    roll = Roll(str(tmp_path))
    roll.put(entry())
    (tmp_path / "bash_00000002.task").write_bytes(b"\xff\xfe{")
    (tmp_path / "bash_00000003.task").write_text("[]")
    (tmp_path / "bash_00000004.task").write_bytes((tmp_path / "bash_00000001.task").read_bytes())  # another's name
    (tmp_path / "bash_00000005.task").symlink_to(tmp_path / "bash_00000001.task")
    (tmp_path / "bash_00000006.task").mkdir()
    os.mkfifo(tmp_path / "bash_00000007.task")
    (tmp_path / "bash_00000008.ended").write_bytes((tmp_path / "bash_00000001.task").read_bytes())
    (tmp_path / "garbage.process").write_text("garbage")
    (tmp_path / "empty.process").write_text("")
    (tmp_path / "readme").write_text("hello")
    assert [found.id for found in roll.entries()] == ["bash_00000001"]
    assert left_behind(str(tmp_path)) == []


def test_a_list_that_cannot_be_written_keeps_the_command_from_starting(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SpawnFailed, match="cannot note the command"):
        Roll(str(tmp_path / "file" / "tasks")).put(entry())
    with pytest.raises(SpawnFailed, match="cannot note the command"):
        Roll(str(tmp_path)).put(entry(command="\ud800"))


def test_what_ended_long_ago_is_forgotten_with_its_output(tmp_path: Path):
    roll = Roll(str(tmp_path / "tasks"))
    for number, age in ((1, KEPT_S + 60), (2, 60)):
        (tmp_path / str(number)).mkdir()
        output = tmp_path / str(number) / f"bash_0000000{number}.output"
        output.write_text("x")
        found = closed(entry(f"bash_0000000{number}", output=str(output), detached=True))
        roll.put(replace(found, ended=time.time() - age))
    other = closed(entry("bash_00000003", output=str(tmp_path / "2" / "bash_00000002.output")))
    roll.put(replace(other, ended=1.0))  # its output is not called after it, so it is not its
    roll.prune()
    assert [found.id for found in roll.entries()] == ["bash_00000002"]
    assert not (tmp_path / "1").exists()
    assert (tmp_path / "2" / "bash_00000002.output").exists()


def test_only_so_many_ended_ones_are_kept(tmp_path: Path):
    roll = Roll(str(tmp_path))
    for number in range(KEPT_MAX + 5):
        roll.put(closed(entry(f"bash_{number:08x}", since=float(number))))
    roll.prune()
    assert len(roll.entries()) == KEPT_MAX
    assert min(found.since for found in roll.entries()) == 5.0


def test_a_process_is_told_from_a_later_one_with_its_number():
    us = ourselves()
    assert us.is_alive()
    assert not replace(us, started=us.started - 1).is_alive()
    assert not GONE.is_alive()


def test_nothing_outlives_the_machine_it_ran_on():
    assert not replace(ourselves(), place=replace(here(), boot="an earlier one")).is_alive()


@pytest.mark.parametrize("what", ["machine", "namespace"])
def test_what_counts_elsewhere_is_left_alone(tmp_path: Path, what: str):
    far = replace(GONE, place=replace(here(), **{what: "another"}))
    Roll(str(tmp_path)).put(entry(owner=far))
    assert left_behind(str(tmp_path)) == []
    assert [found.id for found in Roll(str(tmp_path)).entries()] == ["bash_00000001"]
    assert asyncio.run(stop_command(str(tmp_path), entry(owner=far))) is False


def test_a_process_that_starts_commands_leaves_a_note_and_takes_it_back(tmp_path: Path):
    notes = tmp_path / "home" / "tasks"

    async def scenario() -> None:
        spawner = ProcessSpawner([], notes=str(notes))
        assert not notes.exists()
        await spawner.run(shell(spawner, "true", tmp_path))
        await spawner.run(shell(spawner, "true", tmp_path))
        [note] = notes.iterdir()
        assert note.name.startswith(f"{os.getpid()}-")
        assert note.stat().st_mode & 0o777 == 0o600
        assert left_behind(str(notes)) == []
        await spawner.close()

    asyncio.run(scenario())
    assert list(notes.iterdir()) == []


def test_a_note_that_cannot_be_written_keeps_nobody_from_working(tmp_path: Path):
    (tmp_path / "file").write_text("")
    presence = Presence(str(tmp_path / "file" / "tasks"))
    presence.tell()
    presence.withdraw()


CRASH = """
import asyncio, os, signal, sys
from daedal.protocol.seams import Job
from daedal.sandbox import ProcessSpawner

async def main():
    spawner = ProcessSpawner([], notes=sys.argv[1])
    job = Job(argv=["bash", "-c", f"{sys.argv[2]} & echo; {sys.argv[2]}"], cwd="/", env=spawner.environment())
    def crash(_):
        os.kill(os.getpid(), signal.SIGKILL)
    await spawner.feed(job, crash)

asyncio.run(main())
"""


def test_after_a_crash_what_still_runs_is_named_and_can_be_ended(tmp_path: Path):
    sleep = nap()
    subprocess.run([sys.executable, "-c", CRASH, str(tmp_path), sleep], check=False, timeout=30)

    async def scenario() -> None:
        await until(lambda: len(alive(sleep)) == 2)
        [left] = left_behind(str(tmp_path))
        assert sleep in left.command
        assert set(alive(sleep)) <= set(left.pids)
        assert f"daedal tasks stop {left.id}" in left.sentence
        assert left_behind(str(tmp_path)) == [left]
        assert await stop_command(str(tmp_path), left)
        assert alive(sleep) == []
        assert left_behind(str(tmp_path)) == []

    asyncio.run(scenario())
    assert list(tmp_path.iterdir()) == []


def test_a_task_of_a_crashed_owner_keeps_its_name_while_it_runs(tmp_path: Path):
    sleep = nap()

    async def scenario() -> None:
        spawner = ProcessSpawner([])
        roll = Roll(str(tmp_path / "tasks"))
        roll.put(entry(owner=GONE))
        job = shell(spawner, sleep, tmp_path, timeout_s=None)
        background = spawner.start(replace(job, env=marked(job.env, "bash_00000001")), str(tmp_path / "output"))
        await until(lambda: alive(sleep))
        [left] = left_behind(str(tmp_path / "tasks"))
        assert (left.id, left.session, left.command) == ("bash_00000001", "thread", "make")
        assert await stop_command(str(tmp_path / "tasks"), entry(owner=GONE))
        assert alive(sleep) == []
        assert roll.entries() == []
        assert await background.wait() == 128 + 15
        await spawner.close()

    asyncio.run(scenario())


def test_traces_of_what_is_over_are_cleared_away(tmp_path: Path):
    roll = Roll(str(tmp_path))
    roll.put(entry("bash_00000001", owner=GONE))
    roll.put(entry("bash_00000002", owner=GONE, detached=True))
    assert left_behind(str(tmp_path)) == []
    [found] = roll.entries()
    assert (found.id, found.ending) == ("bash_00000002", "ended with its attendant, which was killed")
