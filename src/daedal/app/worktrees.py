"""Where does a sub-agent work apart from the others? In a git worktree beside the repository."""

import os

from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.seams import Finish, Job
from daedal.sandbox import ProcessSpawner

TIMEOUT_S = 120.0
# A repository's own scripts have no say in how we copy it.
GIT = ["git", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"]


class GitWorktrees:
    """The `Worktrees` seam. They lie beside the repository, since inside it they would be part of it."""

    def __init__(self, spawner: ProcessSpawner) -> None:
        self._spawner = spawner

    async def create(self, workspace: str, name: str) -> str:
        found = await self._git(workspace, "rev-parse", "--show-toplevel")
        if found.exit_code != 0:
            raise UsageError(say("app.no_repository", folder=workspace))
        path = os.path.join(f"{_line(found)}.worktrees", name)
        made = await self._git(workspace, "worktree", "add", "--detach", path)
        if made.exit_code != 0:
            raise UsageError(say("app.no_worktree", path=path, why=made.stderr.decode("utf-8", "replace").strip()))
        return os.path.realpath(path)

    async def remove(self, workspace: str, path: str) -> bool:
        here, there = [await self._git(folder, "rev-parse", "HEAD") for folder in (workspace, path)]
        # Without --force git refuses where a file was changed or added; a commit would be lost without a word.
        if _line(here) != _line(there) or there.exit_code != 0:
            return False
        return (await self._git(workspace, "worktree", "remove", path)).exit_code == 0

    async def _git(self, folder: str, *words: str) -> Finish:
        return await self._spawner.run(
            Job(argv=[*GIT, *words], cwd=folder, env=self._spawner.environment(), timeout_s=TIMEOUT_S)
        )


def _line(finish: Finish) -> str:
    return os.fsdecode(finish.stdout).rstrip("\n")
