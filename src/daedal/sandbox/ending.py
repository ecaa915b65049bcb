"""How does a whole family of processes end, so that none stays behind?

First they are asked and given a moment, then they are stopped, and when all are stopped they are killed.
"""

import asyncio
import os
import signal
import time
from collections.abc import Iterable, Iterator

from daedal.sandbox.family import Family
from daedal.sandbox.processes import HAS_PROC, Process

GRACE_S = 0.5
"""How long a command may take to end by itself after SIGTERM."""

FORCE_S = 5.0
"""After this, what SIGKILL has not ended hangs in the kernel, and waiting longer would not help."""

KILL_S = 1.0
"""The same for somebody who wants to leave this instant."""


async def end(family: Family) -> None:
    """Returns when none is left. A cancellation does not stop it, it only makes it less polite."""
    try:
        for pause_s in ask(family):
            await asyncio.sleep(pause_s)
        for pause_s in force(family):
            await asyncio.sleep(pause_s)
    except asyncio.CancelledError:
        for pause_s in force(family):
            time.sleep(pause_s)
        raise


def kill(family: Family) -> None:
    """Ends all without grace and without an event loop. Takes milliseconds, unless some fork all the while."""
    for pause_s in force(family, patience_s=KILL_S):
        time.sleep(pause_s)


def ask(family: Family) -> Iterator[float]:
    """Asks all to end and gives them a moment. Yields the seconds to pause before going on."""
    _signal_all(family.living(), signal.SIGTERM)
    deadline = time.monotonic() + GRACE_S
    pause = 0.005
    while time.monotonic() < deadline and family.living():
        yield pause
        pause = min(pause * 2, 0.08)


def force(family: Family, *, patience_s: float = FORCE_S) -> Iterator[float]:
    """Ends all, whatever they do. Yields the seconds to pause before going on.

    They are stopped first, until a look finds no new one, and only then killed: what is stopped cannot fork, and
    what dies with a living child would lose the link by which the child is found.
    """
    if not HAS_PROC:  # a group can be told once, and not be looked at
        _signal_all(family.living(), signal.SIGKILL)
        return
    deadline = time.monotonic() + patience_s
    stopped: set[int] = set()
    quiet_looks = 0
    while quiet_looks < 2 and time.monotonic() < deadline:
        alive = family.living()
        quiet_looks = 0 if alive or family.is_undecided else quiet_looks + 1
        fresh = [process for process in alive if process.pid not in stopped]
        stopped.update(process.pid for process in fresh)
        _signal_all(fresh or alive, signal.SIGSTOP if fresh else signal.SIGKILL)
        yield 0.0 if fresh else 0.002


def _signal_all(processes: Iterable[Process], number: signal.Signals) -> None:
    """Whole groups first: the kernel reaches all of a group at once, so none of it can fork away."""
    ours = os.getpgrp()
    targets = list(processes)
    for group in {process.group for process in targets} - {0, 1, ours}:
        _tell(-group, number)
    for process in targets:
        _tell(process.pid, number)


def _tell(target: int, number: signal.Signals) -> None:
    try:
        os.kill(target, number)
    except (ProcessLookupError, PermissionError):
        pass  # gone meanwhile, or another user's (setuid): nothing we could do
