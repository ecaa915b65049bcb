"""Where do paths in rules and calls lead? The folders that they start from."""

import os
from collections.abc import Callable, Iterable

from msgspec import Struct

from daedal.permissions.containment import inside
from daedal.permissions.rules.globs import glob_matches

_ANYTHING = "￿"
"""A name that only a pattern for every name matches."""


def as_it_is(path: str) -> str:
    return path


class Place(Struct, frozen=True, kw_only=True):
    """The thread's folder and the person's; absolute and symlink-free."""

    workspace: str
    home: str
    directories: tuple[str, ...] = ()
    """Beside the workspace, where a thread may also be at home."""
    resolve: Callable[[str], str] = as_it_is
    """Takes symlinks out of an absolute path. By default the disk is not looked at, and they stay."""

    def absolute(self, path: str, cwd: str) -> str:
        if path == "~" or path.startswith("~/"):
            path = self.home + path[1:]
        return os.path.normpath(os.path.join(cwd, path)).replace("//", "/", 1)

    def is_home(self, path: str) -> bool:
        return inside(path, self.workspace) or any(inside(path, folder) for folder in self.directories)


def path_matches(pattern: str, paths: Iterable[str], place: Place, *, widely: bool, below: bool = False) -> bool:
    """Whether the pattern names one of the paths.

    - `//x` starts at the root of the file system and `~/x` at the person's home.
    - `/x`, `./x` and `x` start at the project; `x` without a slash is found at any depth.

    Read `widely` (for a deny), `./x` is found at any depth too, and `/x` may also mean the root of the file system.
    `below` asks about what lies in a folder as well, for a search that would open all of it.
    """
    starts = list(_starts(pattern, place, widely=widely))
    return any(_names(start, path, below=below) for start in starts for path in paths)


class _Start(Struct, frozen=True):
    folder: str
    pattern: str
    anchored: bool


def _starts(pattern: str, place: Place, *, widely: bool) -> Iterable[_Start]:
    if pattern.startswith("//"):
        yield _Start("/", pattern.lstrip("/"), anchored=True)
    elif pattern == "~" or pattern.startswith("~/"):
        yield _Start(place.home, pattern[2:] or "**", anchored=True)
    elif pattern.startswith("/"):
        # An absolute path into the project is not a path below the project.
        is_absolute = inside(pattern, place.workspace) and place.workspace != "/"
        if not is_absolute:
            yield _Start(place.workspace, pattern[1:], anchored=True)
        if is_absolute or widely:
            yield _Start("/", pattern[1:], anchored=True)
    elif pattern.startswith(("./", "../")) or "/../" in pattern:
        if not os.path.normpath(pattern).startswith(".."):
            yield _Start(place.workspace, os.path.normpath(pattern), anchored=not widely)
        else:
            yield _Start("/", os.path.normpath(f"{place.workspace}/{pattern}")[1:], anchored=True)
    else:
        yield _Start(place.workspace, pattern, anchored=False)


def _names(start: _Start, path: str, *, below: bool) -> bool:
    if not inside(path, start.folder):
        return False
    relative = path[len(start.folder.rstrip("/")) + 1 :]
    if relative and glob_matches(start.pattern, relative, anchored=start.anchored):
        return True
    return below and glob_matches(start.pattern, f"{relative}/{_ANYTHING}".lstrip("/"), anchored=start.anchored)
