"""Was the machine ours alone? How much of its processors' time went to work that is none of the benchmark's.

A figure taken on a busy machine can miss a bar by bad luck, and can just as well meet it: when the disturbance hits
what is compared with. So the report says where it happened.
"""

import os
import resource
from pathlib import Path
from time import monotonic

STAT = Path("/proc/stat")
BUSY_SHARE = 0.05
"""From here on a figure is called disturbed."""

_BUSY_COLUMNS = (0, 1, 2, 5, 6, 7)  # user, nice, system, irq, softirq, steal: all but idle and waiting for a disk


class Watch:
    """Counts from when it is made. It says None where the system does not tell."""

    def __init__(self) -> None:
        self._began = monotonic()
        self._all = _all_s()
        self._own = _own_s()

    def others_share(self) -> float | None:
        """What others took, as a share of everything that the processors could have done meanwhile."""
        now = _all_s()
        if now is None or self._all is None:
            return None
        others_s = (now - self._all) - (_own_s() - self._own)
        return max(0.0, others_s / ((monotonic() - self._began) * (os.cpu_count() or 1)))


def _all_s() -> float | None:
    if not STAT.exists():
        return None
    columns = STAT.read_text().split("\n", 1)[0].split()[1:]
    return sum(int(columns[at]) for at in _BUSY_COLUMNS) / os.sysconf("SC_CLK_TCK")


def _own_s() -> float:
    """Ours and that of every process that we started and that has ended: between two measures, all of them have."""
    own, started = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + started.ru_utime + started.ru_stime
