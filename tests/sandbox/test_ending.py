"""Does anything stay behind when a command is cut short? Looked for in /proc, among all processes of the machine."""

import asyncio
import time
from pathlib import Path

import pytest

from daedal.protocol.seams import Job
from daedal.sandbox import ProcessSpawner
from tests.sandbox.watching import alive, nap, shell, until, zombies
from tests.toolbox.requirement import requirement

ESCAPES = {
    "a plain child": ("{nap}", 1),
    "one in the background": ("{nap} & {nap}", 2),
    "a session of its own": ("setsid {nap} & {nap}", 2),
    "deaf to SIGTERM": ("(trap '' TERM; {nap}) & trap '' TERM; {nap}", 2),
    "nohup": ("nohup {nap} >/dev/null 2>&1 & {nap}", 2),
    "a double fork": ("((({nap} &) &) &); {nap}", 2),
    "a daemon": ("(setsid nohup {nap} </dev/null >/dev/null 2>&1 &); {nap}", 2),
    "a daemon without environment": ("(env -i setsid {nap} &); {nap}", 2),
    "a daemon that keeps nothing": ("(env -i setsid sh -c '(setsid {nap} &)' &); {nap}", 2),
    "a tree": ("for i in 1 2 3; do (for j in 1 2 3; do {nap} & done; wait) & done; {nap}", 10),
    "a stopped one": ("{nap} & until grep -qx sleep /proc/$!/comm; do :; done; kill -STOP $!; {nap}", 2),
    "all of it": ("setsid {nap} & (trap '' TERM; {nap}) & (env -i setsid {nap} &); {nap}", 4),
}


def ways(how: str) -> tuple[str, str, int]:
    script, count = ESCAPES[how]
    sleep = nap()
    return script.format(nap=sleep), sleep, count


@requirement("SD-16/Bash")
@pytest.mark.parametrize("how", ESCAPES)
def test_a_cancelled_command_leaves_nothing(tmp_path: Path, how: str):
    script, sleep, count = ways(how)
    dead_before = zombies()

    async def scenario() -> None:
        spawner = ProcessSpawner([])
        task = asyncio.create_task(spawner.run(shell(spawner, script, tmp_path, timeout_s=None)))
        await until(lambda: len(alive(sleep)) == count)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert alive(sleep) == []
        # Whoever died unseen without environment waits a little longer, until nobody else has claimed it.
        assert set(zombies()) <= set(dead_before) or how == "a daemon that keeps nothing"

    asyncio.run(scenario())


@pytest.mark.parametrize("how", ["a plain child", "all of it"])
def test_a_command_out_of_time_leaves_nothing_and_keeps_what_it_said(tmp_path: Path, how: str):
    script, sleep, _ = ways(how)
    dead_before = zombies()

    async def scenario() -> None:
        spawner = ProcessSpawner([])
        finish = await spawner.run(shell(spawner, f"echo early; {script}", tmp_path, timeout_s=0.4))
        assert finish.timed_out
        assert finish.stdout == b"early\n"
        assert alive(sleep) == []
        assert set(zombies()) <= set(dead_before)

    asyncio.run(scenario())


def test_a_command_that_forks_without_end_is_caught(tmp_path: Path):
    sleep = nap()
    script = f"grow() {{ while :; do (setsid {sleep} &) ; done; }}; grow & grow"

    async def scenario() -> None:
        spawner = ProcessSpawner([])
        task = asyncio.create_task(spawner.run(shell(spawner, script, tmp_path, timeout_s=None)))
        await until(lambda: len(alive(sleep)) > 20)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert alive(sleep) == []

    asyncio.run(scenario())


def test_a_second_cancellation_ends_the_grace_but_not_the_duty(tmp_path: Path):
    sleep = nap()

    async def scenario() -> None:
        spawner = ProcessSpawner([])
        script = f"trap '' TERM; setsid {sleep} & {sleep}"
        task = asyncio.create_task(spawner.run(shell(spawner, script, tmp_path, timeout_s=None)))
        await until(lambda: len(alive(sleep)) == 2)
        task.cancel()
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert alive(sleep) == []

    asyncio.run(scenario())


def test_a_command_may_clean_up_when_it_is_asked_to_end(tmp_path: Path):
    async def scenario() -> None:
        spawner = ProcessSpawner([])
        script = "trap 'echo bye > farewell; exit' TERM; touch ready; while :; do sleep 0.01; done"
        task = asyncio.create_task(spawner.run(shell(spawner, script, tmp_path, timeout_s=None)))
        await until((tmp_path / "ready").exists)
        task.cancel()
        await asyncio.wait([task])
        assert (tmp_path / "farewell").read_text() == "bye\n"

    asyncio.run(scenario())


def test_an_obedient_command_is_ended_without_waiting_out_the_grace(tmp_path: Path):
    sleep = nap()

    async def scenario() -> float:
        spawner = ProcessSpawner([])
        task = asyncio.create_task(spawner.run(shell(spawner, f"exec {sleep}", tmp_path, timeout_s=None)))
        await until(lambda: alive(sleep))
        began = time.monotonic()
        task.cancel()
        await asyncio.wait([task])
        return time.monotonic() - began

    assert min(asyncio.run(scenario()) for _ in range(3)) < 0.4


def test_commands_beside_a_cancelled_one_are_left_alone(tmp_path: Path):
    doomed, spared = nap(), nap()

    async def scenario() -> None:
        spawner = ProcessSpawner([])
        other = asyncio.create_task(
            spawner.run(shell(spawner, f"setsid {spared} & (env -i setsid {spared} &); {spared}", tmp_path))
        )
        task = asyncio.create_task(spawner.run(shell(spawner, f"setsid {doomed} & {doomed}", tmp_path)))
        await until(lambda: len(alive(doomed)) == 2 and len(alive(spared)) == 3)
        task.cancel()
        await asyncio.wait([task])
        assert alive(doomed) == []
        assert len(alive(spared)) == 3
        await spawner.close()
        assert alive(spared) == []
        assert (await other).exit_code == 128 + 15

    asyncio.run(scenario())


def test_closing_ends_what_finished_commands_left(tmp_path: Path):
    sleep = nap()
    dead_before = zombies()

    async def scenario() -> None:
        spawner = ProcessSpawner([])
        for script in (f"{sleep} &", f"(setsid {sleep} &)", f"(env -i setsid {sleep} &)", f"(env -i {sleep} &)"):
            await spawner.run(shell(spawner, script, tmp_path))
        await until(lambda: len(alive(sleep)) == 4)
        await spawner.close()
        assert alive(sleep) == []
        assert set(zombies()) <= set(dead_before)

    asyncio.run(scenario())


def test_what_a_library_starts_by_itself_is_left_alone(tmp_path: Path):
    foreign = nap()

    async def scenario() -> None:
        spawner = ProcessSpawner([])
        task = asyncio.create_task(spawner.run(shell(spawner, nap(), tmp_path)))
        await asyncio.sleep(0)
        started = [
            await asyncio.create_subprocess_exec(*foreign.split(), env=spawner.environment(), start_new_session=True),
            await asyncio.create_subprocess_exec(*foreign.split()),
        ]
        task.cancel()
        await asyncio.wait([task])
        await spawner.close()
        assert len(alive(foreign)) == 2
        for process in started:
            process.kill()
            assert await process.wait() == -9

    asyncio.run(scenario())


def test_an_agent_inside_an_agent_is_ended_with_all_its_commands(tmp_path: Path):
    sleep = nap()
    (tmp_path / "inner.py").write_text(
        "import asyncio, sys\n"
        "from daedal.protocol.seams import Job\n"
        "from daedal.sandbox import ProcessSpawner\n"
        "spawner = ProcessSpawner([])\n"
        "job = Job(argv=['bash', '-c', sys.argv[1]], cwd='.', env=spawner.environment())\n"
        "asyncio.run(spawner.run(job))\n"
    )

    async def scenario() -> None:
        import sys

        spawner = ProcessSpawner([])
        argv = [sys.executable, str(tmp_path / "inner.py"), f"(setsid {sleep} &); {sleep}"]
        job = Job(argv=argv, cwd=str(tmp_path), env=spawner.environment())
        task = asyncio.create_task(spawner.run(job))
        await until(lambda: len(alive(sleep)) == 2)
        task.cancel()
        await asyncio.wait([task])
        assert alive(sleep) == []

    asyncio.run(scenario())
