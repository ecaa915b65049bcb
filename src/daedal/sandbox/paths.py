"""Where does a path really lead, and is that inside a folder?"""

import os
from collections.abc import Iterable

from daedal.permissions import inside_any


def resolve(path: str, cwd: str) -> str:
    """The absolute path behind `path`, without symlinks. A dangling link leads to its target, a looping one to itself.

    Raises ValueError for what can be no path at all: a NUL byte, or characters the file system cannot encode.
    """
    return os.path.realpath(os.path.join(cwd, os.path.expanduser(path)))


def inside(path: str, roots: Iterable[str]) -> bool:
    """Whether a resolved path is one of the resolved roots or lies below one, compared by whole components."""
    return inside_any(path, roots)


def nearest(path: str, folders: Iterable[str]) -> str | None:
    """The innermost of the resolved folders that contain it."""
    return max((folder for folder in folders if inside(path, (folder,))), key=len, default=None)


def is_empty(folder: str) -> bool:
    """False also for what is no folder, or cannot be looked into."""
    try:
        with os.scandir(folder) as entries:
            return next(entries, None) is None
    except OSError:
        return False
