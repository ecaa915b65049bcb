"""Does a step get slower as the session gets longer?"""

import statistics

from bench.contestants import Contestant
from bench.field import Effort, Field, in_turns
from bench.figures import FLOOR, OURS, Bar, Measured, Sample
from bench.runs import Run, run

WINDOW = 50
WARM_UP_STEPS = 10
BAR = 1.15


def measure(field: Field, effort: Effort) -> list[Measured]:
    title = f"step {effort.long_steps:,} against step 20"

    def once(who: Contestant) -> Run:
        return run(who, field.scratch, who.calls["read"], steps=effort.long_steps, deadline_s=180)

    results, failures = in_turns(title, field.named(OURS, FLOOR), 1, once)
    runs = {name: rounds[0] for name, rounds in results.items()}
    told = "; ".join(f"{name}: {_windows(done)}" for name, done in runs.items())
    return [
        Measured(
            title=title,
            unit="×",
            about=f"Median of the last {WINDOW} steps of one run of {effort.long_steps:,}, divided by that of steps "
            f"{WARM_UP_STEPS + 1} to {WARM_UP_STEPS + WINDOW}, reading a file ({told}).",
            samples={name: _ratio(done) for name, done in runs.items()},
            bars=(Bar(BAR),),
            failures=failures,
        )
    ]


def _early_and_late(done: Run) -> tuple[float, float]:
    early = done.steps_ms[WARM_UP_STEPS : WARM_UP_STEPS + WINDOW]
    return statistics.median(early), statistics.median(done.steps_ms[-WINDOW:])


def _ratio(done: Run) -> Sample:
    early, late = _early_and_late(done)
    return Sample(late / early, late / early, late / early, 1)


def _windows(done: Run) -> str:
    early, late = _early_and_late(done)
    return f"{early:.2f} ms, then {late:.2f} ms, with a request of {done.seen[-1].body_bytes / 1e6:.1f} MB at the end"
