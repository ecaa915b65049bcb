"""Where do Daedal's own files live, and where does a project begin?"""

import os

from msgspec import Struct

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

PROJECT_FILE = "daedal.toml"
BROUGHT_FILES = (".claude/settings.json", ".claude/settings.local.json", ".mcp.json")
"""What else a project may bring along, by its path from the project's root."""
MANAGED_FILE = "/etc/daedal/managed.toml"


class Files(Struct, frozen=True):
    """The files that settings come from. None of them needs to exist."""

    user: str
    project: str | None = None
    """The `daedal.toml` that counts."""
    root: str | None = None
    """The project's folder; None where nothing but `project` counts."""
    managed: str | None = None
    trust: str | None = None
    """Which folders the user trusts; None trusts nothing."""
    agent: str | None = None
    """What unattended work is allowed there."""

    def brought(self) -> list[str | None]:
        """Every file of the project's that may say something, always as many."""
        root = self.root
        others = (None if root is None else os.path.join(root, name) for name in BROUGHT_FILES)
        return [self.project, *others, self.agent]

    def to_change(self, folder: str, *, is_project: bool) -> str:
        """Where a change is written down: in the project's file, a new one in `folder` if need be, or the user's."""
        return (self.project or os.path.join(folder, PROJECT_FILE)) if is_project else self.user


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


def trust_path() -> str:
    return os.path.join(home(), "trust.json")


def logins_path() -> str:
    """Where logins are kept, with what opens them where the system has no keyring."""
    return os.path.join(home(), "auth")


CLOSED = ("mcp", "auth", "app-server.token", "history.jsonl", "copied.txt", "drafts", "reports")
"""Of Daedal's own files, beside the saved keys and the ledger."""


def drafts_path() -> str:
    """Where a person's own editor gets what is to be written."""
    return os.path.join(home(), "drafts")


def secret_paths() -> list[str]:
    """What neither commands nor file tools may read, wherever links lead: keys, logins, what opens our own server, and
    what a person has typed, copied or reported in whichever folder."""
    folder = os.path.realpath(home())
    return [os.path.realpath(dotenv_path()), *(os.path.join(folder, name) for name in CLOSED)]


def tasks_path() -> str:
    """Where it is written down what runs in the background."""
    return os.path.join(home(), "tasks")


def agent_path(cwd: str) -> str:
    """What unattended work in the folder may do beside the baseline."""
    return os.path.join(os.path.abspath(cwd), ".daedal", "agent.json")


def database_path() -> str:
    """`AGENT_SDLC_DB`, else `daedal.db` in the home folder; absolute."""
    given = os.environ.get("AGENT_SDLC_DB")
    return os.path.abspath(given) if given else os.path.join(home(), "daedal.db")


def project_root(cwd: str) -> str:
    """The nearest folder upwards with a `.git` entry (a folder, or a worktree's file), else `cwd` itself."""
    start = os.path.abspath(cwd)
    return next((folder for folder in _upwards(start) if os.path.lexists(os.path.join(folder, ".git"))), start)


def settings_files(cwd: str) -> Files:
    """`cwd` without symbolic links in it, so that a folder has one name however it was reached."""
    root = project_root(cwd)
    return Files(user_config_path(), _config_below(root, cwd), root, MANAGED_FILE, trust_path(), agent_path(cwd))


def _config_below(root: str, cwd: str) -> str | None:
    """The nearest `daedal.toml` from `cwd` up to the project root, whatever kind of file it is."""
    for folder in _upwards(os.path.abspath(cwd)):
        candidate = os.path.join(folder, PROJECT_FILE)
        if os.path.lexists(candidate):
            return candidate
        if folder == root:
            break
    return None


def _upwards(folder: str) -> list[str]:
    folders = [folder]
    while (parent := os.path.dirname(folder)) != folder:
        folders.append(parent)
        folder = parent
    return folders
