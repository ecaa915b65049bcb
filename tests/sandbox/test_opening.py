"""Is exactly the path opened that was judged, and nothing behind a link?"""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from daedal.sandbox import Spot, reach
from tests.toolbox.requirement import requirement

pytestmark = requirement("RX-16")


def anywhere(folder: str) -> bool:
    return bool(folder)


def content(spot: Spot) -> bytes:
    descriptor = spot.open(os.O_RDONLY)
    try:
        return os.read(descriptor, 100)
    finally:
        os.close(descriptor)


def test_a_file_is_reached_and_read(tmp_path: Path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.txt").write_text("text")
    with reach(str(tmp_path / "a" / "b.txt")) as spot:
        assert content(spot) == b"text"
        assert stat.S_ISREG(spot.stat().st_mode)
        assert spot.neighbours(10) == ["b.txt"]


def test_the_root_folder_is_reached():
    with reach("/") as spot:
        assert stat.S_ISDIR(spot.stat().st_mode)


def test_a_link_on_the_way_is_not_followed(tmp_path: Path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    for path in ("link/a.txt", "link/deep/a.txt"):
        with pytest.raises(OSError, match="symbolic links") as caught:
            reach(str(tmp_path / path), may_make=anywhere)
        assert (caught.value.errno, caught.value.filename) == (errno.ELOOP, str(tmp_path / "link"))
    assert list((tmp_path / "real").iterdir()) == []


@pytest.mark.parametrize("act", [Spot.stat, content], ids=["stat", "open"])
def test_a_link_at_the_end_is_not_followed(tmp_path: Path, act: Callable[[Spot], object]):
    (tmp_path / "real").write_text("secret")
    (tmp_path / "link").symlink_to("real")
    with reach(str(tmp_path / "link")) as spot, pytest.raises(OSError, match="symbolic links"):
        act(spot)


def test_a_pipe_does_not_keep_anybody_waiting(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    with reach(str(tmp_path / "pipe")) as spot:
        os.close(spot.open(os.O_RDONLY))
        with pytest.raises(OSError, match="No such device"):
            spot.open(os.O_WRONLY)


def test_the_name_is_given_in_the_folder_that_was_reached_wherever_that_is_now(tmp_path: Path):
    folder, outside = tmp_path / "folder", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    with reach(str(folder / "a.txt")) as spot:
        folder.rename(tmp_path / "moved")
        folder.symlink_to(outside)
        os.close(spot.create_beside("new"))
        spot.take_from("new")
        spot.remove_beside("new")
        spot.sync()
    assert os.listdir(outside) == []
    assert os.listdir(tmp_path / "moved") == ["a.txt"]


def test_a_link_that_took_the_name_is_replaced_and_not_written_through(tmp_path: Path):
    (tmp_path / "outside").write_text("old")
    with reach(str(tmp_path / "a.txt")) as spot:
        os.close(spot.create_beside("new"))
        (tmp_path / "a.txt").symlink_to("outside")
        spot.take_from("new")
    assert not (tmp_path / "a.txt").is_symlink()
    assert (tmp_path / "outside").read_text() == "old"


def test_a_temporary_file_is_never_one_that_was_there(tmp_path: Path):
    (tmp_path / "new").symlink_to("outside")
    with reach(str(tmp_path / "a.txt")) as spot, pytest.raises(FileExistsError):
        spot.create_beside("new")
    assert not (tmp_path / "outside").exists()


def test_missing_folders_are_made_only_where_that_is_agreed_to(tmp_path: Path):
    asked: list[str] = []

    def inside(folder: str) -> bool:
        asked.append(folder)
        return folder.startswith(str(tmp_path / "in"))

    reach(str(tmp_path / "in" / "deep" / "a.txt"), may_make=inside).__exit__(None, None, None)
    assert asked == [str(tmp_path / "in"), str(tmp_path / "in" / "deep")]
    with pytest.raises(PermissionError, match="may not be made outside"):
        reach(str(tmp_path / "out" / "a.txt"), may_make=inside)
    with pytest.raises(FileNotFoundError):
        reach(str(tmp_path / "out" / "a.txt"))
    assert not (tmp_path / "out").exists()


def test_a_file_on_the_way_and_a_path_without_end_are_told(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError) as caught:
        reach(str(tmp_path / "file" / "a.txt"))
    assert caught.value.filename == str(tmp_path / "file")
    with pytest.raises(OSError, match="too long"):
        reach("/a" * 3000, may_make=anywhere)


def test_no_descriptor_is_left_open(tmp_path: Path):
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("file")
    before = os.listdir("/proc/self/fd")
    for name in ("file", "file/x", "missing/x", "link/x", "made/x"):
        try:
            with reach(str(tmp_path / name), may_make=anywhere if name == "made/x" else None) as spot:
                spot.neighbours(5)
                spot.sync()
        except OSError:
            pass
    assert os.listdir("/proc/self/fd") == before


@pytest.mark.parametrize("path", ["/a/../b", "/a/./b", "/a//b", "/a/", "a/b", ""])
def test_only_a_resolved_path_is_taken(path: str):
    with pytest.raises(ValueError, match="resolved"):
        reach(path)
