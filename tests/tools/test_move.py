"""Does a move move, and nothing else?"""

import os
from pathlib import Path
from typing import Any

import pytest

from daedal.protocol.confinement import Confinement
from daedal.protocol.items import Change
from daedal.protocol.seams import Outcome, PreImage
from tests.toolbox.requirement import requirement
from tests.tools.desk import Desk
from tests.tools.test_races import Scene

pytestmark = requirement("SD-16")


def move(desk: Desk, source: str, destination: str) -> Outcome:
    return desk.do("Move", source_path=source, destination_path=destination)


def refused(desk: Desk, source: str, destination: str) -> str:
    outcome = move(desk, source, destination)
    assert outcome.is_error
    assert desk.kept == []
    return outcome.content


def test_a_file_gets_another_name_and_what_was_is_kept(desk: Desk):
    source = desk.put("a.txt", "text\n")
    source.chmod(0o640)
    target = desk.root / "b.txt"
    assert move(desk, "a.txt", "b.txt") == Outcome(
        content=f"Moved the file {source} to {target}.",
        changes=[Change(path=str(source), kind={"type": "update", "move_path": str(target)}, diff="")],
        touched=[str(target)],
    )
    assert (source.exists(), target.read_text(), target.stat().st_mode & 0o777) == (False, "text\n", 0o640)
    assert desk.kept == [
        PreImage(path=str(source), content=b"text\n", mode=0o640),
        PreImage(path=str(target), content=None),
    ]


def test_missing_folders_on_the_way_are_made(desk: Desk):
    desk.put("a.txt", "text\n")
    assert not move(desk, "a.txt", "new/deep/a.txt").is_error
    assert (desk.root / "new/deep/a.txt").read_text() == "text\n"


def test_a_folder_moves_with_everything_in_it(desk: Desk):
    desk.put("d/a.txt", "a")
    desk.put("d/sub/b.bin", b"\0\1")
    (desk.root / "d/empty").mkdir()
    (desk.root / "d/link").symlink_to("a.txt")
    outcome = move(desk, "d", "e")
    assert outcome.content == f"Moved the folder (3 files) {desk.root}/d to {desk.root}/e."
    assert not (desk.root / "d").exists()
    assert (desk.root / "e/sub/b.bin").read_bytes() == b"\0\1"
    assert (desk.root / "e/empty").is_dir()
    assert os.readlink(desk.root / "e/link") == "a.txt"
    kept = {os.path.relpath(image.path, desk.root): image.content for image in desk.kept}
    assert kept == {
        "d/a.txt": b"a",
        "d/sub/b.bin": b"\0\1",
        "d/link": b"a.txt",
        "e/a.txt": None,
        "e/sub/b.bin": None,
        "e/link": None,
    }


def test_a_link_is_moved_as_a_link_also_where_it_leads_outside(desk: Desk, tmp_path: Path):
    outside = tmp_path / "outside.txt"
    outside.write_text("stays\n")
    (desk.root / "link").symlink_to(outside)
    assert desk.paths("Move", source_path="link", destination_path="other") == [
        str(desk.root / "link"),
        str(desk.root / "other"),
    ]
    assert move(desk, "link", "other").content.startswith("Moved the link ")
    assert os.readlink(desk.root / "other") == str(outside)
    assert outside.read_text() == "stays\n"


@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_nothing_is_overwritten(desk: Desk, kind: str):
    desk.put("a.txt", "new")
    target = desk.root / "b"
    if kind == "file":
        target.write_text("old")
    elif kind == "folder":
        target.mkdir()
    else:
        target.symlink_to("nowhere")
    content = refused(desk, "a.txt", "b")
    assert f"{target} exists already" in content
    assert (f"give {target}/a.txt" in content) is (kind == "folder")
    assert (desk.root / "a.txt").read_text() == "new"


def test_what_appears_while_the_old_is_kept_is_not_overwritten(desk: Desk):
    desk.put("a.txt", "new")
    desk.on_keep = lambda: (desk.root / "b").write_text("quicker")
    assert "exists already" in move(desk, "a.txt", "b").content
    assert (desk.root / "b").read_text() == "quicker"
    assert (desk.root / "a.txt").read_text() == "new"


def test_what_changes_while_it_is_kept_is_not_moved(desk: Desk):
    desk.put("d/a.txt", "old")
    desk.on_keep = lambda: (desk.root / "d/more").write_text("x")
    outcome = move(desk, "d", "e")
    assert outcome.is_error
    assert "changed by somebody else" in outcome.content
    assert sorted(os.listdir(desk.root / "d")) == ["a.txt", "more"]


def test_names_that_lead_nowhere_are_told(desk: Desk):
    desk.put("config.py", "")
    assert "Did you mean config.py?" in refused(desk, "confg.py", "x")
    (desk.root / "d").mkdir()
    assert "into itself" in refused(desk, "d", "d/e")
    assert "already. Nothing was done" in refused(desk, "config.py", "./config.py")
    assert f"give {desk.root}/new/config.py" in refused(desk, "config.py", "new/")
    assert refused(desk, "config.py", "a\0b").startswith("not a usable path")
    assert refused(desk, "config.py", "config.py/x")
    assert move(desk, "config.py", "x" * 5000).is_error


def test_a_pipe_is_not_moved(desk: Desk):
    os.mkfifo(desk.root / "pipe")
    assert "named pipe" in refused(desk, "pipe", "other")


def test_what_cannot_be_kept_is_left_to_a_command(desk: Desk):
    for number in range(501):
        desk.put(f"d/{number}", "x")
    content = refused(desk, "d", "e")
    assert "more than 500 entries" in content
    assert "`mv`" in content


@pytest.mark.parametrize(
    "arguments",
    [
        {"source_path": "a.txt", "destination_path": "../out/a.txt"},
        {"source_path": "../out/b.txt", "destination_path": "b.txt"},
        {"source_path": "a.txt", "destination_path": "link/a.txt"},
        {"source_path": "link/b.txt", "destination_path": "b.txt"},
        {"source_path": "a.txt", "destination_path": "locked/a.txt"},
        {"source_path": "locked/c.txt", "destination_path": "c.txt"},
        {"source_path": "holder", "destination_path": "other"},
        {"source_path": ".", "destination_path": "../out/ws"},
    ],
)
def test_walls_hold_both_ends(tmp_path: Path, arguments: dict[str, Any]):
    root, out = tmp_path / "ws", tmp_path / "out"
    holes = [str(root / "locked"), str(root / "holder/hole")]
    desk = Desk(tmp_path, confinement=Confinement(workspace=str(root), writable=[str(root)], read_only=holes))
    out.mkdir()
    (out / "b.txt").write_text("b")
    (root / "link").symlink_to(out)
    desk.put("a.txt", "a")
    desk.put("locked/c.txt", "c")
    desk.put("holder/hole/d.txt", "d")
    tool = desk.tools.get("Move")
    assert tool is not None
    assert not tool.is_confined(arguments, desk.cwd)
    assert tool.is_confined({"source_path": "a.txt", "destination_path": "b.txt"}, desk.cwd)
    outcome = desk.do("Move", **arguments)
    assert outcome.is_error
    assert outcome.blocked is not None
    assert outcome.blocked.startswith("moving ")
    assert desk.kept == []
    assert sorted(os.listdir(out)) == ["b.txt"]
    assert sorted(os.listdir(root)) == ["a.txt", "holder", "link", "locked"]


def test_what_is_closed_stays_closed_even_where_the_call_was_let_out(tmp_path: Path):
    root, out = tmp_path / "ws", tmp_path / "out"
    closed = [str(root / "d/keys"), str(out / "keys")]
    desk = Desk(tmp_path, confinement=Confinement(workspace=str(root), writable=[str(root)], unreadable=closed))
    desk.is_let_out = True
    desk.put("d/keys/key", "secret")
    desk.put("a.txt", "a")
    out.mkdir()
    for source, destination in (("d/keys/key", "key"), ("d/keys", "k"), ("d", "e"), ("a.txt", "../out/keys")):
        assert "is closed to this session" in refused(desk, source, destination)
    assert not move(desk, "a.txt", "../out/new/a.txt").is_error
    assert (out / "new/a.txt").read_text() == "a"


def test_a_read_file_counts_as_read_at_its_new_place(desk: Desk):
    desk.put("a.ipynb", '{"cells": []}')

    async def scenario() -> Outcome:
        await desk.call("Read", file_path="a.ipynb")
        await desk.call("Move", source_path="a.ipynb", destination_path="b.ipynb")
        return await desk.call(
            "NotebookEdit", notebook_path="b.ipynb", new_source="x", edit_mode="insert", cell_type="code"
        )

    assert not desk.run(scenario()).is_error


def test_the_working_directory_moves_along(desk: Desk):
    desk.put("d/sub/a.txt", "a")
    desk.cwd = str(desk.root / "d/sub")
    move(desk, str(desk.root / "d"), str(desk.root / "e"))
    assert desk.cwd == str(desk.root / "e/sub")


@requirement("RX-16")
def test_nothing_outside_is_moved_while_a_folder_and_a_link_change_places(tmp_path: Path):
    scene = Scene(tmp_path)
    there = {"source_path": "d/a.txt", "destination_path": "d/deep/b.txt"}
    back = {"source_path": "d/deep/b.txt", "destination_path": "d/a.txt"}
    outcomes = scene.call("Move", there, back)
    assert any(not outcome.is_error for outcome in outcomes)
    scene.assert_outside_is_untouched()
    assert not any(b"outside" in (image.content or b"") for image in scene.desk.kept)


def test_another_file_system_is_told(desk: Desk):
    far = Path("/dev/shm")
    if not far.is_dir() or far.stat().st_dev == desk.root.stat().st_dev or not os.access(far, os.W_OK):
        pytest.skip("there is no other file system to write to")
    desk.is_let_out = True
    desk.put("a.txt", "a")
    target = far / f"daedal-{os.urandom(6).hex()}"
    outcome = move(desk, "a.txt", str(target))
    assert outcome.is_error
    assert "different file systems" in outcome.content
    assert not target.exists()
    assert (desk.root / "a.txt").read_text() == "a"
