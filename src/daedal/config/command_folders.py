"""Where do custom commands lie? With the project and with the user, in Daedal's folders and Claude Code's."""

import os

from msgspec import Struct

from daedal.config.home import home, project_root


class CommandFolder(Struct, frozen=True):
    path: str
    source: str
    """`project` or `user`."""
    fence: str | None = None
    """Of a project: the folder that it must really lie in, wherever links lead. The user may link as they like."""


def command_folders(workspace: str) -> list[CommandFolder]:
    """Those that outrank others first. None of them needs to exist."""
    own = [CommandFolder(path, "user") for path in _users()]
    known = {os.path.realpath(folder.path) for folder in own}
    return [folder for folder in _projects(workspace) if os.path.realpath(folder.path) not in known] + own


def _projects(workspace: str) -> list[CommandFolder]:
    start = os.path.realpath(workspace)
    levels = dict.fromkeys((start, project_root(start)))
    return [
        CommandFolder(os.path.join(level, kind, "commands"), "project", level)
        for kind in (".daedal", ".claude")
        for level in levels
    ]


def _users() -> list[str]:
    claude = os.path.expanduser("~/.claude/commands")
    own = os.path.join(home(), "commands")
    return [own] if claude.startswith("~") else [own, claude]
