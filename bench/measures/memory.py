"""How much memory does it take at most? Proportional set size, sampled while it runs.

Linux only: elsewhere nobody says how much of the memory is shared.
"""

import contextlib
import os
import threading
from pathlib import Path

from bench.contestants import Contestant
from bench.field import Effort, Field, in_turns
from bench.figures import Bar, Measured, sample
from bench.runs import run

EVERY_S = 0.02
BAR_MIB = 50.0


def measure(field: Field, effort: Effort) -> list[Measured]:
    title = f"peak PSS, {effort.steps} steps"
    if not Path("/proc/self/smaps_rollup").exists():
        unmeasurable = {who.name: "this system does not tell proportional set sizes" for who in field.contestants}
        return [Measured(title, "MiB", "Needs Linux.", {}, (Bar(BAR_MIB),), unmeasurable)]

    def once(who: Contestant) -> float:
        peak = Peak()
        try:
            call = who.call_for("read")
            run(who, field.scratch, call, steps=effort.steps, deadline_s=120, watch=peak.watch)
        finally:
            peak.stop()
        return peak.kib / 1024

    turns = in_turns(title, field.contestants, 1, once)
    return [
        Measured(
            title=title,
            unit="MiB",
            about="The most that the program and its children held at any of the samples, taken every "
            f"{EVERY_S * 1000:.0f} ms while it made {effort.steps} steps (Codex: by the shell, the others: reading).",
            samples={name: sample(peaks) for name, peaks in turns.results.items()},
            bars=(Bar(BAR_MIB),),
            failures=turns.failures,
            others_share=turns.others_share,
        )
    ]


class Peak:
    """Watches a process and its children from a thread, until stopped."""

    def __init__(self) -> None:
        self.kib = 0
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def watch(self, pid: int) -> None:
        self._thread = threading.Thread(target=self._sample, args=(pid,))
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _sample(self, pid: int) -> None:
        while not self._over.wait(EVERY_S):
            self.kib = max(self.kib, sum(map(pss_kib, family(pid))))


def family(pid: int) -> list[int]:
    family = [pid]
    for parent in family:  # grows while it is walked
        with contextlib.suppress(OSError):  # it ended in the meantime
            for thread in os.listdir(f"/proc/{parent}/task"):
                family += map(int, Path(f"/proc/{parent}/task/{thread}/children").read_text().split())
    return family


def pss_kib(pid: int) -> int:
    with contextlib.suppress(OSError):  # as above
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0
