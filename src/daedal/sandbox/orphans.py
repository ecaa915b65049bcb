"""Who inherits the processes that a command leaves behind, and who buries them?

On Linux this process becomes a "child subreaper": whatever a command's children start and abandon (by `&`, nohup,
setsid, a double fork) becomes our child instead of init's, so it can be found, ended and waited for.
Children belong to the process as a whole, so what is known about them is kept per process, not per spawner.
"""

import os
import sys
from collections.abc import Callable

from daedal.sandbox.processes import HAS_PROC, Process, children_of_ours, look, mark_of

UNCLAIMED_S = 5.0
"""A dead child nobody has waited for this long has no other owner in this process."""

PR_SET_CHILD_SUBREAPER = 36

started: set[int] = set()
"""The pids that spawners of this process started and have not waited for yet."""

_is_reaper = False
_unclaimed: dict[tuple[int, int], float] = {}


def become_reaper() -> None:
    """Asks the kernel to hand us orphans. Where it cannot, they are still found by their mark."""
    global _is_reaper
    if not _is_reaper and sys.platform == "linux":
        import ctypes  # slow to import, and needed only once a process is started

        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    _is_reaper = True


def adopted() -> list[Process]:
    """Our children that no spawner started, dead ones included."""
    if not HAS_PROC:
        return []
    seen = (look(pid) for pid in children_of_ours() if pid not in started)
    return [process for process in seen if process is not None]


def is_stranger(process: Process) -> bool:
    """Whether an adopted process hides where it came from: a session of its own and an emptied environment.

    What a library of ours starts by itself either stays in our session or got its environment from `environment`.
    """
    return process.parent == os.getpid() and process.pid not in started and _is_unmarked(process)


def _is_unmarked(process: Process) -> bool:
    return process.session != os.getsid(0) and mark_of(process.pid) is None


def bury(process: Process) -> None:
    """Waits for a dead child, so that its entry goes away."""
    try:
        os.waitpid(process.pid, os.WNOHANG)
    except ChildProcessError:
        pass  # it was not ours after all, or somebody else waited first


def bury_unclaimed(dead: list[Process], is_known: Callable[[Process], bool], now: float) -> None:
    """Buries the known at once; the others only when nobody else has done it for a while."""
    waiting = {(process.pid, process.started): process for process in dead}
    for name in _unclaimed.keys() - waiting.keys():
        del _unclaimed[name]
    for name, process in waiting.items():
        since = _unclaimed.setdefault(name, now)
        if is_known(process) or now - since >= UNCLAIMED_S:
            bury(process)
