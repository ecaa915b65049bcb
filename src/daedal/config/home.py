"""Where do Daedal's own files live, and where does a project begin?"""

import os

from msgspec import Struct

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

PROJECT_FILE = "daedal.toml"


class Files(Struct, frozen=True):
    """The two files that settings come from. Neither needs to exist."""

    user: str
    project: str | None = None


def home() -> str:
    """`DAEDAL_HOME`, else `~/.daedal`; absolute. It is not created here."""
    path = os.path.expanduser(os.environ.get("DAEDAL_HOME") or "~/.daedal")
    if path.startswith("~"):
        raise ConfigurationError(say("config.no_home"))
    return os.path.abspath(path)


def user_config_path() -> str:
    return os.path.join(home(), "config.toml")


def dotenv_path() -> str:
    return os.path.join(home(), ".env")


def database_path() -> str:
    """`AGENT_SDLC_DB`, else `daedal.db` in the home folder; absolute."""
    given = os.environ.get("AGENT_SDLC_DB")
    return os.path.abspath(given) if given else os.path.join(home(), "daedal.db")


def project_root(cwd: str) -> str:
    """The nearest folder upwards with a `.git` entry (a folder, or a worktree's file), else `cwd` itself."""
    start = os.path.abspath(cwd)
    return next((folder for folder in _upwards(start) if os.path.lexists(os.path.join(folder, ".git"))), start)


def project_config_path(cwd: str) -> str | None:
    """The nearest `daedal.toml` from `cwd` up to the project root, whatever kind of file it is."""
    root = project_root(cwd)
    for folder in _upwards(os.path.abspath(cwd)):
        candidate = os.path.join(folder, PROJECT_FILE)
        if os.path.lexists(candidate):
            return candidate
        if folder == root:
            break
    return None


def settings_files(cwd: str) -> Files:
    return Files(user_config_path(), project_config_path(cwd))


def _upwards(folder: str) -> list[str]:
    folders = [folder]
    while (parent := os.path.dirname(folder)) != folder:
        folders.append(parent)
        folder = parent
    return folders
