"""Which processes belong to a command?

A command's own session tells most of them; the mark in their environment tells those that left it; the parents
tell the children of both. Where there is no /proc, a command is its process group.
"""

import os
import time
from collections.abc import Mapping

from daedal.sandbox.orphans import bury, is_stranger, started
from daedal.sandbox.processes import HAS_PROC, Process, everyone, has_arguments, mark_of

UNMARKED_S = 0.05
EXEC_S = 0.5
"""How long an orphan must have shown no mark until that is believed; the longer one while it shows no arguments either,
because then it is probably between two programs."""


class Family:
    """The processes of one command, or of all commands of a spawner. It remembers whom it has met."""

    def __init__(
        self,
        mark: str,
        *,
        sessions: frozenset[int] = frozenset(),
        known: Mapping[int, int] | None = None,
        strangers_since: int | None = None,
        reaper: int | None = None,
    ) -> None:
        """
        `mark` stands in their environment, with what ends it: `id/` for one command, `id.` for all of a spawner.
        `sessions` are roots that nobody has waited for yet, so their numbers cannot mean another process.
        `known` are pid and start of processes recognised earlier.
        Unmarked orphans that started after `strangers_since` belong to it too; None where they might be another's.
        `reaper` is who inherits orphans where that is not this process: the first process of a jail.
        """
        self._mark = mark
        self._sessions = sessions
        self._known = dict(known or {})
        self._strangers_since = strangers_since
        self._reaper = reaper
        self._suspects: dict[tuple[int, int], float] = {}
        self.is_undecided = False
        """Whether the last look met somebody who may or may not belong to it."""

    def members(self) -> list[Process]:
        """Everyone who belongs to it, dead ones included. Never this process itself."""
        if not HAS_PROC:
            return [process for root in self._sessions if (process := _group(root)) is not None]
        self.is_undecided = False
        present = everyone()
        found = {pid for pid, process in present.items() if self._is_founder(process)}
        found.discard(os.getpid())
        children: dict[int, list[int]] = {}
        for process in present.values():
            children.setdefault(process.parent, []).append(process.pid)
        unvisited = list(found)
        while unvisited:
            below = [pid for pid in children.get(unvisited.pop(), []) if pid not in found]
            found.update(below)
            unvisited.extend(below)
        # Remembered because the dead show no environment, and must be recognised to be buried.
        self._known.update((pid, present[pid].started) for pid in found)
        return [present[pid] for pid in found]

    def living(self) -> list[Process]:
        """The members that still run. Dead ones that are our children are buried on the way."""
        alive: list[Process] = []
        for process in self.members():
            if not process.is_dead:
                alive.append(process)
            elif process.parent == os.getpid() and process.pid not in started:
                bury(process)
        return alive

    def _is_founder(self, process: Process) -> bool:
        if process.session in self._sessions or self._known.get(process.pid) == process.started:
            return True
        if process.is_dead:
            return False
        mark = mark_of(process.pid)
        if mark is not None:
            return f"/{self._mark}" in f"/{mark}/"
        return self._is_stranger(process)

    def _is_stranger(self, process: Process) -> bool:
        """Decided only after a while: in the midst of an exec every process shows an empty environment."""
        if not self._is_orphan(process):
            return False
        now = time.monotonic()
        since = self._suspects.setdefault((process.pid, process.started), now)
        if now - since < (UNMARKED_S if has_arguments(process.pid) else EXEC_S):
            self.is_undecided = True
            return False
        return self._strangers_since is not None and process.started >= self._strangers_since

    def _is_orphan(self, process: Process) -> bool:
        """It shows no mark, and whoever inherits the command's orphans is its parent."""
        return is_stranger(process) if self._reaper is None else process.parent == self._reaper


def _group(root: int) -> Process | None:
    """The group led by `root`, stood in for by its leader, while anyone is in it."""
    try:
        os.killpg(root, 0)
    except (ProcessLookupError, PermissionError):
        return None
    return Process(root, "?", os.getpid(), root, root, 0)
