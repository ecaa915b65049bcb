"""Where does a sub-agent work apart from the others? In a git worktree beside the repository."""

import os

from msgspec import Struct

from daedal.app.git import NeutralGit
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.sandbox import ProcessSpawner, SpawnFailed, inside


class Repository(Struct, frozen=True):
    top: str
    common: str
    """Where git keeps what all worktrees share."""

    @property
    def beside(self) -> str:
        """The folder of our worktrees: inside the repository they would be part of it."""
        return f"{self.top}.worktrees"


class GitWorktrees:
    """The `Worktrees` seam."""

    def __init__(self, spawner: ProcessSpawner) -> None:
        self._spawner = spawner

    async def create(self, workspace: str, name: str) -> str:
        """In the new tree, the folder that the workspace is in the repository."""
        try:
            return await self._create(workspace, name)
        except SpawnFailed as failure:
            raise UsageError(say("app.no_worktree", path=name, why=failure)) from failure

    async def _create(self, workspace: str, name: str) -> str:
        repository = await self._repository(workspace)
        if repository is None:
            raise UsageError(say("app.no_repository", folder=workspace))
        path = os.path.join(repository.beside, name)
        why = await self._add(repository, path)
        if not why:
            found = _same_place(workspace, repository.top, path)
            if found is not None:
                return found
            await self._remove(repository, path)
            why = say("app.led_out", folder=os.path.relpath(workspace, repository.top))
        raise UsageError(say("app.no_worktree", path=path, why=why))

    async def remove(self, workspace: str, path: str) -> bool:
        try:
            repository = await self._repository(workspace)
            return repository is not None and await self._remove_unchanged(repository, os.path.realpath(path))
        except SpawnFailed:
            return False

    async def _remove_unchanged(self, repository: Repository, path: str) -> bool:
        heads = await self._heads(repository)
        around = [tree for tree in heads if tree != repository.top and inside(path, (tree,))]
        tree = max(around, key=len, default=None)
        # Without --force git refuses where a file was changed or added; a commit would be lost without a word.
        if tree is None or heads[tree] != heads.get(repository.top):
            return False
        return await self._remove(repository, tree)

    async def _repository(self, workspace: str) -> Repository | None:
        async with NeutralGit(self._spawner, workspace) as git:
            found = await git.run("rev-parse", "--show-toplevel", "--git-common-dir")
        lines = os.fsdecode(found.stdout).removesuffix("\n").split("\n")
        if found.exit_code != 0 or len(lines) != 2:
            return None
        return Repository(os.path.realpath(lines[0]), os.path.realpath(os.path.join(workspace, lines[1])))

    async def _add(self, repository: Repository, path: str) -> str:
        """Returns what went wrong."""
        try:
            os.mkdir(repository.beside)
        except FileExistsError:
            pass
        except OSError as error:
            return error.strerror or str(error)
        if os.path.realpath(repository.beside) != repository.beside:
            return say("app.led_out", folder=repository.beside)
        async with self._writing(repository) as git:
            made = await git.run("worktree", "add", "--detach", path)
        if made.exit_code == 0:
            return ""
        _remove_empty(repository.beside)
        return made.stderr.decode("utf-8", "replace").strip()

    async def _heads(self, repository: Repository) -> dict[str, str]:
        """The commit of each worktree. Asked here, not there: what lies in a worktree may say anything by now."""
        async with NeutralGit(self._spawner, repository.top) as git:
            listed = await git.run("worktree", "list", "--porcelain")
        entries = [entry.split("\n") for entry in os.fsdecode(listed.stdout).split("\n\n")]
        return {
            os.path.realpath(lines[0].removeprefix("worktree ")): lines[1].removeprefix("HEAD ")
            for lines in entries
            if len(lines) > 1 and lines[0].startswith("worktree ") and lines[1].startswith("HEAD ")
        }

    async def _remove(self, repository: Repository, tree: str) -> bool:
        async with self._writing(repository, tree) as git:
            is_gone = (await git.run("worktree", "remove", tree)).exit_code == 0
        _remove_empty(repository.beside)
        return is_gone

    def _writing(self, repository: Repository, *more: str) -> NeutralGit:
        """Git, where it may write what a worktree needs, and nothing that steers it."""
        writable = [repository.common, repository.beside, *map(os.path.dirname, more)]
        return NeutralGit(self._spawner, repository.top, writable=writable, common=repository.common)


def _same_place(workspace: str, top: str, tree: str) -> str | None:
    """The folder of the workspace in the tree, made where it is not in the repository; None where that leads out."""
    tree = os.path.realpath(tree)
    found = os.path.realpath(os.path.join(tree, os.path.relpath(os.path.realpath(workspace), top)))
    if not inside(found, (tree,)):
        return None
    try:
        os.makedirs(found, exist_ok=True)
    except OSError:
        return None
    return found


def _remove_empty(folder: str) -> None:
    try:
        os.rmdir(folder)
    except OSError:
        pass  # other worktrees are there
