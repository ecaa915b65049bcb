"""Does a command run on by itself, and end when it should?"""

import asyncio
from pathlib import Path

import pytest

from daedal.sandbox import ProcessSpawner, SpawnFailed
from daedal.sandbox.spool import KEPT_BYTES_MAX
from tests.sandbox.watching import alive, nap, shell, until


def test_its_output_and_its_end_are_in_the_file(tmp_path: Path):
    output = tmp_path / "output"

    async def scenario() -> None:
        spawner = ProcessSpawner([])
        background = spawner.start(shell(spawner, "echo out; echo err >&2; exit 4", tmp_path), str(output))
        assert background.exit_code is None
        assert await background.wait() == 4
        assert background.exit_code == 4
        await spawner.close()

    asyncio.run(scenario())
    assert output.read_text() == "out\nerr\n\n[exit code 4]\n"
    assert output.stat().st_mode & 0o777 == 0o600


def test_it_is_ended_with_its_children(tmp_path: Path):
    sleep = nap()
    output = tmp_path / "output"

    async def scenario() -> None:
        spawner = ProcessSpawner([])
        background = spawner.start(shell(spawner, f"setsid {sleep} & {sleep}", tmp_path, timeout_s=None), str(output))
        await until(lambda: len(alive(sleep)) == 2)
        await background.end()
        assert alive(sleep) == []

    asyncio.run(scenario())
    assert output.read_text() == "\n[ended with the session]\n"


def test_children_it_left_when_it_exited_are_ended_too(tmp_path: Path):
    sleep = nap()

    async def scenario() -> None:
        spawner = ProcessSpawner([])
        background = spawner.start(shell(spawner, f"setsid {sleep} &", tmp_path), str(tmp_path / "output"))
        await background.wait()
        await until(lambda: alive(sleep))
        await background.end()
        assert alive(sleep) == []

    asyncio.run(scenario())


def test_it_can_be_ended_before_it_got_going(tmp_path: Path):
    sleep = nap()

    async def scenario() -> None:
        spawner = ProcessSpawner([])
        await spawner.start(shell(spawner, sleep, tmp_path), str(tmp_path / "output")).end()
        assert alive(sleep) == []

    asyncio.run(scenario())


def test_closing_the_spawner_ends_it(tmp_path: Path):
    sleep = nap()

    async def scenario() -> None:
        spawner = ProcessSpawner([])
        background = spawner.start(shell(spawner, sleep, tmp_path, timeout_s=None), str(tmp_path / "output"))
        await until(lambda: alive(sleep))
        await spawner.close()
        assert alive(sleep) == []
        assert background.exit_code is not None

    asyncio.run(scenario())


def test_it_has_a_deadline_where_one_is_set(tmp_path: Path):
    output = tmp_path / "output"

    async def scenario() -> None:
        spawner = ProcessSpawner([])
        background = spawner.start(shell(spawner, nap(), tmp_path, timeout_s=0.05), str(output))
        assert await background.wait() == 128 + 15

    asyncio.run(scenario())
    assert output.read_text() == "\n[timed out after 0.05 s]\n"


def test_cancelling_the_wait_does_not_touch_it(tmp_path: Path):
    async def scenario() -> None:
        spawner = ProcessSpawner([])
        script = "while [ ! -e go ]; do sleep 0.01; done"
        background = spawner.start(shell(spawner, script, tmp_path), str(tmp_path / "output"))
        waiting = asyncio.create_task(background.wait())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        (tmp_path / "go").touch()
        assert await background.wait() == 0

    asyncio.run(scenario())


def test_an_output_file_that_cannot_be_written_is_told(tmp_path: Path):
    async def scenario() -> None:
        spawner = ProcessSpawner([])
        with pytest.raises(SpawnFailed, match="cannot write"):
            spawner.start(shell(spawner, "true", tmp_path), str(tmp_path / "missing" / "output"))

    asyncio.run(scenario())


def test_a_command_that_prints_without_end_fills_neither_disk_nor_memory(tmp_path: Path):
    output = tmp_path / "output"

    async def scenario() -> None:
        spawner = ProcessSpawner([])
        background = spawner.start(shell(spawner, "yes 0123456789", tmp_path, timeout_s=None), str(output))
        await until(lambda: background.read(0, 10).end > 3 * KEPT_BYTES_MAX)
        assert output.stat().st_size <= KEPT_BYTES_MAX
        excerpt = background.read(0, 1000)
        assert excerpt.data.startswith(b"0123456789\n0123456789\n")
        assert excerpt.skipped == excerpt.end - len(excerpt.data)
        await background.end()
        background.forget()

    asyncio.run(scenario())
    kept = output.read_bytes()
    assert kept.startswith(b"[SDLC_TRUNCATED] ")
    assert kept.endswith(b"\n[ended with the session]\n")


def test_what_its_children_print_after_it_exited_is_kept_too(tmp_path: Path):
    output = tmp_path / "output"

    async def scenario() -> None:
        spawner = ProcessSpawner([])
        script = "(while [ ! -e go ]; do sleep 0.01; done; echo late) & echo early"
        background = spawner.start(shell(spawner, script, tmp_path), str(output))
        assert await background.wait() == 0
        (tmp_path / "go").touch()
        await until(lambda: output.read_text() == "early\n\n[exit code 0]\nlate\n")
        await spawner.close()

    asyncio.run(scenario())


def test_a_command_that_puts_a_link_in_place_of_its_output_gains_nothing(tmp_path: Path):
    (tmp_path / "precious").write_text("precious\n")
    output = tmp_path / "output"

    async def scenario() -> None:
        spawner = ProcessSpawner([])
        script = "echo first; rm output; ln -s precious output; echo second; echo x"
        background = spawner.start(shell(spawner, script, tmp_path), str(output))
        assert await background.wait() == 0
        assert background.read(0, 1000).data == b"first\nsecond\nx\n\n[exit code 0]\n"
        background.forget()

    asyncio.run(scenario())
    assert (tmp_path / "precious").read_text() == "precious\n"
