"""Does a tool reach outside when a folder and a link to outside change places under its hands?

Another thread exchanges the two in one step, as often as it can; the calls are many, and their number is bounded.
"""

import ctypes
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from daedal.protocol.confinement import Confinement
from daedal.protocol.seams import Outcome
from daedal.sandbox import Entry, Roll, ourselves
from daedal.tools import ToolSettings, builtin_tools
from tests.toolbox.requirement import requirement
from tests.tools.desk import Desk

pytestmark = requirement("RX-16")
CALLS = 250
SEARCHES = 40
AT_FDCWD, EXCHANGE = -100, 2
LIBC = ctypes.CDLL(None, use_errno=True)


def exchange(one: bytes, other: bytes) -> None:
    if LIBC.renameat2(AT_FDCWD, one, AT_FDCWD, other, EXCHANGE) != 0:
        raise OSError(ctypes.get_errno(), "renameat2")


@contextmanager
def swapping(one: Path, other: Path) -> Iterator[None]:
    """Meanwhile the two change places all the time."""
    if not hasattr(LIBC, "renameat2"):
        pytest.skip("this system exchanges no names in one step")
    first, second, over = os.fsencode(one), os.fsencode(other), threading.Event()

    def swap() -> None:
        while not over.is_set():
            exchange(first, second)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


class Scene:
    """A workspace with a folder `d`, and beside it a link to a folder outside that looks the same."""

    def __init__(self, folder: Path) -> None:
        self.outside = folder / "out"
        self.outside.mkdir()
        closed = [str(self.outside)]
        workspace = str(folder / "ws")
        self.walls = Confinement(workspace=workspace, writable=[workspace], unreadable=closed)
        self.desk = Desk(folder, confinement=self.walls)
        self.link = self.desk.root / "link"
        self.link.symlink_to(self.outside)
        self.folder = self.desk.root / "d"
        self.folder.mkdir()
        (self.folder / "a.txt").write_text("from inside\n")
        (self.outside / "a.txt").write_text("from outside\n")

    def call(self, tool: str, *arguments: dict[str, Any]) -> list[Outcome]:
        """All the calls, judged before as the engine does it, while folder and link change places."""

        async def calls() -> list[Outcome]:
            outcomes: list[Outcome] = []
            for number in range(CALLS):
                given = arguments[number % len(arguments)]
                self.desk.paths(tool, **given)
                outcomes.append(await self.desk.call(tool, **given))
            return outcomes

        with swapping(self.folder, self.link):
            return self.desk.run(calls())

    def assert_outside_is_untouched(self) -> None:
        assert [entry.name for entry in self.outside.iterdir()] == ["a.txt"]
        assert (self.outside / "a.txt").read_text() == "from outside\n"


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def test_nothing_outside_is_written(scene: Scene):
    existing = {"file_path": "d/a.txt", "content": "new\n"}
    scene.call("Write", existing, {"file_path": "d/deep/er/b.txt", "content": "new\n"})
    scene.assert_outside_is_untouched()


def test_nothing_outside_is_written_where_a_file_has_several_names(scene: Scene):
    os.link(scene.folder / "a.txt", scene.desk.root / "b.txt")
    scene.call("Write", {"file_path": "d/a.txt", "content": "new\n"})
    scene.assert_outside_is_untouched()


def test_nothing_outside_is_edited_or_kept(scene: Scene):
    change = {"file_path": "d/a.txt", "old_string": "from", "new_string": "out of"}
    back = {"file_path": "d/a.txt", "old_string": "out of", "new_string": "from"}
    scene.call("Edit", change, back)
    scene.assert_outside_is_untouched()
    assert not any(b"outside" in (image.content or b"") for image in scene.desk.kept)


def test_nothing_outside_is_read(scene: Scene):
    outcomes = scene.call("Read", {"file_path": "d/a.txt"}, {"file_path": "link/a.txt"})
    assert not any("from outside" in outcome.content for outcome in outcomes)
    assert {outcome.content for outcome in outcomes if not outcome.is_error} <= {"1\tfrom inside\n(1 line)"}


def test_a_file_that_becomes_a_link_is_not_followed(scene: Scene):
    file, link = scene.folder / "a.txt", scene.desk.root / "file-link"
    link.symlink_to(scene.outside / "a.txt")

    async def calls() -> list[Outcome]:
        read = [await scene.desk.call("Read", file_path="d/a.txt") for _ in range(CALLS)]
        write = [await scene.desk.call("Write", file_path="d/a.txt", content="new\n") for _ in range(CALLS)]
        return read + write

    with swapping(file, link):
        outcomes = scene.desk.run(calls())
    assert not any("from outside" in outcome.content for outcome in outcomes)
    scene.assert_outside_is_untouched()


def test_a_folder_that_becomes_a_link_while_the_pre_image_is_stored_is_not_followed(scene: Scene):
    async def scenario() -> list[Outcome]:
        scene.desk.on_keep = lambda: exchange(os.fsencode(scene.folder), os.fsencode(scene.link))
        outcomes = [await scene.desk.call("Write", file_path="d/new/b.txt", content="new\n")]
        outcomes.append(await scene.desk.call("Write", file_path="link/a.txt", content="new\n"))
        return outcomes

    outcomes = scene.desk.run(scenario())
    assert all(outcome.is_error and "symbolic link" in outcome.content for outcome in outcomes)
    scene.assert_outside_is_untouched()


def test_nothing_closed_is_searched_once_commands_run(scene: Scene):
    # Many files, so that a search is under way when folder and link change places.
    for number in range(200):
        (scene.folder / f"{number}.txt").write_text("from inside\n")

    async def calls() -> list[str]:
        await scene.desk.call("Bash", command="true")
        if not scene.desk.spawner.within(scene.walls).stands():
            pytest.skip("nothing confines commands here")
        with swapping(scene.folder, scene.link):
            found = [await scene.desk.call("Grep", pattern="from", output_mode="content") for _ in range(SEARCHES)]
        return [outcome.content for outcome in found]

    assert not any("from outside" in content for content in scene.desk.run(calls()))


def listed(folder: Path) -> None:
    """A command that an earlier session left, and that may still run."""
    entry = Entry(
        id="bash_0123abcd",
        session="earlier",
        command="mv r0 race",
        cwd=str(folder),
        output=str(folder / "output"),
        since=0.0,
        owner=ourselves(),
    )
    Roll(str(folder)).put(entry)


@pytest.mark.parametrize("whose", ["another thread's", "an earlier session's"])
def test_nor_once_others_commands_run(tmp_path: Path, scene: Scene, whose: str):
    for number in range(200):
        (scene.folder / f"{number}.txt").write_text("from inside\n")
    desk = scene.desk
    tools = builtin_tools(
        ToolSettings(),
        desk.spawner,
        confinement=lambda: scene.walls,
        scratch_dir=lambda: str(tmp_path),
        tasks_dir=lambda: str(tmp_path / "roll"),
    )
    grep = tools.get("Grep")
    assert grep is not None
    wanted = {"pattern": "from", "output_mode": "content"}

    async def calls() -> list[str]:
        if not desk.spawner.within(scene.walls).stands():
            pytest.skip("nothing confines commands here")
        if whose == "another thread's":
            await desk.call("Bash", command="true")
        else:
            listed(tmp_path / "roll")
        said: list[str] = []
        with swapping(scene.folder, scene.link):
            for _ in range(SEARCHES):
                grep.paths(wanted, desk.cwd)
                said.append((await grep.run(wanted, desk)).content)
        await tools.close()
        return said

    said = desk.run(calls())
    assert any("from inside" in content for content in said)
    assert not any("from outside" in content for content in said)
