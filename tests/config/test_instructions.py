"""What AGENTS.md and CLAUDE.md say is found, bounded and never taken from outside the project."""

import os
from pathlib import Path

import pytest

from daedal.config import FileInstructions
from daedal.protocol.seams import InstructionFile, Instructions


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git project with an empty Daedal home beside it."""
    monkeypatch.setenv("DAEDAL_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    return root


def place(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def initial(workspace: Path) -> list[tuple[str, str]]:
    files: Instructions = FileInstructions()
    return [(file.path, file.text) for file in files.initial(str(workspace))]


def test_a_project_without_instructions_has_none(project: Path) -> None:
    assert initial(project) == []


def test_the_users_own_come_first_then_the_projects_from_the_root_down(project: Path, tmp_path: Path) -> None:
    workspace = project / "a" / "b"
    workspace.mkdir(parents=True)
    expected = [
        place(tmp_path / "home" / "AGENTS.md", "user"),
        place(project / "AGENTS.md", "root agents"),
        place(project / "CLAUDE.md", "root claude"),
        place(project / "a" / "CLAUDE.md", "a"),
        place(workspace / "AGENTS.md", "b"),
    ]
    place(tmp_path / "AGENTS.md", "above the project")
    place(workspace / "c" / "AGENTS.md", "below the workspace")
    assert initial(workspace) == [(str(path), path.read_text()) for path in expected]


def test_without_git_only_the_workspace_itself_is_read(project: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "plain" / "sub"
    place(tmp_path / "plain" / "AGENTS.md", "outer")
    inner = place(workspace / "AGENTS.md", "inner")
    assert initial(workspace) == [(str(inner), "inner")]


@pytest.mark.parametrize("twin", ["same", "link", "pointer"])
def test_twins_are_given_once(project: Path, twin: str) -> None:
    agents = place(project / "AGENTS.md", "rules\n")
    if twin == "link":
        (project / "CLAUDE.md").symlink_to("AGENTS.md")
    else:
        place(project / "CLAUDE.md", "rules\n" if twin == "same" else "@AGENTS.md\n")
    assert initial(project) == [(str(agents), "rules\n")]


def test_large_twins_are_given_once_too(project: Path) -> None:
    for name in ("AGENTS.md", "CLAUDE.md"):
        place(project / name, "x" * 50_000)
    assert len(initial(project)) == 1


def test_nested_files_come_when_their_folder_is_touched(project: Path) -> None:
    place(project / "AGENTS.md", "root")
    outer, inner = place(project / "a" / "AGENTS.md", "a"), place(project / "a" / "b" / "CLAUDE.md", "b")
    nested = [InstructionFile(str(outer), "a"), InstructionFile(str(inner), "b")]
    files = FileInstructions()
    assert files.nested(str(project), str(project / "a" / "b" / "new.py")) == nested
    assert files.nested(str(project), str(project / "a" / "b")) == nested
    assert files.nested(str(project), str(project / "a" / "x.py")) == nested[:1]
    assert files.nested(str(project / "a"), str(project / "a" / "b" / "x.py")) == nested[1:]
    assert files.nested(str(project), str(project / "x.py")) == []


def test_nothing_outside_the_workspace_is_read_when_touched(project: Path, tmp_path: Path) -> None:
    place(tmp_path / "project-else" / "AGENTS.md", "else")
    place(tmp_path / "AGENTS.md", "above")
    (project / "way-out").symlink_to(tmp_path / "project-else")
    files = FileInstructions()
    for touched in (tmp_path / "project-else" / "x", tmp_path / "x", project / "way-out" / "x", Path("/")):
        assert files.nested(str(project), str(touched)) == []


def test_a_link_that_leaves_the_project_is_not_followed(project: Path, tmp_path: Path) -> None:
    secret = place(tmp_path / "secret", "private key")
    (project / "AGENTS.md").symlink_to(secret)
    (project / "CLAUDE.md").symlink_to(place(project / "docs" / "rules.md", "inside"))
    assert initial(project) == [(str(project / "CLAUDE.md"), "inside")]


def test_the_users_own_file_may_be_a_link(project: Path, tmp_path: Path) -> None:
    (tmp_path / "home" / "AGENTS.md").symlink_to(place(tmp_path / "dotfiles" / "agents", "mine"))
    assert initial(project) == [(str(tmp_path / "home" / "AGENTS.md"), "mine")]


def test_a_workspace_reached_by_a_link_is_the_same_workspace(project: Path, tmp_path: Path) -> None:
    agents = place(project / "AGENTS.md", "rules")
    (tmp_path / "shortcut").symlink_to(project)
    assert initial(tmp_path / "shortcut") == [(str(agents), "rules")]


def test_a_large_file_is_cut_with_a_note_of_how_much_is_missing(project: Path) -> None:
    place(project / "AGENTS.md", "é" * 20_000)
    place(project / "sub" / "AGENTS.md", "x" * 32_768)
    [(_, text)] = initial(project)
    assert text == "é" * 16_384 + "\n[7232 more bytes are left out: read the file itself if you need them]\n"
    place(project / "AGENTS.md", "x" + "é" * 20_000)
    [(_, text)] = initial(project)
    assert text.startswith("x" + "é" * 16_383 + "\n[")
    [file] = FileInstructions().nested(str(project), str(project / "sub"))
    assert file.text == "x" * 32_768


def test_bytes_that_are_not_text_are_replaced(project: Path) -> None:
    place(project / "AGENTS.md", b"\xef\xbb\xbfa\xffb")
    assert initial(project) == [(str(project / "AGENTS.md"), "a\ufffdb")]


def test_what_is_no_ordinary_file_is_skipped_without_waiting(project: Path) -> None:
    os.mkfifo(project / "AGENTS.md")
    (project / "CLAUDE.md").mkdir()
    place(project / "a" / "AGENTS.md", " \n")
    (project / "a" / "CLAUDE.md").symlink_to("nowhere")
    assert initial(project / "a") == []


def test_files_are_read_anew_at_each_call(project: Path) -> None:
    place(project / "AGENTS.md", "old")
    first = initial(project)
    place(project / "AGENTS.md", "new")
    assert first != initial(project)
