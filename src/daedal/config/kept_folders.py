"""Where do people keep skills and agents? With the project and with the user, in Daedal's folders and Claude Code's.

Every start asks, so only this is loaded for it: what reads the files is loaded where there are any.
"""

import os
from collections.abc import Iterator

from msgspec import Struct

from daedal.config.home import home, project_root

SOURCES = ("built-in", "project", "user", "configured")
"""In the order of lists: room for them is short, and what a project brings is what it is about."""


class KeptFolder(Struct, frozen=True):
    path: str
    source: str
    """One of the sources."""
    project: str | None = None
    """The project's folder, which it must really lie in, wherever links lead. The user may link as they like."""


class Steering(Struct, frozen=True):
    """Something that a project's file would decide, which only the user or a trusted file may."""

    path: str
    """As the file system knows it, whatever characters are in it."""
    claim: str
    """In words."""


def kept_folders(workspace: str, kind: str, *, of_users: tuple[str, ...]) -> list[KeptFolder]:
    """Those that are there, and that outrank others first. `kind` is their name, as `skills`."""
    places = (os.path.expanduser(f"~/{name}/{kind}") for name in of_users)
    own = [os.path.join(home(), kind), *(place for place in places if not place.startswith("~"))]
    users = [KeptFolder(path, "user") for path in own if os.path.isdir(path)]
    known = {os.path.realpath(folder.path) for folder in users}
    return [folder for folder in _projects(workspace, kind) if os.path.realpath(folder.path) not in known] + users


def _projects(workspace: str, kind: str) -> Iterator[KeptFolder]:
    start = os.path.realpath(workspace)
    root = project_root(start)
    for name in (".daedal", ".claude"):
        for level in dict.fromkeys((start, root)):
            path = os.path.join(level, name, kind)
            if os.path.isdir(path):
                yield KeptFolder(path, "project", root)
