"""What does a command read from its standard input?"""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from daedal.protocol.seams import Finish
from daedal.sandbox import ProcessSpawner
from tests.sandbox.watching import shell


def run(script: str, folder: Path, content: bytes | None) -> Finish:
    async def scenario() -> Finish:
        spawner = ProcessSpawner([])
        try:
            return await spawner.run(replace(shell(spawner, script, folder, cap=10_000_000), stdin=content))
        finally:
            await spawner.close()

    return asyncio.run(scenario())


@pytest.mark.parametrize("content", [b"", b"one line\n", b"no newline", b"\0\xff", b"x" * 5_000_000])
def test_it_reads_exactly_what_it_was_given(tmp_path: Path, content: bytes):
    assert run("cat", tmp_path, content).stdout == content


def test_without_input_it_reads_nothing(tmp_path: Path):
    assert run("cat; echo $?", tmp_path, None).stdout == b"0\n"


@pytest.mark.parametrize("script", ["true", "head -c 1 >/dev/null", "exec <&-; true"])
def test_it_need_not_read_what_it_was_given(tmp_path: Path, script: str):
    assert run(script, tmp_path, b"x" * 5_000_000) == Finish(exit_code=0, stdout=b"", stderr=b"")


def test_it_may_read_and_write_at_the_same_time(tmp_path: Path):
    content = b"y" * 3_000_000
    assert run("tee /dev/stderr", tmp_path, content) == Finish(exit_code=0, stdout=content, stderr=content)


def test_a_later_reader_goes_on_where_an_earlier_one_stopped(tmp_path: Path):
    assert run("read first; cat", tmp_path, b"one\ntwo\nthree\n").stdout == b"two\nthree\n"
