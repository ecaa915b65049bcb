"""What does git say about a folder, for faces that show it? The repository has no say in what is started for it."""

import os
from collections.abc import Iterator

from daedal.app.git import NeutralGit
from daedal.config import project_root
from daedal.protocol.repository import (
    Commit,
    RepositoryDiffResponse,
    RepositoryParams,
    RepositoryReadResponse,
)
from daedal.sandbox import ProcessSpawner, SpawnFailed

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""What the first commit is compared with."""
PLAINLY = ("--no-ext-diff", "--no-textconv", "--no-color")
NEW_FILES_MAX = 50
NEW_FILE_BYTES_MAX = 64_000
BRANCHES_MAX = 50
COMMITS_MAX = 50


class HouseRepositories:
    """Reads only."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    async def read_diff(self, params: RepositoryParams) -> RepositoryDiffResponse:
        root = self._root(params)
        spawner = ProcessSpawner([])
        try:
            async with NeutralGit(spawner, root) as git:
                if (await git.run("rev-parse", "--git-dir")).exit_code != 0:
                    return RepositoryDiffResponse(is_repository=False)
                has_commit = (await git.run("rev-parse", "--verify", "--quiet", "HEAD")).exit_code == 0
                told = await git.run("diff", "HEAD" if has_commit else EMPTY_TREE, *PLAINLY)
                new = await git.run("ls-files", "--others", "--exclude-standard", "-z")
        except SpawnFailed:
            return RepositoryDiffResponse(is_repository=False)
        finally:
            await spawner.close()
        names = [os.fsdecode(name) for name in new.stdout.split(b"\0") if name]
        pieces = [told.stdout.decode("utf-8", "replace"), *_added(root, names[:NEW_FILES_MAX])]
        is_cut = told.stdout_truncated or new.stdout_truncated or len(names) > NEW_FILES_MAX
        return RepositoryDiffResponse(is_repository=True, diff="".join(pieces), is_cut=is_cut)

    async def read_repository(self, params: RepositoryParams) -> RepositoryReadResponse:
        spawner = ProcessSpawner([])
        try:
            async with NeutralGit(spawner, self._root(params)) as git:
                here = await git.run("symbolic-ref", "--short", "--quiet", "HEAD")
                heads = "--format=%(refname:short)"
                listed = await git.run("for-each-ref", heads, "--sort=-committerdate", "refs/heads", "refs/remotes")
                logged = await git.run("log", f"--max-count={COMMITS_MAX}", "--format=%h%x00%s")
        except SpawnFailed:
            return RepositoryReadResponse(is_repository=False)
        finally:
            await spawner.close()
        commits = [line.partition("\0") for line in logged.stdout.decode("utf-8", "replace").splitlines()]
        return RepositoryReadResponse(
            is_repository=listed.exit_code == 0,
            branch=here.stdout.decode("utf-8", "replace").strip(),
            branches=listed.stdout.decode("utf-8", "replace").split()[:BRANCHES_MAX],
            commits=[Commit(sha=sha, title=title) for sha, _, title in commits if sha],
        )

    def _root(self, params: RepositoryParams) -> str:
        return project_root(os.path.realpath(os.path.join(self._folder, params.cwd or ".")))


def _added(root: str, names: list[str]) -> Iterator[str]:
    """New files as a patch would have them."""
    for name in names:
        lines = _lines(os.path.join(root, name))
        yield f"diff --git a/{name} b/{name}\nnew file\n"
        if lines is not None:
            yield f"--- /dev/null\n+++ b/{name}\n@@ -0,0 +1,{len(lines)} @@\n"
            yield "".join(f"+{line}\n" for line in lines)


def _lines(path: str) -> list[str] | None:
    """None for what is no text, or too long, or no plain file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with open(descriptor, "rb") as file:
        try:
            raw = file.read(NEW_FILE_BYTES_MAX + 1)
        except OSError:
            return None
    if len(raw) > NEW_FILE_BYTES_MAX or b"\0" in raw:
        return None
    return raw.decode("utf-8", "replace").removesuffix("\n").split("\n") if raw else []
