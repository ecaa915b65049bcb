"""Is somebody told when a watched file changes, and is nobody left waiting afterwards?"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from daedal.hooks import FileWatch
from tests.toolbox.requirement import requirement

DEADLINE_S = 20


def watched(paths: list[str], cwd: Path, act: Callable[[asyncio.Queue], Awaitable[None]]) -> None:
    async def scenario() -> None:
        told: asyncio.Queue = asyncio.Queue(100)

        async def on_change(path: str, kind: str) -> None:
            await told.put((Path(path).name, kind))

        before = asyncio.all_tasks()
        async with FileWatch(on_change) as watch, asyncio.timeout(DEADLINE_S):
            await watch.start(paths, str(cwd))
            await act(told)
        assert asyncio.all_tasks() == before

    asyncio.run(scenario())


@requirement("SD-14")
def test_a_file_comes_changes_and_goes(tmp_path: Path):
    async def act(told: asyncio.Queue) -> None:
        file = tmp_path / ".env"
        file.write_text("a")
        assert await told.get() == (".env", "add")
        file.write_text("b")
        assert await told.get() == (".env", "change")
        file.unlink()
        assert await told.get() == (".env", "unlink")

    watched([".env"], tmp_path, act)


def test_a_file_that_is_replaced_is_still_watched(tmp_path: Path):
    async def act(told: asyncio.Queue) -> None:
        for number in range(2):
            new = tmp_path / "new"
            new.write_text(str(number))
            new.rename(tmp_path / "kept")
            name, _ = await told.get()
            assert name == "kept"
            while not told.empty():
                told.get_nowait()

    (tmp_path / "kept").write_text("old")
    watched([str(tmp_path / "kept")], tmp_path, act)


def test_neighbours_are_nobodys_business_and_folders_tell_of_what_lies_in_them(tmp_path: Path):
    folder = tmp_path / "folder"
    folder.mkdir()

    async def act(told: asyncio.Queue) -> None:
        (tmp_path / "neighbour").write_text("x")
        (tmp_path / "mine").write_text("x")
        assert (await told.get())[0] == "mine"
        (folder / "inside").write_text("x")
        names = {(await told.get())[0]}
        while "inside" not in names:
            names.add((await told.get())[0])
        assert "neighbour" not in names

    watched(["mine", "folder"], tmp_path, act)


def test_more_can_be_watched_later(tmp_path: Path):
    async def scenario() -> None:
        told: asyncio.Queue = asyncio.Queue(100)

        async def on_change(path: str, kind: str) -> None:
            await told.put(Path(path).name)

        async with FileWatch(on_change) as watch, asyncio.timeout(DEADLINE_S):
            await watch.start(["one"], str(tmp_path))
            await watch.start(["two", "one"], str(tmp_path))
            assert watch.paths == {str(tmp_path / "one"), str(tmp_path / "two")}
            (tmp_path / "two").write_text("x")
            assert await told.get() == "two"
            (tmp_path / "one").write_text("x")
            while await told.get() != "one":
                pass
            await watch.close()
            await watch.start(["one"], str(tmp_path))
            (tmp_path / "one").write_text("y")
            while await told.get() != "one":
                pass

    asyncio.run(scenario())


def test_a_listener_may_ask_for_more(tmp_path: Path):
    (tmp_path / "sub").mkdir()

    async def scenario() -> None:
        told: asyncio.Queue = asyncio.Queue(100)

        async def on_change(path: str, kind: str) -> None:
            await watch.start([f"sub/{kind}"], str(tmp_path))
            await told.put(Path(path).name)

        async with FileWatch(on_change) as watch, asyncio.timeout(DEADLINE_S):
            await watch.start(["one"], str(tmp_path))
            (tmp_path / "one").write_text("x")
            assert await told.get() == "one"
            await watch.start(["two"], str(tmp_path / "sub"))
            (tmp_path / "sub" / "add").write_text("x")
            while await told.get() != "add":
                pass

    asyncio.run(scenario())


@pytest.mark.parametrize("paths", [[], [""], ["a\0b"], ["no/such/folder/file"], ["x" * 5000]])
def test_what_cannot_be_watched_is_no_trouble(tmp_path: Path, paths: list[str]):
    async def act(told: asyncio.Queue) -> None:
        assert told.empty()

    watched(paths, tmp_path, act)


def test_a_listener_that_fails_ends_the_watch_and_closing_is_still_clean(tmp_path: Path):
    async def scenario() -> None:
        heard = asyncio.Event()

        async def on_change(path: str, kind: str) -> None:
            heard.set()
            raise RuntimeError(path)

        async with FileWatch(on_change) as watch, asyncio.timeout(DEADLINE_S):
            await watch.start(["f"], str(tmp_path))
            (tmp_path / "f").write_text("x")
            await heard.wait()

    with pytest.raises(RuntimeError):
        asyncio.run(scenario())
