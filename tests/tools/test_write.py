"""Does a whole file arrive, and is what was there before kept?"""

import asyncio
import os
import tempfile
from pathlib import Path

import pytest

from daedal.protocol.items import Change
from daedal.protocol.seams import Outcome, PreImage
from daedal.tools.errors import Refused
from daedal.tools.files import load
from tests.toolbox.requirement import requirement
from tests.tools.desk import Desk, not_root

pytestmark = requirement("SD-16/Write")


def test_a_new_file_is_created_with_its_folders(desk: Desk):
    path = desk.root / "new" / "folder" / "a.txt"
    assert desk.do("Write", file_path="new/folder/a.txt", content="one\ntwo\n") == Outcome(
        content=f"File created successfully at: {path} (2 lines)",
        changes=[Change(path=str(path), kind={"type": "add"}, diff="one\ntwo\n")],
        touched=[str(path)],
    )
    assert path.read_text() == "one\ntwo\n"
    assert desk.kept == [PreImage(path=str(path), content=None)]
    assert desk.left_behind() == []


def test_an_existing_file_is_replaced_and_keeps_its_mode(desk: Desk):
    path = desk.put("run.sh", "echo old\n")
    path.chmod(0o750)
    outcome = desk.do("Write", file_path="run.sh", content="echo new\n")
    assert outcome.content == f"The file {path} has been updated successfully. (1 line)"
    assert outcome.changes == [
        Change(path=str(path), kind={"type": "update"}, diff="@@ -1 +1 @@\n-echo old\n+echo new\n")
    ]
    assert path.read_text() == "echo new\n"
    assert path.stat().st_mode & 0o7777 == 0o750
    assert desk.kept == [PreImage(path=str(path), content=b"echo old\n", mode=0o750)]


def test_the_pre_image_is_kept_before_anything_changes(desk: Desk):
    path = desk.put("a.txt", "old")
    seen: list[object] = []
    desk.on_keep = lambda: seen.append((path.read_text(), (desk.root / "deep").exists()))
    desk.do("Write", file_path="a.txt", content="new")
    desk.do("Write", file_path="deep/b.txt", content="new")
    assert seen == [("old", False), ("new", False)]


def test_nothing_is_changed_where_the_pre_image_cannot_be_kept(desk: Desk):
    path = desk.put("a.txt", "old")

    def fail() -> None:
        raise RuntimeError("disk full")

    desk.on_keep = fail
    with pytest.raises(RuntimeError):
        desk.do("Write", file_path="a.txt", content="new")
    assert path.read_text() == "old"
    assert desk.left_behind() == []


def test_a_file_that_changed_since_it_was_read_is_not_overwritten(desk: Desk):
    path = desk.put("a.txt", "mine\n", mtime=1000)
    desk.do("Read", file_path="a.txt")
    desk.put("a.txt", "theirs\n", mtime=2000)
    refused = desk.do("Write", file_path="a.txt", content="new\n")
    assert refused.is_error
    assert refused.content.startswith("File has been modified since read")
    assert path.read_text() == "theirs\n"
    assert desk.kept == []
    desk.do("Read", file_path="a.txt")
    assert not desk.do("Write", file_path="a.txt", content="new\n").is_error


def test_a_touched_but_unchanged_file_and_an_own_change_do_not_count(desk: Desk):
    desk.put("a.txt", "same\n", mtime=1000)
    desk.do("Read", file_path="a.txt")
    desk.put("a.txt", "same\n", mtime=2000)
    assert not desk.do("Write", file_path="a.txt", content="one\n").is_error
    assert not desk.do("Write", file_path="a.txt", content="two\n").is_error


def test_a_file_that_changes_while_its_pre_image_is_stored_is_not_overwritten(desk: Desk):
    path = desk.put("a.txt", "old", mtime=1000)
    desk.on_keep = lambda: desk.put("a.txt", "quicker", mtime=2000)
    outcome = desk.do("Write", file_path="a.txt", content="new")
    assert outcome.is_error
    assert "just now" in outcome.content
    assert path.read_text() == "quicker"
    desk.on_keep = lambda: desk.put("b.txt", "quicker")
    assert desk.do("Write", file_path="b.txt", content="new").is_error


def test_through_a_link_the_target_is_written(desk: Desk):
    target = desk.put("real.txt", "old")
    (desk.root / "link").symlink_to("real.txt")
    (desk.root / "dangling").symlink_to("made.txt")
    desk.do("Write", file_path="link", content="new")
    desk.do("Write", file_path="dangling", content="made")
    assert target.read_text() == "new"
    assert (desk.root / "link").is_symlink()
    assert (desk.root / "made.txt").read_text() == "made"


def test_a_file_with_several_names_stays_one_file(desk: Desk):
    path = desk.put("a.txt", "a longer old content")
    os.link(path, desk.root / "b.txt")
    desk.do("Write", file_path="a.txt", content="new")
    assert (desk.root / "b.txt").read_text() == "new"
    assert path.stat().st_nlink == 2


def test_a_file_in_a_folder_that_takes_no_new_files_is_written_in_place():
    with tempfile.TemporaryDirectory() as folder:  # pytest's own folders are closed to anybody else
        Path(folder).chmod(0o755)
        desk = Desk(Path(folder))
        path = desk.put("locked/a.txt", "a longer old content")
        path.chmod(0o666)
        path.parent.chmod(0o555)
        with not_root():
            outcome = desk.do("Write", file_path="locked/a.txt", content="new")
            refused = desk.do("Write", file_path="locked/b.txt", content="new")
        assert not outcome.is_error, outcome.content
        assert path.read_text() == "new"
        assert refused.is_error
        assert "Permission denied" in refused.content
        path.parent.chmod(0o755)


def test_attributes_survive(desk: Desk):
    path = desk.put("a.txt", "old")
    try:
        os.setxattr(path, "user.origin", b"here")
    except OSError:
        pytest.skip("this file system has no attributes")
    desk.do("Write", file_path="a.txt", content="new")
    assert os.getxattr(path, "user.origin") == b"here"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (".", "is a directory"),
        ("pipe", "a named pipe"),
        ("file/below", "one of the folders in it is a file"),
        ("a\0b", "not a usable path"),
        ("x" * 300, "File name too long"),
    ],
)
def test_what_cannot_be_written_is_told(desk: Desk, path: str, said: str):
    os.mkfifo(desk.root / "pipe")
    desk.put("file", "x")
    outcome = desk.do("Write", file_path=path, content="new")
    assert outcome.is_error
    assert said in outcome.content
    assert desk.left_behind() == []


def test_text_that_cannot_be_encoded_is_refused(desk: Desk):
    outcome = desk.do("Write", file_path="a.txt", content="bad \ud800")
    assert outcome.is_error
    assert "cannot be written as UTF-8" in outcome.content
    assert not (desk.root / "a.txt").exists()


def test_a_huge_file_is_not_loaded_to_be_replaced(desk: Desk):
    path = desk.put("huge", "")
    os.truncate(path, 200_000_000)
    outcome = desk.do("Write", file_path="huge", content="small")
    assert outcome.is_error
    assert "190.7 MiB" in outcome.content


def test_a_file_that_hides_its_size_is_not_loaded_without_end():
    with pytest.raises(Refused, match="above the 32 MiB"):
        load(f"/proc/{os.getpid()}/pagemap")


def test_a_write_that_is_cancelled_while_it_keeps_the_old_changes_nothing(desk: Desk):
    path = desk.put("a.txt", "old")

    class Stuck(Desk):
        async def keep(self, image: PreImage) -> None:
            await asyncio.Event().wait()

    stuck = Stuck(Path(desk.workspace).parent)

    async def scenario() -> None:
        task = asyncio.create_task(stuck.call("Write", file_path="a.txt", content="new"))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    stuck.run(scenario())
    assert path.read_text() == "old"
    assert desk.left_behind() == []


def test_the_path_of_a_call_is_real(desk: Desk):
    (desk.root / "link").symlink_to("elsewhere")
    assert desk.paths("Write", file_path="link", content=1) == [str(desk.root / "elsewhere")]
