"""Does work in a worktree stay apart? Nothing of a repository runs for it, and it changes nothing of its parent."""

import asyncio
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from daedal.app.worktrees import GitWorktrees
from daedal.protocol.errors import UsageError
from daedal.sandbox import ProcessSpawner
from tests.journeys.test_subagents import agent, by_prompt, git, place, repository
from tests.toolbox.model_server import Reply, call, calls, say
from tests.toolbox.program import Daedal
from tests.toolbox.requirement import requirement

pytestmark = requirement("SD-16/Agent")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    repository(folder)
    return folder


def with_trees(scenario: Callable[[GitWorktrees], object]) -> object:
    async def whole() -> object:
        spawner = ProcessSpawner([])
        try:
            return await scenario(GitWorktrees(spawner))  # type: ignore[misc]
        finally:
            await spawner.close()

    return asyncio.run(whole())


async def come_and_go(trees: GitWorktrees, workspace: Path) -> str:
    """What is in a worktree's file, before it is removed."""
    path = await trees.create(str(workspace), "one")
    content = (Path(path) / "a.txt").read_text()
    os.utime(Path(path) / "a.txt", (1, 1))  # So that git looks at the content, and not only at the clock.
    assert await trees.remove(str(workspace), path)
    return content


@pytest.mark.parametrize("name", ["x", "Odd.name=Caps", "ünï.smudge"])
@pytest.mark.parametrize("part", ["smudge", "clean", "process"])
def test_a_repositorys_filters_do_not_run(project: Path, name: str, part: str):
    marks = [project / ".git" / "ran", project.parent / "ran"]  # The first could be written even within walls.
    ran = "; ".join(f"touch {mark}" for mark in marks)
    place(project / ".git" / "info" / "attributes", f"* filter={name}\n")
    git(project, "config", f"filter.{name}.{part}", f"{ran}; tr a-z A-Z")
    git(project, "config", f"filter.{name}.required", "true")
    assert with_trees(lambda trees: come_and_go(trees, project)) == "one\n"
    assert not any(mark.exists() for mark in marks)


def test_no_other_program_that_a_repository_names_runs_either(project: Path):
    ran = project.parent / "ran"
    script = project.parent / "script"
    script.write_text(f"#!/bin/sh\ntouch {ran} {project}/.git/ran\n")
    script.chmod(0o755)
    hooks = project / ".git" / "hooks"
    for name in ("post-checkout", "reference-transaction", "post-index-change"):
        (hooks / name).symlink_to(script)
    for key in ("core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "diff.external", "core.askPass"):
        git(project, "config", key, str(script))
    git(project, "config", "core.hooksPath", str(hooks))
    assert with_trees(lambda trees: come_and_go(trees, project)) == "one\n"
    assert not ran.exists()
    assert not (project / ".git" / "ran").exists()


def test_objects_that_are_missing_are_not_fetched(project: Path):
    ran = project.parent / "ran"
    blob = git(project, "rev-parse", "HEAD:a.txt").strip()
    (project / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    for key, value in {
        "remote.origin.url": f"ext::touch {ran}",
        "remote.origin.promisor": "true",
        "extensions.partialClone": "origin",
        "core.repositoryFormatVersion": "1",
        "protocol.ext.allow": "always",
    }.items():
        git(project, "config", key, value)
    with pytest.raises(UsageError):
        with_trees(lambda trees: trees.create(str(project), "one"))
    assert not ran.exists()


def test_the_folder_in_the_worktree_is_the_one_that_the_workspace_is(project: Path):
    place(project / "tracked" / "b.txt", "b\n")
    git(project, "add", ".")
    git(project, "commit", "-qm", "second")
    (project / "untracked").mkdir()

    async def scenario(trees: GitWorktrees) -> None:
        for name in ("tracked", "untracked"):
            path = await trees.create(str(project / name), name)
            assert path == f"{project}.worktrees/{name}/{name}"
            assert Path(path).is_dir()
            assert await trees.remove(str(project / name), path)

    with_trees(scenario)
    assert not Path(f"{project}.worktrees").exists()


def test_a_folder_that_is_a_link_in_the_repository_leads_nowhere(project: Path):
    outside = project.parent / "outside"
    outside.mkdir()
    (project / "sub").symlink_to(outside)
    git(project, "add", ".")
    git(project, "commit", "-qm", "second")
    (project / "sub").unlink()
    (project / "sub").mkdir()
    with pytest.raises(UsageError, match="leads somewhere else"):
        with_trees(lambda trees: trees.create(str(project / "sub"), "one"))
    assert not Path(f"{project}.worktrees").exists()


def test_a_link_where_worktrees_should_be_is_not_followed(project: Path):
    outside = project.parent / "outside"
    outside.mkdir()
    Path(f"{project}.worktrees").symlink_to(outside)
    with pytest.raises(UsageError, match="leads somewhere else"):
        with_trees(lambda trees: trees.create(str(project), "one"))
    assert list(outside.iterdir()) == []


def test_a_worktree_with_changes_or_a_commit_stays(project: Path):
    async def scenario(trees: GitWorktrees) -> None:
        changed = await trees.create(str(project), "changed")
        (Path(changed) / "b.txt").write_text("b\n")
        committed = await trees.create(str(project), "committed")
        git(Path(committed), "commit", "-q", "--allow-empty", "-m", "apart")
        for path in (changed, committed, str(project), str(project.parent)):
            assert not await trees.remove(str(project), path)
        assert Path(changed).is_dir()
        assert Path(committed).is_dir()

    with_trees(scenario)


ATTACKS = """
top=$(dirname $(git rev-parse --git-common-dir)); g=$top/.git; own=$(git rev-parse --git-dir)
git config core.fsmonitor evil; echo evil >> $g/config; echo evil > $g/hooks/post-checkout
mkdir -p $g/info; echo '* filter=x' > $g/info/attributes; echo evil > $g/commondir; mv $g/hooks $g/x; mv $g $top/x
echo evil > $top/daedal.toml; mkdir $top/.claude; echo evil > $top/.mcp.json; echo evil > $top/a.txt; mv $top $top.x
echo evil > $own/commondir; echo evil > $own/gitdir; mv $own/commondir $own/x; rm -f $own/gitdir
echo gitdir: evil > .git; rm -f .git; mv .git x; true
"""


def in_a_worktree(*replies: Reply) -> Callable[..., Reply]:
    parent = [calls(agent("Apart.", isolation="worktree")), say("Done.")]
    return by_prompt(parent, {"Apart.": [*replies, say("Worked.")]})


def everything(folder: Path) -> dict[str, bytes]:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found if "worktrees" not in path.parts}


def test_whoever_works_in_a_worktree_changes_nothing_of_the_parents_project(daedal: Daedal, model):
    # The project lies below the temporary folder here, in which everything may be written.
    repository(daedal.workspace)
    before = everything(daedal.workspace)
    write = calls(
        *(("Write", {"file_path": str(daedal.workspace / name), "content": "evil"}) for name in ("a.txt", "n"))
    )
    model(in_a_worktree(call("Bash", command=ATTACKS), write, call("Bash", command="echo mine > b.txt")))
    assert daedal("exec", "Go.", "--approval", "yolo").code == 0
    assert everything(daedal.workspace) == before
    (tree,) = Path(f"{daedal.workspace}.worktrees").iterdir()
    assert (tree / "b.txt").read_text() == "mine\n"
    assert git(tree, "rev-parse", "--git-common-dir").strip() == str(daedal.workspace / ".git")


def test_nor_where_the_parent_works_in_a_folder_of_its_repository(daedal: Daedal, model):
    repository(daedal.workspace)
    place(daedal.workspace / "sub" / "c.txt", "c\n")
    git(daedal.workspace, "add", ".")
    git(daedal.workspace, "commit", "-qm", "second")
    before = everything(daedal.workspace)
    model(in_a_worktree(call("Bash", command=f"cd ..; {ATTACKS}"), call("Bash", command="pwd; echo mine > b.txt")))
    assert daedal("exec", "Go.", "--approval", "yolo", cwd=daedal.workspace / "sub").code == 0
    assert everything(daedal.workspace) == before
    (tree,) = Path(f"{daedal.workspace}.worktrees").iterdir()
    assert (tree / "sub" / "b.txt").read_text() == "mine\n"
    assert git(tree, "rev-parse", "--git-common-dir").strip() == str(daedal.workspace / ".git")


def test_what_was_done_in_a_worktree_can_be_committed_there(daedal: Daedal, model):
    repository(daedal.workspace)
    config = (daedal.workspace / ".git" / "config").read_bytes()
    commit = "echo mine > b.txt && git checkout -qb apart && git add -A && git commit -qm apart && git status --short"
    model(in_a_worktree(call("Bash", command=commit)))
    daedal.env["TMPDIR"] = str(daedal.root / "tmp")  # So that the repository itself is in no writable place.
    (daedal.root / "tmp").mkdir()
    assert daedal("exec", "Go.", "--approval", "yolo").code == 0
    first = daedal.results()[0]
    assert not first["is_error"], first
    assert git(daedal.workspace, "show", "apart:b.txt") == "mine\n"
    assert (daedal.workspace / ".git" / "config").read_bytes() == config
    subprocess.run(["git", "fsck", "--strict"], cwd=daedal.workspace, check=True, capture_output=True)


def test_what_steers_above_the_workspace_or_where_a_worktree_points_is_held_too(daedal: Daedal, model):
    # Everything lies below the temporary folder here, so that only this keeps it.
    repository(daedal.workspace)
    place(daedal.workspace / "daedal.toml", "")
    place(daedal.workspace / "sub" / "c.txt", "c\n")
    tree = daedal.root / "tree"
    git(daedal.workspace, "worktree", "add", "-q", "--detach", str(tree))
    before = everything(daedal.workspace)
    own = Path(git(tree, "rev-parse", "--absolute-git-dir").strip())
    pointed = (own / "commondir").read_text()
    attack = "cd {0}; echo evil >> .git/config; echo evil > .git/hooks/post-checkout; echo evil > daedal.toml"
    model([call("Bash", command=attack.format(daedal.workspace)), say("Done.")])
    assert daedal("exec", "Go.", "--approval", "yolo", cwd=daedal.workspace / "sub").code == 0
    assert everything(daedal.workspace) == before
    model([call("Bash", command=attack.format(daedal.workspace) + f"; echo evil > {own}/commondir"), say("Done.")])
    assert daedal("exec", "Go.", "--approval", "yolo", cwd=tree).code == 0
    kept = everything(daedal.workspace)
    assert {name: kept[name] for name in before if name != "daedal.toml"} == {
        name: content for name, content in before.items() if name != "daedal.toml"
    }
    assert ".git/hooks/post-checkout" not in kept
    assert (own / "commondir").read_text() == pointed
