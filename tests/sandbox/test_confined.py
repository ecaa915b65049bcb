"""Does a command within walls run, report and end as it does without?"""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from daedal.protocol.seams import Finish, Job
from daedal.sandbox import ConfinedSpawner, Mechanism, SpawnFailed
from tests.sandbox.jailhouse import Jailhouse
from tests.sandbox.watching import alive, nap, until, zombies


def test_output_comes_back_by_stream_with_the_exit_code(jailhouse: Jailhouse):
    finish = jailhouse.run("echo out; echo err >&2; pwd; exit 3")
    assert finish == Finish(exit_code=3, stdout=f"out\n{jailhouse.ws}\n".encode(), stderr=b"err\n")


def test_a_death_by_signal_is_told_as_shells_do(jailhouse: Jailhouse):
    assert jailhouse.run("kill -9 $$").exit_code == 128 + 9


def test_huge_output_is_capped_and_the_command_still_ends(jailhouse: Jailhouse):
    finish = jailhouse.run("head -c 30000000 /dev/zero; exit 2", output_bytes_max=1000)
    assert (len(finish.stdout), finish.stdout_truncated, finish.exit_code) == (1000, True, 2)


def test_input_arguments_and_environment_arrive_whole(jailhouse: Jailhouse):
    script = 'cat; printf %s "$ODD"; printf %s "${#LONG}"'
    env = {"ODD": "a=b\nc\tö\udcff", "LONG": "x" * 100_000}
    finish = jailhouse.run(script, stdin=b"in\0put", env=env)
    assert finish.stdout == b"in\0put" + os.fsencode(env["ODD"]) + b"100000"


def test_an_extra_descriptor_reaches_the_command_at_its_number(jailhouse: Jailhouse):
    reading, writing = os.pipe()
    os.dup2(writing, 222)
    os.close(writing)
    try:
        finish = jailhouse.run("echo hello >&222; ls /proc/self/fd", pass_fds=(222,))
    finally:
        os.close(222)
    with os.fdopen(reading, "rb") as pipe:
        assert pipe.read() == b"hello\n"
    assert finish.stdout.split() == [b"0", b"1", b"2", b"222", b"3"]  # 3 is the folder that ls lists


@pytest.mark.parametrize(
    ("argv", "cwd", "said"),
    [
        (["true"], "gone", "No such file"),
        (["no-such-program-anywhere"], ".", "No such file"),
        (["true", "x" * 200_000], ".", "Argument list too long"),
        (["true", "a\0b"], ".", "null byte"),
        (["."], ".", "No such file|Permission denied"),
        (["./text"], ".", "Permission denied"),
    ],
)
def test_what_cannot_be_started_is_told_why(jailhouse: Jailhouse, argv: list[str], cwd: str, said: str):
    (jailhouse.ws / "text").write_text("no program")

    async def scenario(walls: ConfinedSpawner) -> None:
        await walls.run(jailhouse.job("true"))
        before = len(os.listdir("/proc/self/fd"))
        with pytest.raises(SpawnFailed, match=said):
            await walls.run(Job(argv=argv, cwd=str(jailhouse.ws / cwd), env=walls.environment()))
        assert len(os.listdir("/proc/self/fd")) == before
        assert (await walls.run(jailhouse.job("true"))).exit_code == 0

    jailhouse.within(scenario)


def test_commands_leave_no_open_descriptor(jailhouse: Jailhouse):
    async def scenario(walls: ConfinedSpawner) -> None:
        await walls.run(jailhouse.job("true"))
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(20):
            await walls.run(jailhouse.job("echo x"))
        assert len(os.listdir("/proc/self/fd")) == before

    jailhouse.within(scenario)


def test_commands_share_one_jail_and_run_at_the_same_time(jailhouse: Jailhouse):
    async def scenario(walls: ConfinedSpawner) -> None:
        meeting = "echo > {0}; until [ -e {1} ]; do sleep 0.01; done; readlink /proc/self/ns/mnt"
        both = await asyncio.gather(
            walls.run(jailhouse.job(meeting.format("a", "b"))), walls.run(jailhouse.job(meeting.format("b", "a")))
        )
        third = await walls.run(jailhouse.job("readlink /proc/self/ns/mnt"))
        assert {finish.stdout for finish in both} == {third.stdout}

    jailhouse.within(scenario)


@pytest.mark.parametrize(
    "script",
    [
        "{sleep}",
        "trap '' TERM; {sleep} & {sleep}",
        "setsid {sleep} & wait",
        "(setsid {sleep} &) ; {sleep}",
        "(setsid env -i {sleep} &) ; {sleep}",
        "exec env -i {sleep}",
        "for i in 1 2 3 4 5; do (for j in 1 2 3 4 5; do {sleep} & done; {sleep}) & done; wait",
    ],
)
def test_a_command_out_of_time_leaves_nothing_behind(jailhouse: Jailhouse, script: str):
    sleep = nap()

    async def scenario(walls: ConfinedSpawner) -> None:
        task = asyncio.create_task(walls.run(jailhouse.job(script.format(sleep=sleep), timeout_s=0.4)))
        await until(lambda: alive(sleep))
        assert (await task).timed_out
        assert alive(sleep) == []

    jailhouse.within(scenario)


def test_a_fork_bomb_out_of_time_is_ended_whole(jailhouse: Jailhouse):
    mark = nap().split()[1]
    bomb = f"b() {{ [ $1 -gt 7 ] && exec sleep {mark}; b $(($1+1)) & b $(($1+1)) & wait; }}; b 0"

    async def scenario(walls: ConfinedSpawner) -> None:
        assert (await walls.run(jailhouse.job(bomb, timeout_s=0.3))).timed_out
        assert alive(f"sleep {mark}") == []
        assert (await walls.run(jailhouse.job("true"))).exit_code == 0

    jailhouse.within(scenario)


def test_ending_one_command_leaves_the_others_alone(jailhouse: Jailhouse):
    one, other = nap(), nap()

    async def scenario(walls: ConfinedSpawner) -> None:
        staying = walls.start(jailhouse.job(other, timeout_s=None), str(jailhouse.outside / "output"))
        await until(lambda: alive(other))
        task = asyncio.create_task(walls.run(jailhouse.job(one)))
        await until(lambda: alive(one))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (alive(one), len(alive(other)), staying.exit_code) == ([], 1, None)

    jailhouse.within(scenario)
    assert alive(other) == []


def test_what_a_command_left_running_ends_with_the_session(jailhouse: Jailhouse):
    sleep = nap()

    async def scenario(walls: ConfinedSpawner) -> None:
        await walls.run(jailhouse.job(f"(setsid env -i {sleep} &) ; {sleep} & true"))
        await until(lambda: len(alive(sleep)) == 2)
        await walls.run(jailhouse.job("true"))
        assert len(alive(sleep)) == 2

    jailhouse.within(scenario)
    assert alive(sleep) == []


def test_a_background_command_runs_within_the_walls(jailhouse: Jailhouse):
    output = jailhouse.outside / "output"

    async def scenario(walls: ConfinedSpawner) -> None:
        script = f"echo x > {jailhouse.outside}/written; echo inside; exit 4"
        assert await walls.start(jailhouse.job(script), str(output)).wait() == 4

    jailhouse.within(scenario)
    assert "Read-only file system" in output.read_text()
    assert output.read_text().endswith("inside\n\n[exit code 4]\n")


def test_the_end_of_the_jail_is_told_and_the_next_command_gets_a_new_one(jailhouse: Jailhouse):
    sleep = nap()

    async def scenario(walls: ConfinedSpawner) -> None:
        (first,) = (await walls.run(jailhouse.job("readlink /proc/self/ns/pid"))).stdout.split()
        task = asyncio.create_task(walls.run(jailhouse.job(sleep)))
        background = walls.start(jailhouse.job(sleep), str(jailhouse.outside / "output"))
        await until(lambda: len(alive(sleep)) == 2)
        (pid, *_) = [int(pid) for pid in os.listdir("/proc") if pid.isdecimal() and _is_first_of(pid, first.decode())]
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(SpawnFailed, match="has ended, and the command with it"):
            await task
        assert await background.wait() == 137
        await until(lambda: alive(sleep) == [])
        # The old jail's first process is dead, so whatever answers now is another one, whatever its number.
        assert (await walls.run(jailhouse.job("echo here"))).stdout == b"here\n"

    jailhouse.within(scenario)
    assert "has ended" in (jailhouse.outside / "output").read_text()


def _is_first_of(pid: str, namespace: str) -> bool:
    try:
        with open(f"/proc/{pid}/status") as file:
            is_first = any(line.startswith("NSpid:") and line.split()[-1] == "1" for line in file)
        return is_first and os.readlink(f"/proc/{pid}/ns/pid") == namespace
    except OSError:
        return False


def test_the_kernel_ends_everything_when_we_die(jailhouse: Jailhouse):
    sleep = nap()
    program = f"""
import asyncio, os, signal, sys
from pathlib import Path
from tests.sandbox.jailhouse import Jailhouse
async def scenario(walls):
    task = asyncio.create_task(walls.run(house.job("(setsid env -i {sleep} &) ; {sleep}")))
    while True:
        await asyncio.sleep(0.01)
house = Jailhouse(Path(sys.argv[1]))
house.within(scenario)
"""
    inner = jailhouse.ws / "inner"
    inner.mkdir()
    with subprocess.Popen([sys.executable, "-c", program, str(inner)], env=_with_our_sources()) as process:

        async def scenario() -> None:
            await until(lambda: len(alive(sleep)) == 2)
            process.kill()
            await until(lambda: not alive(sleep))

        asyncio.run(scenario())


def _with_our_sources() -> dict[str, str]:
    """And those of our libraries, for whichever Python of this version."""
    ours = [path for path in sys.path if path.endswith(("site-packages", "src"))]
    return {**os.environ, "PYTHONPATH": os.pathsep.join([*ours, os.getcwd()])}


def test_walls_that_stand_say_so_before_the_first_command(jailhouse: Jailhouse):
    async def scenario(walls: ConfinedSpawner) -> None:
        assert (walls.stands(), walls.mechanism, walls.gaps) == (Mechanism.BUBBLEWRAP, Mechanism.BUBBLEWRAP, "")

    jailhouse.within(scenario)


def test_output_is_handed_over_piece_by_piece(jailhouse: Jailhouse):
    out: list[bytes] = []
    err: list[bytes] = []

    async def scenario(walls: ConfinedSpawner) -> Finish:
        job = jailhouse.job("echo a; echo b >&2; exec yes")
        return await walls.feed(
            job, lambda chunk: not out.append(chunk) and len(out) < 3, lambda chunk: not err.append(chunk)
        )

    assert jailhouse.within(scenario).exit_code == 128 + 15
    assert b"".join(out).startswith(b"a\n")
    assert b"".join(err) == b"b\n"


def test_an_ordinary_user_is_confined_too():
    program = """
import asyncio, sys
from pathlib import Path
from daedal.sandbox import prove
from tests.sandbox.jailhouse import Jailhouse
house = Jailhouse(Path(sys.argv[1]))
done = house.run(f"echo x > inside; echo x > {house.outside}/precious")
print((house.ws / "inside").read_text().strip(), done.stderr.decode().strip()[-21:])
print({proof.state.value for proof in prove(house.confinement(), home=sys.argv[1])})
"""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [*as_nobody(folder), "-B", "-c", program, folder],
            env={**_with_our_sources(), "HOME": folder, "TMPDIR": folder},
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
        )
    assert (done.stdout, done.stderr) == ("x Read-only file system\n{'proven'}\n", "")


def as_nobody(folder: str) -> list[str]:
    """A Python that runs as an ordinary user, who owns the folder. Root's own Python may be closed to others."""
    if os.geteuid() != 0:
        return [sys.executable]
    os.chown(folder, 65534, 65534)
    real = Path(sys.executable).resolve()
    is_open = all(above.stat().st_mode & 0o001 for above in [*Path(sys.executable).absolute().parents, *real.parents])
    python = sys.executable if is_open else "/usr/bin/python3"
    return ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", python]


def test_a_session_that_ended_leaves_no_dead_process(jailhouse: Jailhouse):
    before = zombies()

    async def scenario(walls: ConfinedSpawner) -> None:
        await walls.run(jailhouse.job(f"{nap()} & true"))
        (jailhouse.ws / "daedal.toml").write_text("")  # so that there is an old jail too
        await walls.run(jailhouse.job("true"))

    jailhouse.within(scenario)
    assert set(zombies()) <= set(before)
