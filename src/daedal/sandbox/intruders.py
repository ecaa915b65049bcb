"""Did something appear that steers an agent or git, while commands ran that may not make it? Then it is moved aside.

A jail holds what exists, and empty folders where some are missing (`placeholders`). But a file cannot be stood in for
without programs reading it, a repository has to be made by commands, and other mechanisms hold nothing that is missing.
So what appeared is looked for whenever a command has ended, and loses the name by which it would be believed.
"""

import os
import stat
from collections.abc import Collection

from msgspec import Struct

from daedal.protocol.confinement import Confinement
from daedal.protocol.seams import Job
from daedal.sandbox.command import Body, Launcher
from daedal.sandbox.opening import reach
from daedal.sandbox.paths import is_empty, nearest
from daedal.sandbox.repositories import hooks_in, is_harmless
from daedal.sandbox.what_steers import FOLDERS, STEERING, is_permitted

HELD = (0, 0)
"""Something that is no link. One that is, is told by its device and number."""

Known = dict[str, tuple[int, int]]


class Moved(Struct, frozen=True):
    """What a command made and may not make."""

    path: str
    aside: str
    """Where it is now; empty where it could not be moved."""


class Watched:
    """A `Launcher` after whose commands it is looked what they made."""

    def __init__(self, launcher: Launcher, intruders: "Intruders") -> None:
        self._launcher = launcher
        self._intruders = intruders

    def launch(self, job: Job, *, stdout: int, stderr: int) -> Body:
        before = self._intruders.look()
        body = self._launcher.launch(job, stdout=stdout, stderr=stderr)
        self._intruders.begin(body, before)
        return body

    def settled(self, body: Body) -> None:
        self._launcher.settled(body)
        self._intruders.end(body)

    async def close(self) -> None:
        await self._launcher.close()

    def kill_now(self) -> None:
        self._launcher.kill_now()


class Intruders:
    """Of all commands of one spawner."""

    def __init__(self, confinement: Confinement) -> None:
        workspace = confinement.workspace
        root, hole = nearest(workspace, confinement.writable), nearest(workspace, confinement.read_only)
        self._can_come = root is not None and (hole is None or len(hole) < len(root))
        self._git = os.path.join(workspace, ".git")
        self._places = {os.path.join(workspace, name): name in FOLDERS for name in STEERING}
        """What steers, and whether that is a folder."""
        self._before: dict[object, Known] = {}
        """What was there when each running command began."""
        self._moved: list[Moved] = []

    def begin(self, command: object, before: Known) -> None:
        """`before` is what was there when it was started, as `look` told."""
        if self._can_come:
            self._before[command] = before

    def look(self, covered: Collection[str] = ()) -> Known:
        """What is there. `covered` is held where the command runs: if it changes, somebody else has changed it."""
        known = dict.fromkeys(covered, HELD)
        return {**known, **self._new({})} if self._can_come else {}

    def end(self, command: object) -> None:
        """Looks also for what the others that still run have made."""
        if command not in self._before:
            return
        came = {path for before in self._before.values() for path in self._new(before)}
        del self._before[command]
        for path in sorted(came):
            self._moved += map(_move_aside, self._suspects(path))

    def take(self) -> list[Moved]:
        """What was moved since this was last asked."""
        moved, self._moved = self._moved, []
        return moved

    def _new(self, before: Known) -> Known:
        """What is there and was not, or was another link. An empty folder says nothing yet."""
        found: Known = {}
        repository = _kind(self._git)
        if repository is not None and not stat.S_ISDIR(repository.st_mode):
            found[self._git] = _identity(repository)
        for path, is_folder in self._places.items():
            if before.get(path) == HELD or (path.startswith(self._git) and (repository is None or self._git in found)):
                continue
            there = _kind(path)
            if there is not None and not (is_folder and is_empty(path)):
                found[path] = _identity(there)
        return {path: identity for path, identity in found.items() if before.get(path) not in (HELD, identity)}

    def _suspects(self, path: str) -> list[str]:
        if is_permitted(path):
            return []
        if path == os.path.join(self._git, "hooks"):
            return hooks_in(path)
        return [] if path == os.path.join(self._git, "config") and is_harmless(path) else [path]


def _kind(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except (OSError, ValueError):
        return None


def _identity(found: os.stat_result) -> tuple[int, int]:
    """Only of a link is it told which one it is: a file that was replaced by another one somebody may have saved."""
    return (found.st_dev, found.st_ino) if stat.S_ISLNK(found.st_mode) else HELD


def _move_aside(path: str) -> Moved:
    """Through no link: whoever made it may still run."""
    aside = f"{path}.quarantined-{os.urandom(4).hex()}"
    try:
        with reach(aside) as spot:
            spot.take_from(os.path.basename(path))
    except OSError:
        return Moved(path, "")
    return Moved(path, aside)
