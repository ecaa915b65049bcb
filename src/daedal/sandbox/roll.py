"""Which commands run in the background, whoever started them? The list of them on disk, one small file for each.

An entry is written before its command starts, so a crash cannot lose the name, and goes when the command has ended with
its session. A command that outlived its session keeps its entry for a while, so that its output can still be found.
Whatever else lies in the folder is passed over: it may come from another version, or from nobody.
"""

import os
import re
import time

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from daedal.sandbox.errors import SpawnFailed
from daedal.sandbox.outputs import OUTPUT, remove_output
from daedal.sandbox.presence import Owner, contents, make_private

RUNNING, ENDED = ".task", ".ended"
IDENTITY = re.compile(r"[a-z]{1,16}_[0-9a-f]{8}")
KEPT_S = 7 * 24 * 3600
KEPT_MAX = 100
"""For how long, and how many, ended commands that outlived their session are remembered."""


class Entry(Struct, frozen=True, kw_only=True):
    """One command. Its id is also its mark: it stands in the environment of all its processes."""

    id: str
    kind: str = "local_bash"
    session: str
    command: str
    cwd: str
    output: str
    """The file that it prints to."""
    since: float
    owner: Owner
    """Who looks after it, and with whom it ends."""
    detached: bool = False
    """It has an attendant of its own and does not end with its session."""
    exit_code: int | None = None
    """None while it runs."""
    ending: str = ""
    """How it ended, where it did not simply exit."""
    ended: float | None = None
    """When it and everything it started was over."""


def closed(entry: Entry, *, exit_code: int | None = None, ending: str = "") -> Entry:
    """The entry of a command of which nothing runs any more."""
    return replace(entry, exit_code=exit_code, ending=ending, ended=time.time())


class Roll:
    def __init__(self, folder: str) -> None:
        self._folder = folder

    def put(self, entry: Entry) -> None:
        """Raises SpawnFailed."""
        suffix = RUNNING if entry.ended is None else ENDED
        path = self._path(entry.id, suffix)
        fresh = f"{path}.{os.getpid()}"
        try:
            make_private(self._folder)
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            with open(descriptor, "wb") as file:
                file.write(msgspec.json.encode(entry))
            os.replace(fresh, path)
        except OSError as error:
            raise SpawnFailed(f"cannot note the command in {self._folder}: {error.strerror}") from error
        except UnicodeEncodeError as error:
            raise SpawnFailed(f"cannot note the command: {error}") from error
        if suffix == ENDED:
            self._unlink(entry.id, RUNNING)

    def get(self, identity: str) -> Entry | None:
        if not IDENTITY.fullmatch(identity):
            return None
        return self._read(identity, RUNNING) or self._read(identity, ENDED)

    def entries(self) -> list[Entry]:
        """Oldest first. Those that can be understood."""
        found = (self._read(*os.path.splitext(name)) for name in self.names() if name.endswith((RUNNING, ENDED)))
        return sorted((entry for entry in found if entry is not None), key=lambda entry: entry.since)

    def has_running(self) -> bool:
        """Whether something is listed that may still run. An entry stays also where its owner was killed."""
        return any(name.endswith(RUNNING) for name in self.names())

    def names(self) -> list[str]:
        """What lies in the folder, as it is called there."""
        try:
            return os.listdir(self._folder)
        except OSError:
            return []

    def discard(self, name: str) -> None:
        """The entry of that name, where there is one."""
        if IDENTITY.fullmatch(name):
            self.remove(name)

    def forget(self, entry: Entry) -> None:
        """With its output, and the folder that was made for it."""
        self.remove(entry.id)
        remove_output(entry.output, f"{entry.id}{OUTPUT}")

    def remove(self, identity: str) -> None:
        self._unlink(identity, RUNNING)
        self._unlink(identity, ENDED)

    def prune(self) -> None:
        """Forgets what ended long ago, with its output."""
        ended = [entry for entry in self.entries() if entry.ended is not None]
        for place, entry in enumerate(reversed(ended)):
            if place >= KEPT_MAX or time.time() - (entry.ended or 0) > KEPT_S:
                self.forget(entry)

    def _read(self, identity: str, suffix: str) -> Entry | None:
        if not IDENTITY.fullmatch(identity):
            return None
        try:
            content = contents(self._path(identity, suffix))
            entry = msgspec.json.decode(content, type=Entry)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return None
        is_plausible = entry.id == identity and (entry.ended is None) == (suffix == RUNNING) and entry.owner.pid > 0
        return entry if is_plausible else None

    def _unlink(self, identity: str, suffix: str) -> None:
        try:
            os.unlink(self._path(identity, suffix))
        except OSError:
            pass  # somebody else was quicker

    def _path(self, identity: str, suffix: str) -> str:
        assert IDENTITY.fullmatch(identity)
        return os.path.join(self._folder, identity + suffix)
