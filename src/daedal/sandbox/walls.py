"""May this path be read, listed, written or moved? What the walls around a thread say, in words for the model.

Paths are absolute and symlink-free, made by `resolve`; `opening` then opens exactly that path. Reading outside the
workspace is a matter of permission rules; here only what is closed to everybody is refused.
"""

import os
import re

from msgspec import Struct

from daedal.permissions import inside, inside_any
from daedal.protocol.confinement import Confinement
from daedal.sandbox.paths import nearest

_PROCESSES = "/proc"
_PROCESS_SECRETS = re.compile(r"/proc/[0-9]+/(?:task/[0-9]+/)?(?:environ|mem)(?:/|$)")
"""Keys that no child is given can still be read out of the process that has them."""


class Answer(Struct, frozen=True, kw_only=True):
    """What the walls say to one wish."""

    is_allowed: bool
    rule: str
    """Its name is stable: `walls:outside`, `walls:forbidden`, …"""
    reason: str
    """Where it is refused, also what to do instead."""


class Walls:
    def __init__(self, confinement: Confinement) -> None:
        self._confinement = confinement

    @property
    def stand(self) -> bool:
        """Whether there are any beside what is closed to everybody."""
        return self._confinement.enabled

    def may_read(self, path: str) -> Answer:
        return self._closed(path, "read") or Answer(
            is_allowed=True, rule="walls:open", reason="reading is not walled in"
        )

    def may_list(self, path: str) -> Answer:
        """A folder above a closed one may be listed; `closed_below` says what is then left out."""
        if inside(path, _PROCESSES):
            return Answer(
                is_allowed=False,
                rule="walls:forbidden",
                reason=f"{path} shows the inside of other processes and is not listed or searched. Read the one file"
                " that you need.",
            )
        return self._closed(path, "listed or searched") or self.may_read(path)

    def may_write(self, path: str) -> Answer:
        return self._closed(path, "written") or self._within(path)

    def may_move(self, source: str, destination: str) -> Answer:
        """Moving takes the source away, and with a folder everything in it: nothing in there may be walled off."""
        places = [source, destination, os.path.join(destination, os.path.basename(source))]
        for answer in (self.may_write(place) for place in places):
            if not answer.is_allowed:
                return answer
        return self._carried(source) or self.may_write(destination)

    def may_make(self, folder: str) -> bool:
        """Whether a missing folder may be made on the way to a file."""
        return self.may_write(folder).is_allowed

    def closed(self) -> list[str]:
        """What nobody may read: as it was said, and where that leads at this moment."""
        said = self._confinement.unreadable
        return list(dict.fromkeys((*said, *map(os.path.realpath, said))))

    def closed_below(self, folder: str) -> list[str]:
        """What a search that starts there has to leave out."""
        return [path for path in (*self.closed(), _PROCESSES) if inside(path, folder)]

    def _closed(self, path: str, verb: str) -> Answer | None:
        if not inside_any(path, self.closed()) and not _PROCESS_SECRETS.match(path):
            return None
        return Answer(
            is_allowed=False,
            rule="walls:forbidden",
            reason=f"{path} is closed to this session and cannot be {verb}, by whatever name. Work without it, or ask"
            " the user for what you need from it.",
        )

    def _within(self, path: str) -> Answer:
        walls = self._confinement
        root, hole = nearest(path, walls.writable), nearest(path, walls.read_only)
        # Of what is said about a folder and about something in it, the nearer word counts.
        if walls.enabled and hole is not None and len(hole) >= len(root or ""):
            return Answer(
                is_allowed=False,
                rule="walls:read-only",
                reason=f"{path} cannot be written, because {hole} may only be read here. Write somewhere else inside"
                f" {walls.workspace}.",
            )
        if walls.enabled and root is None:
            return Answer(
                is_allowed=False,
                rule="walls:outside",
                reason=f"{path} lies outside the folders that may be written ({', '.join(walls.writable)})."
                f" Write inside {walls.workspace}, or ask the user to add the folder to allow_write.",
            )
        return Answer(is_allowed=True, rule="walls:inside", reason="inside the folders that may be written")

    def _carried(self, source: str) -> Answer | None:
        walls = self._confinement
        for root in (*self.closed(), *(walls.read_only if walls.enabled else ())):
            if inside(root, source):
                return self._closed(root, "moved") or self._within(root)
        if walls.enabled and any(inside(root, source) for root in (walls.workspace, *walls.writable)):
            return Answer(
                is_allowed=False,
                rule="walls:outside",
                reason=f"{source} is itself a folder that may be written and cannot be moved. Move what is in it.",
            )
        return None
