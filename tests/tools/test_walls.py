"""Do the file tools stay inside the walls, and does what is closed stay closed to all of them?"""

import os
from pathlib import Path

import pytest

from daedal.protocol.confinement import Confinement
from tests.toolbox.requirement import requirement
from tests.tools.desk import Desk

pytestmark = requirement("RX-16")
SECRET = "the needle\n"


def desk_in(
    folder: Path, *, closed: tuple[str, ...] = (), read_only: tuple[str, ...] = (), enabled: bool = True
) -> Desk:
    """Outside the workspace lies `out`; names are relative to the folder above both."""
    (folder / "out").mkdir(exist_ok=True)
    return Desk(
        folder,
        confinement=Confinement(
            workspace=str(folder / "ws"),
            writable=[str(folder / "ws"), str(folder / "extra")],
            read_only=[str(folder / name) for name in read_only],
            unreadable=[str(folder / name) for name in closed],
            enabled=enabled,
        ),
    )


def confined(desk: Desk, tool: str, **arguments: object) -> bool:
    found = desk.tools.get(tool)
    assert found is not None
    return found.is_confined(arguments, desk.cwd)


def test_what_is_written_outside_is_refused_and_says_what_to_do(tmp_path: Path):
    desk = desk_in(tmp_path)
    target = tmp_path / "out" / "deep" / "a.txt"
    outcome = desk.do("Write", file_path=str(target), content="x")
    assert outcome.is_error
    assert outcome.blocked == f"writing {target}"
    assert "lies outside the folders that may be written" in outcome.content
    assert f"Write inside {desk.root}" in outcome.content
    assert not target.parent.exists()
    assert desk.kept == []


def test_what_is_edited_outside_is_refused(tmp_path: Path):
    desk = desk_in(tmp_path)
    target = tmp_path / "out" / "a.txt"
    target.write_text("old")
    outcome = desk.do("Edit", file_path="../out/a.txt", old_string="old", new_string="new")
    assert (outcome.blocked, target.read_text()) == (f"writing {target}", "old")


def test_a_call_that_a_person_let_out_is_made(tmp_path: Path):
    desk = desk_in(tmp_path)
    desk.is_let_out = True
    outcome = desk.do("Write", file_path="../out/deep/a.txt", content="x")
    assert (outcome.is_error, outcome.blocked) == (False, None)
    assert (tmp_path / "out" / "deep" / "a.txt").read_text() == "x"


def test_a_further_folder_is_written_to_and_made_where_it_is_missing(tmp_path: Path):
    desk = desk_in(tmp_path)
    assert not desk.do("Write", file_path="../extra/deep/a.txt", content="x").is_error
    assert (tmp_path / "extra" / "deep" / "a.txt").read_text() == "x"


def test_folders_on_the_way_to_a_further_folder_are_not_made(tmp_path: Path):
    target = tmp_path / "missing" / "extra"
    desk = Desk(tmp_path, confinement=Confinement(workspace=str(tmp_path / "ws"), writable=[str(target)]))
    outcome = desk.do("Write", file_path=str(target / "a.txt"), content="x")
    assert outcome.is_error
    assert "may not be made outside" in outcome.content
    assert not target.parent.exists()


def test_a_hole_in_the_workspace_is_only_read(tmp_path: Path):
    desk = desk_in(tmp_path, read_only=("ws/.daedal",))
    path = desk.put(".daedal/status.json", "{}")
    assert not desk.do("Read", file_path=".daedal/status.json").is_error
    outcome = desk.do("Edit", file_path=".daedal/status.json", old_string="{", new_string="[")
    assert outcome.blocked == f"writing {path}"
    assert "may only be read here" in outcome.content
    assert not desk.do("Write", file_path=".daedal2", content="x").is_error


@pytest.mark.parametrize("is_let_out", [False, True])
@pytest.mark.parametrize("enabled", [False, True])
@pytest.mark.parametrize("name", ["ws/vault/key", "alias/key", "ws/link/key", "ws/key", "ws/../ws/vault/./key"])
def test_what_is_closed_is_neither_read_nor_changed_by_any_name(
    tmp_path: Path, name: str, enabled: bool, is_let_out: bool
):
    desk = desk_in(tmp_path, closed=("alias",), enabled=enabled)
    key = desk.put("vault/key", SECRET)
    (tmp_path / "alias").symlink_to(desk.root / "vault")
    (desk.root / "link").symlink_to("vault")
    (desk.root / "key").symlink_to("link/key")
    desk.is_let_out = is_let_out
    path = str(tmp_path / name)
    for tool, arguments in (
        ("Read", {"file_path": path}),
        ("Edit", {"file_path": path, "old_string": "needle", "new_string": "x"}),
        ("Write", {"file_path": path, "content": "x"}),
        ("Grep", {"pattern": "needle", "path": path, "output_mode": "content"}),
        ("Glob", {"pattern": "*", "path": path}),
    ):
        outcome = desk.do(tool, **arguments)
        assert outcome.is_error, tool
        assert "is closed to this session" in outcome.content
        assert outcome.blocked is None
        assert "needle" not in outcome.content
    assert key.read_text() == SECRET
    assert desk.kept == []


ODD = [
    "plain",
    "with space",
    "br[a]ck",
    "cur{l,y}",
    "st*r",
    "b!ng",
    "!bang",
    "back\\slash",
    "new\nline",
    "-dash",
    "é",
    "#",
]


@pytest.mark.parametrize("name", [*ODD, os.fsdecode(b"caf\xe9")])
def test_a_search_passes_over_what_is_closed_whatever_it_is_called(tmp_path: Path, name: str):
    desk = desk_in(tmp_path, closed=(f"ws/sub/{name}",))
    desk.put(f"sub/{name}/deep/key", SECRET)
    desk.put("sub/open", SECRET)
    for path in (".", "sub", str(tmp_path)):
        for mode in ("files_with_matches", "content", "count"):
            content = desk.do("Grep", pattern="needle", path=path, output_mode=mode, glob="**").content
            assert "sub/open" in content
            assert "key" not in content
        assert desk.do("Glob", pattern="**/*", path=path).content.split("\n") == [
            os.path.join("" if path != str(tmp_path) else str(desk.root), "sub/open")
        ]
        assert desk.do("Glob", pattern="key", path=path).content == "No files found"


def test_a_single_closed_file_is_passed_over_and_its_neighbours_are_not(tmp_path: Path):
    desk = desk_in(tmp_path, closed=("ws/.env",))
    desk.put(".env", SECRET)
    desk.put(".env.example", SECRET)
    desk.put("sub/.env", SECRET)
    assert desk.do("Grep", pattern="needle").content.split("\n")[0] == "Found 2 files"
    assert sorted(desk.do("Glob", pattern=".env*").content.split("\n")) == [".env.example", "sub/.env"]


def test_an_alias_that_is_given_another_target_closes_that(tmp_path: Path):
    desk = desk_in(tmp_path, closed=("alias",))
    desk.put("one/key", SECRET)
    desk.put("two/key", SECRET)
    (tmp_path / "alias").symlink_to(desk.root / "one")
    assert not desk.do("Read", file_path="two/key").is_error
    (tmp_path / "alias").unlink()
    (tmp_path / "alias").symlink_to(desk.root / "two")
    assert desk.do("Read", file_path="two/key").is_error


def test_without_walls_everything_else_is_written(tmp_path: Path):
    desk = desk_in(tmp_path, read_only=("ws/.daedal",), enabled=False)
    assert not desk.do("Write", file_path="../out/a.txt", content="x").is_error
    assert not desk.do("Write", file_path=".daedal/a.txt", content="x").is_error
    assert not confined(desk, "Write", file_path="a.txt")


def test_whether_a_call_is_confined_depends_on_where_it_leads(tmp_path: Path):
    desk = desk_in(tmp_path, closed=("ws/vault",), read_only=("ws/.daedal",))
    (desk.root / "link").symlink_to(tmp_path / "out")
    for tool in ("Write", "Edit"):
        assert confined(desk, tool, file_path="a.txt")
        assert confined(desk, tool, file_path="../extra/a.txt")
        for name in ("../out/a", "link/a", ".daedal/a", "vault/a", "~/a"):
            assert not confined(desk, tool, file_path=name), name
    for tool in ("Read", "Glob", "Grep"):
        assert confined(desk, tool, file_path="a.txt", path=".", pattern="*")
        assert not confined(desk, tool, file_path="/", path="/", pattern="*")


@pytest.mark.parametrize("name", ["\0", "~\0", "../out/a\0b", 3, ["../out/a"], None])
@pytest.mark.parametrize("enabled", [True, False])
def test_what_is_no_path_may_reach_the_tool_which_says_so(tmp_path: Path, name: object, enabled: bool):
    desk = desk_in(tmp_path, enabled=enabled)
    calls: list[tuple[str, dict[str, object]]] = [
        ("Read", {"file_path": name}),
        ("Write", {"file_path": name, "content": "x"}),
        ("Edit", {"file_path": name, "old_string": "", "new_string": "x"}),
        ("Move", {"source_path": name, "destination_path": "b"}),
    ]
    for tool, given in calls:
        assert confined(desk, tool, **given), tool
        assert desk.do(tool, **given).is_error
    assert not list((tmp_path / "out").iterdir())


def test_a_hard_link_to_what_is_closed_is_closed_too(tmp_path: Path):
    desk = desk_in(tmp_path, closed=("out/.env", "out/logins"))
    for name in (".env", "logins/one", "other"):
        (tmp_path / "out" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "out" / name).write_text(SECRET)
        (desk.root / Path(name).name).hardlink_to(tmp_path / "out" / name)
    for name in (".env", "one"):
        calls: list[tuple[str, dict[str, object]]] = [
            ("Read", {"file_path": name}),
            ("Write", {"file_path": name, "content": "x"}),
            ("Edit", {"file_path": name, "old_string": "needle", "new_string": "x"}),
            ("Grep", {"pattern": "needle", "path": name, "output_mode": "content"}),
            ("Brief", {"message": "Look.", "attachments": [name]}),
        ]
        for tool, given in calls:
            outcome = desk.do(tool, **given)
            assert outcome.is_error
            assert "is another name of a file that is closed" in outcome.content
            assert SECRET not in outcome.content
        assert (desk.root / name).read_text() == SECRET
    assert "needle" in desk.do("Read", file_path="other").content
    assert desk.kept == []


def test_a_name_that_leads_nowhere_yet_claims_nothing(tmp_path: Path):
    desk = desk_in(tmp_path)
    (desk.root / "link").symlink_to("link")
    assert confined(desk, "Read", file_path="link")  # It lies in the workspace, and is judged as itself.
    (desk.root / "out").symlink_to(tmp_path / "out")
    assert not confined(desk, "Read", file_path="out")
    assert not confined(desk, "Read", file_path="out", limit="many")


def test_what_a_process_holds_is_not_read_through_its_folder(tmp_path: Path):
    desk = desk_in(tmp_path)
    for path in ("/proc/self/environ", f"/proc/{os.getpid()}/task/{os.getpid()}/environ", "/proc/thread-self/mem"):
        assert "is closed to this session" in desk.do("Read", file_path=path).content
        assert desk.do("Grep", pattern="PATH", path=path).is_error
    for path in ("/proc/self", f"/proc/{os.getpid()}"):
        assert desk.do("Grep", pattern="PATH", path=path).is_error
        assert desk.do("Glob", pattern="environ", path=path).is_error
    assert not desk.do("Read", file_path="/proc/self/limits").is_error


def test_a_pipe_keeps_no_search_waiting(desk: Desk):
    os.mkfifo(desk.root / "pipe")
    assert "a named pipe" in desk.do("Grep", pattern="x", path="pipe").content


@pytest.mark.parametrize("tool", ["Read", "Write", "Edit", "Grep", "Glob"])
def test_a_link_that_is_changed_after_the_verdict_is_not_followed(tmp_path: Path, tool: str):
    desk = desk_in(tmp_path)
    link = desk.root / "link"
    for folder in (desk.root / "in", desk.root / "other"):
        folder.mkdir()
        (folder / "a.txt").write_text(SECRET)
    arguments = {
        "Read": {"file_path": "link/a.txt"},
        "Write": {"file_path": "link/a.txt", "content": "new"},
        "Edit": {"file_path": "link/a.txt", "old_string": "the", "new_string": "a"},
        "Grep": {"pattern": "needle", "path": "link", "output_mode": "content"},
        "Glob": {"pattern": "link/*"},
    }[tool]
    link.symlink_to("in")
    desk.paths(tool, **arguments)
    link.unlink()
    link.symlink_to("other")
    outcome = desk.do(tool, **arguments)
    assert outcome.is_error
    assert "led elsewhere when this call was judged" in outcome.content
    assert (desk.root / "other" / "a.txt").read_text() == SECRET
    desk.paths(tool, **arguments)
    assert not desk.do(tool, **arguments).is_error


def test_calls_that_are_judged_together_are_each_bound(desk: Desk):
    desk.put("in/a.txt", "x\n")
    desk.put("other/a.txt", "y\n")
    link = desk.root / "link"
    link.symlink_to("in")
    for _ in range(3):
        desk.paths("Read", file_path="link/a.txt")
    assert not desk.do("Read", file_path="link/a.txt").is_error
    link.unlink()
    link.symlink_to("other")
    assert desk.do("Read", file_path="link/a.txt").is_error


def test_a_link_that_changes_between_two_calls_is_followed(desk: Desk):
    desk.put("in/a.txt", "x\n")
    desk.put("other/a.txt", "y\n")
    for folder in ("in", "other"):
        (desk.root / "link").unlink(missing_ok=True)
        (desk.root / "link").symlink_to(folder)
        desk.paths("Read", file_path="link/a.txt")
        assert not desk.do("Read", file_path="link/a.txt").is_error


def test_whether_a_call_is_confined_is_said_of_the_path_that_was_told(tmp_path: Path, desk: Desk):
    desk.put("in/a.txt", "x\n")
    outside = tmp_path / "outside"
    outside.mkdir()
    link, tool = desk.root / "link", desk.tools.get("Write")
    assert tool is not None
    for told, later, is_inside in (("in", outside, True), (outside, "in", False)):
        link.unlink(missing_ok=True)
        link.symlink_to(told)
        wanted = {"file_path": "link/a.txt", "content": ""}
        desk.paths("Write", **wanted)
        link.unlink()
        link.symlink_to(later)
        assert tool.is_confined(wanted, desk.cwd) is is_inside
        assert desk.do("Write", **wanted).is_error  # For it leads elsewhere by now.


def test_what_was_not_judged_is_not_done(desk: Desk):
    desk.put("a.txt", "x\n")
    tool = desk.tools.get("Read")
    assert tool is not None
    outcome = desk.run(tool.run({"file_path": "a.txt"}, desk))
    assert outcome.is_error
    assert "judged" in outcome.content


def test_a_call_that_is_made_again_leads_where_it_led(desk: Desk):
    desk.put("in/a.txt", "x\n")
    desk.put("other/a.txt", "y\n")
    link, tool = desk.root / "link", desk.tools.get("Read")
    assert tool is not None
    link.symlink_to("in")
    wanted = {"file_path": "link/a.txt"}
    desk.paths("Read", **wanted)

    async def scenario() -> list[bool]:
        twice = [(await tool.run(wanted, desk)).is_error for _ in range(2)]
        link.unlink()
        link.symlink_to("other")
        return [*twice, (await tool.run(wanted, desk)).is_error]

    assert desk.run(scenario()) == [False, False, True]
