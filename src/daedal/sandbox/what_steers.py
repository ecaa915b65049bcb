"""What steers an agent or git? File tools ask before they write it; a command's writes nobody sees coming."""

import os

from daedal.permissions import inside_any
from daedal.protocol.confinement import Confinement

STEERING = (
    ".git/hooks",
    ".git/config",
    ".git/config.worktree",
    ".git/commondir",
    ".daedal",
    ".claude",
    ".mcp.json",
    "daedal.toml",
)
"""In the workspace. Where git's `commondir` exists, it says in which folder the config and the hooks are."""

FOLDERS = (".daedal", ".claude")
"""Those of them that are folders, and that no command has a reason to make."""

_permitted: set[str] = set()


def steering(confinement: Confinement) -> list[str]:
    """What commands may not write though it lies in the workspace."""
    found = [os.path.join(confinement.workspace, name) for name in STEERING]
    pointer = os.path.join(confinement.workspace, ".git")
    # In a worktree `.git` is a file, which says where all of git's own is.
    return [*found, pointer] if os.path.isfile(pointer) else found


def permit(path: str) -> None:
    """A file tool was allowed to write it: it is not taken for something that a command made."""
    if any(f"/{name}" in path for name in (*STEERING, ".git")):
        _permitted.add(path)


def is_permitted(path: str) -> bool:
    """Whether a file tool may have made it, or something in it."""
    return any(inside_any(written, (path,)) for written in _permitted)
