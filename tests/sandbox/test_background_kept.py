"""Does a command that shall outlive us really do, within the same walls, and end when it is told to?"""

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest

from daedal.protocol.confinement import Confinement
from daedal.protocol.seams import Job
from daedal.sandbox import (
    Entry,
    ProcessSpawner,
    Roll,
    SpawnFailed,
    detach,
    is_running,
    left_behind,
    ourselves,
    stop_command,
)
from daedal.sandbox.processes import mark_of
from tests.sandbox.jailhouse import Jailhouse
from tests.sandbox.watching import alive, nap, until

SECRET = "DAEDAL_TEST_KEY"


class Keeping:
    """A roll, and commands on it."""

    def __init__(self, folder: Path, walls: Confinement | None = None, mechanism: str = "bubblewrap") -> None:
        self.folder = str(folder / "tasks")
        self.roll = Roll(self.folder)
        self.cwd = str(folder)
        self._walls = walls
        self._mechanism = mechanism

    async def start(self, script: str, *, timeout_s: float | None = None) -> Entry:
        identity = f"bash_{os.urandom(4).hex()}"
        entry = Entry(
            id=identity,
            session="thread",
            command=script,
            cwd=self.cwd,
            output=os.path.join(self.cwd, f"{identity}.output"),
            since=time.time(),
            owner=ourselves(),
            detached=True,
        )
        env = ProcessSpawner(["OTHER_KEY"]).environment()
        job = Job(argv=["bash", "-c", script], cwd=self.cwd, env=env, timeout_s=timeout_s)
        await detach(self.folder, entry, job, self._walls, self._mechanism if self._walls else "")
        return entry

    def now(self, entry: Entry) -> Entry:
        found = self.roll.get(entry.id)
        assert found is not None
        return found

    def is_over(self, entry: Entry) -> bool:
        return self.now(entry).ended is not None


def test_its_output_and_its_end_are_noted_and_its_attendant_leaves(tmp_path: Path):
    keeping = Keeping(tmp_path)

    async def scenario() -> None:
        entry = await keeping.start("echo out; echo err >&2; exit 4")
        await until(lambda: keeping.is_over(entry))
        found = keeping.now(entry)
        assert (found.exit_code, found.ending) == (4, "")
        assert found.owner.pid != os.getpid()
        await until(lambda: not found.owner.is_alive())
        assert Path(entry.output).read_text() == "out\nerr\n\n[exit code 4]\n"

    asyncio.run(scenario())


def test_it_does_not_end_with_the_one_who_started_it_and_ends_when_told_to(tmp_path: Path):
    keeping = Keeping(tmp_path)
    sleep = nap()

    async def begin() -> Entry:
        spawner = ProcessSpawner([])
        entry = await keeping.start(f"setsid {sleep} & echo on; {sleep}")
        await until(lambda: len(alive(sleep)) == 2)
        await spawner.close()
        return entry

    entry = asyncio.run(begin())
    assert len(alive(sleep)) == 2
    found = keeping.now(entry)
    assert is_running(found)
    assert left_behind(keeping.folder) == []
    assert asyncio.run(stop_command(keeping.folder, found))
    assert alive(sleep) == []
    assert (keeping.now(entry).ended is not None, keeping.now(entry).ending) == (True, "stopped")
    assert Path(entry.output).read_text() == "on\n\n[stopped]\n"


def test_children_that_it_left_run_on_until_they_end_or_it_is_stopped(tmp_path: Path):
    keeping = Keeping(tmp_path)
    sleep = nap()

    async def scenario() -> None:
        entry = await keeping.start(f"{sleep} & exit 3")
        await until(lambda: keeping.now(entry).exit_code == 3 and alive(sleep))
        assert not keeping.is_over(entry)
        await stop_command(keeping.folder, keeping.now(entry))
        assert alive(sleep) == []
        assert keeping.is_over(entry)

    asyncio.run(scenario())


def test_it_runs_within_the_same_walls(jailhouse: Jailhouse, tmp_path: Path):
    keeping = Keeping(tmp_path, jailhouse.confinement())
    keeping.cwd = str(jailhouse.ws)

    async def scenario() -> None:
        entry = await keeping.start(f"echo in > inside; echo out > {jailhouse.outside}/precious; echo done")
        await until(lambda: keeping.is_over(entry))
        assert "Read-only file system" in Path(entry.output).read_text()

    asyncio.run(scenario())
    assert (jailhouse.ws / "inside").read_text() == "in\n"
    assert (jailhouse.outside / "precious").read_text() == "precious\n"


def test_it_ends_within_walls_too(jailhouse: Jailhouse, tmp_path: Path):
    keeping = Keeping(tmp_path, jailhouse.confinement())
    keeping.cwd = str(jailhouse.ws)
    sleep = nap()

    async def scenario() -> None:
        entry = await keeping.start(f"setsid {sleep} & {sleep}")
        await until(lambda: len(alive(sleep)) == 2)
        await stop_command(keeping.folder, keeping.now(entry))
        assert alive(sleep) == []

    asyncio.run(scenario())


def test_other_walls_than_it_was_allowed_in_will_not_do(jailhouse: Jailhouse, tmp_path: Path):
    keeping = Keeping(tmp_path, jailhouse.confinement(), mechanism="sandbox-exec")
    keeping.cwd = str(jailhouse.ws)
    with pytest.raises(SpawnFailed, match="allowed within sandbox-exec, which does not stand"):
        asyncio.run(keeping.start("touch ran"))
    assert not (jailhouse.ws / "ran").exists()
    assert keeping.roll.entries() == []


def test_what_cannot_start_is_told_and_leaves_nothing(tmp_path: Path):
    keeping = Keeping(tmp_path)

    async def scenario() -> None:
        with pytest.raises(SpawnFailed, match="surrogates not allowed"):
            await keeping.start("echo \ud800")
        keeping.cwd = str(tmp_path / "missing")
        with pytest.raises(SpawnFailed, match="cannot write"):
            await keeping.start("true")

    asyncio.run(scenario())
    assert keeping.roll.entries() == []


def test_a_cancelled_start_leaves_nothing(tmp_path: Path):
    keeping = Keeping(tmp_path)
    sleep = nap()

    async def scenario() -> None:
        # As soon as it is written down: from then on there is something that could stay behind.
        starting = asyncio.create_task(keeping.start(sleep))
        await until(keeping.roll.entries)
        starting.cancel()
        await asyncio.wait([starting])
        assert starting.cancelled()
        assert alive(sleep) == []
        assert keeping.roll.entries() == []

    asyncio.run(scenario())


def test_it_has_a_deadline_where_one_is_set(tmp_path: Path):
    keeping = Keeping(tmp_path)

    async def scenario() -> None:
        entry = await keeping.start(nap(), timeout_s=0.05)
        await until(lambda: keeping.is_over(entry))
        assert keeping.now(entry).ending == "timed out after 0.05 s"

    asyncio.run(scenario())


def test_no_credential_reaches_it_or_its_attendant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(SECRET, "swordfish")
    monkeypatch.setenv("OTHER_KEY", "swordfish")
    keeping = Keeping(tmp_path)
    sleep = nap()

    async def scenario() -> None:
        entry = await keeping.start(f"env; {sleep}")
        await until(lambda: alive(sleep))
        attendant = keeping.now(entry).owner.pid
        assert b"swordfish" not in Path(f"/proc/{attendant}/environ").read_bytes()
        assert entry.id in (mark_of(alive(sleep)[0]) or "")
        await stop_command(keeping.folder, keeping.now(entry))
        assert "swordfish" not in Path(entry.output).read_text()

    asyncio.run(scenario())


def test_the_next_start_names_it_when_its_attendant_was_killed(tmp_path: Path):
    keeping = Keeping(tmp_path)
    sleep = nap()

    async def scenario() -> None:
        entry = await keeping.start(sleep)
        await until(lambda: alive(sleep))
        owner = keeping.now(entry).owner
        os.kill(owner.pid, signal.SIGKILL)
        await until(lambda: not owner.is_alive())
        [left] = left_behind(keeping.folder)
        assert (left.id, left.session) == (entry.id, "thread")
        await stop_command(keeping.folder, keeping.now(entry))
        assert alive(sleep) == []

    asyncio.run(scenario())


def test_within_walls_it_ends_with_its_attendant(jailhouse: Jailhouse, tmp_path: Path):
    keeping = Keeping(tmp_path, jailhouse.confinement())
    keeping.cwd = str(jailhouse.ws)
    sleep = nap()

    async def scenario() -> None:
        entry = await keeping.start(sleep)
        await until(lambda: alive(sleep))
        owner = keeping.now(entry).owner
        os.kill(owner.pid, signal.SIGKILL)
        await until(lambda: not owner.is_alive())
        assert left_behind(keeping.folder) == []
        assert alive(sleep) == []
        assert keeping.is_over(entry)

    asyncio.run(scenario())
