"""What does a command get, and what comes back of it?"""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from daedal.protocol.seams import Finish, Job
from daedal.sandbox import ProcessSpawner, SpawnFailed
from tests.sandbox.watching import alive, nap, shell, until, zombies


def run(script: str, cwd: object, *, cap: int = 1000, **environment: str) -> Finish:
    async def scenario() -> Finish:
        spawner = ProcessSpawner(["SECRET_KEY"])
        job = shell(spawner, script, cwd, cap=cap)
        try:
            return await spawner.run(Job(argv=job.argv, cwd=job.cwd, env={**job.env, **environment}, timeout_s=30,
                                         output_bytes_max=cap))  # fmt: skip
        finally:
            await spawner.close()

    return asyncio.run(scenario())


def test_output_comes_back_by_stream_with_the_exit_code(tmp_path: Path):
    finish = run("echo out; echo err >&2; exit 3", tmp_path)
    assert finish == Finish(exit_code=3, stdout=b"out\n", stderr=b"err\n")


def test_a_death_by_signal_is_told_as_shells_do(tmp_path: Path):
    assert run("kill -9 $$", tmp_path).exit_code == 128 + 9


def test_each_stream_is_capped_by_itself_and_the_command_still_ends(tmp_path: Path):
    finish = run("head -c 3000000 /dev/zero; head -c 100 /dev/zero >&2", tmp_path, cap=1000)
    assert (len(finish.stdout), finish.stdout_truncated) == (1000, True)
    assert (len(finish.stderr), finish.stderr_truncated) == (100, False)
    assert finish.exit_code == 0


def test_output_of_exactly_the_cap_is_not_called_truncated(tmp_path: Path):
    assert not run("head -c 1000 /dev/zero", tmp_path, cap=1000).stdout_truncated


def test_large_output_arrives_whole(tmp_path: Path):
    finish = run("head -c 900000 /dev/zero | tr '\\0' x", tmp_path, cap=1_000_000)
    assert finish.stdout == b"x" * 900_000


def test_many_small_writes_arrive_in_order(tmp_path: Path):
    finish = run("for i in {1..500}; do echo $i; done", tmp_path, cap=10_000)
    assert finish.stdout.split() == [str(number).encode() for number in range(1, 501)]


def test_a_command_has_no_input_and_a_session_of_its_own(tmp_path: Path):
    finish = run("cat; echo $$; cut -d' ' -f6 /proc/$$/stat", tmp_path)
    first, second = finish.stdout.split()
    assert first == second


def test_it_runs_in_the_given_folder(tmp_path: Path):
    assert run("pwd", tmp_path).stdout.decode() == f"{tmp_path}\n"


def test_the_shell_ending_ends_the_call_even_while_a_child_holds_its_pipes(tmp_path: Path):
    sleep = nap()

    async def scenario() -> None:
        spawner = ProcessSpawner([])
        finish = await spawner.run(shell(spawner, f"echo before; {sleep} & echo after", tmp_path))
        assert finish.stdout == b"before\nafter\n"
        await until(lambda: alive(sleep))
        await spawner.close()
        assert not alive(sleep)

    asyncio.run(scenario())


def test_a_child_left_in_the_background_can_go_on_writing(tmp_path: Path):
    async def scenario() -> None:
        spawner = ProcessSpawner([])
        script = "(head -c 300000 /dev/zero; echo done > finished) & true"
        await spawner.run(shell(spawner, script, tmp_path))
        await until((tmp_path / "finished").exists)
        await spawner.close()

    asyncio.run(scenario())


def test_dead_orphans_are_buried_by_the_next_command(tmp_path: Path):
    dead_before = zombies()

    async def scenario() -> None:
        spawner = ProcessSpawner([])
        await spawner.run(shell(spawner, "(setsid sh -c 'while [ ! -e go ]; do :; done' &)", tmp_path))
        (tmp_path / "go").touch()
        await until(lambda: zombies() != dead_before)
        await spawner.run(shell(spawner, "true", tmp_path))
        assert set(zombies()) <= set(dead_before)
        await spawner.close()

    asyncio.run(scenario())


def test_commands_leave_no_open_descriptor(tmp_path: Path):
    async def scenario() -> None:
        spawner = ProcessSpawner([])
        await spawner.run(shell(spawner, "true", tmp_path))
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(20):
            await spawner.run(shell(spawner, "echo x", tmp_path))
        assert len(os.listdir("/proc/self/fd")) == before
        await spawner.close()

    asyncio.run(scenario())


def test_feeding_stops_the_command_when_enough_was_taken(tmp_path: Path):
    taken: list[bytes] = []

    def take(chunk: bytes) -> bool:
        taken.append(chunk)
        return len(taken) < 3

    async def scenario() -> Finish:
        spawner = ProcessSpawner([])
        return await spawner.feed(shell(spawner, "exec yes", tmp_path), take)

    assert asyncio.run(scenario()).exit_code == 128 + 15
    assert len(taken) == 3


def test_feeding_hands_over_everything_where_it_is_never_enough(tmp_path: Path):
    taken: list[bytes] = []

    async def scenario() -> Finish:
        spawner = ProcessSpawner([])
        job = shell(spawner, "head -c 500000 /dev/zero; echo oops >&2; exit 2", tmp_path)
        return await spawner.feed(job, lambda chunk: not taken.append(chunk))

    assert asyncio.run(scenario()) == Finish(exit_code=2, stdout=b"", stderr=b"oops\n")
    assert sum(map(len, taken)) == 500_000


def test_what_a_taker_raises_reaches_whoever_awaits(tmp_path: Path):
    def take(chunk: bytes) -> bool:
        raise ZeroDivisionError

    async def scenario() -> None:
        spawner = ProcessSpawner([])
        await spawner.feed(shell(spawner, "exec yes", tmp_path), take)

    with pytest.raises(ZeroDivisionError):
        asyncio.run(scenario())


@pytest.mark.parametrize(
    ("argv", "cwd", "said"),
    [
        (["true"], "gone", "no such folder"),
        (["no-such-program-anywhere"], ".", "No such file"),
        (["true", "x" * 200_000], ".", "Argument list too long"),
        (["true", "a\0b"], ".", "null byte"),
        (["."], ".", "Permission denied"),
    ],
)
def test_what_cannot_be_started_is_told_why_and_leaks_nothing(tmp_path: Path, argv: list[str], cwd: str, said: str):
    async def scenario() -> None:
        spawner = ProcessSpawner([])
        await spawner.run(shell(spawner, "true", tmp_path))
        before = len(os.listdir("/proc/self/fd"))
        with pytest.raises(SpawnFailed, match=said):
            await spawner.run(Job(argv=argv, cwd=str(tmp_path / cwd), env=spawner.environment()))
        assert len(os.listdir("/proc/self/fd")) == before

    asyncio.run(scenario())


def test_an_extra_descriptor_reaches_the_command(tmp_path: Path):
    reading, writing = os.pipe()

    async def scenario() -> None:
        spawner = ProcessSpawner([])
        job = Job(argv=[sys.executable, "-c", f"import os; os.write({writing}, b'hello')"], cwd=str(tmp_path),
                  env=spawner.environment(), pass_fds=(writing,))  # fmt: skip
        await spawner.run(job)

    asyncio.run(scenario())
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert pipe.read() == b"hello"
