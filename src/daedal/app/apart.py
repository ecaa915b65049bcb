"""What of a repository may somebody touch who works in a part of it, or apart from it in a worktree?

What steers git and agents lies in the workspace only where that is the whole repository. Where it lies above, or where
a worktree's pointer leads, it is read-only all the same. And whoever works apart may change of the repository nothing
but what a commit in the worktree needs.
"""

import os

from msgspec.structs import replace

from daedal.config import project_root
from daedal.permissions import inside, inside_any
from daedal.protocol.confinement import Confinement

POINTER_BYTES_MAX = 4096
SHARED = ("objects", "refs", "logs")
"""Of what all worktrees share, what a commit adds to. Never the config, the hooks or `info`."""
GIT_STEERING = ("hooks", "config", "config.worktree", "commondir", "gitdir")
"""What in a git folder says what is run, or where everything else is."""
AGENT_STEERING = (".claude", ".daedal", ".mcp.json", "daedal.toml")


def with_repository(walls: Confinement) -> Confinement:
    """The walls with what steers in the repository around the workspace read-only, where it could be written."""
    root = os.path.realpath(project_root(walls.workspace))
    pointer = os.path.join(root, ".git")
    own = _pointed_to(pointer) if os.path.isfile(pointer) else pointer
    shared = os.path.dirname(os.path.dirname(own)) if own and own != pointer and "/worktrees/" in own else own
    steering = [os.path.join(folder, name) for folder in (own, shared) if folder for name in GIT_STEERING]
    steering += [pointer] if os.path.isfile(pointer) else []
    steering += [os.path.join(root, name) for name in AGENT_STEERING]
    outside = [os.path.realpath(path) for path in steering if not inside(path, walls.workspace)]
    found = [path for path in outside if os.path.exists(path) and inside_any(path, walls.writable)]
    return replace(walls, read_only=[*walls.read_only, *dict.fromkeys(found)]) if found else walls


def apart(walls: Confinement, off_limits: list[str]) -> Confinement:
    """The walls with those folders, and the repositories that they are in, read-only."""
    tops = dict.fromkeys(os.path.realpath(project_root(folder)) for folder in off_limits)
    closed = list(dict.fromkeys([*map(os.path.realpath, off_limits), *tops]))
    # The workspace may lie in one of them, and the nearer word counts; but not one that is the workspace itself.
    closed = [folder for folder in closed if not inside(folder, walls.workspace)]
    own = next(filter(None, (_own_folder(walls.workspace, top) for top in tops)), None)
    if own is None:
        return replace(walls, read_only=[*walls.read_only, *closed])
    shared = os.path.dirname(os.path.dirname(own))
    opened = [own, *(path for name in SHARED if _is_folder(path := os.path.join(shared, name)))]
    steering = [path for name in GIT_STEERING if os.path.isfile(path := os.path.join(own, name))]
    return replace(
        walls,
        writable=[*walls.writable, *opened],
        read_only=[*walls.read_only, *closed, *steering],
    )


def _own_folder(workspace: str, top: str) -> str | None:
    """Git's folder for the worktree that the workspace is in, where it is one of that repository and no link."""
    shared = os.path.join(top, ".git")
    own = _pointed_to(os.path.join(project_root(workspace), ".git"))
    if own is None or os.path.dirname(own) != os.path.join(shared, "worktrees") or not _is_folder(own):
        return None
    return own if not _has_own_configs(os.path.join(shared, "config")) else None


def _pointed_to(pointer: str) -> str | None:
    try:
        descriptor = os.open(pointer, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            text = os.fsdecode(file.read(POINTER_BYTES_MAX))
    except OSError:
        return None
    word, _, path = text.partition(" ")
    return os.path.join(os.path.dirname(pointer), path.rstrip("\n")) if word == "gitdir:" else None


def _is_folder(path: str) -> bool:
    return os.path.isdir(path) and os.path.realpath(path) == path


def _has_own_configs(config: str) -> bool:
    """Whether git reads a config from each worktree's own folder, so that nobody may write there."""
    try:
        with open(config, encoding="utf-8", errors="replace") as file:
            return "worktreeconfig" in file.read().lower()
    except OSError:
        return True
