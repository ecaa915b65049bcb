"""Does a step get slower as the session gets longer?"""

import statistics

from bench.contestants import Contestant
from bench.field import Effort, Field, in_turns
from bench.figures import FLOOR, OURS, Bar, Measured, sample
from bench.runs import Run, run

WINDOW = 50
WARM_UP_STEPS = 10
BAR = 1.15


def measure(field: Field, effort: Effort) -> list[Measured]:
    title = f"step {effort.long_steps:,} against step 20"

    def once(who: Contestant) -> Run:
        return run(who, field.scratch, who.calls["read"], steps=effort.long_steps, deadline_s=180)

    turns = in_turns(title, field.named(OURS, FLOOR), effort.long_runs, once)
    told = "; ".join(f"{name}: {_windows(runs)}" for name, runs in turns.results.items())
    return [
        Measured(
            title=title,
            unit="×",
            about=f"Median of the last {WINDOW} steps of a run of {effort.long_steps:,}, divided by that of steps "
            f"{WARM_UP_STEPS + 1} to {WARM_UP_STEPS + WINDOW} of the same run, reading a file; then the median of "
            f"{effort.long_runs} runs ({told}).",
            samples={
                name: sample([late / early for early, late in map(_early_and_late, runs)])
                for name, runs in turns.results.items()
            },
            bars=(Bar(BAR),),
            failures=turns.failures,
            others_share=turns.others_share,
        )
    ]


def _early_and_late(done: Run) -> tuple[float, float]:
    return _windowed(done.steps_ms)


def _windowed(steps_ms: list[float]) -> tuple[float, float]:
    early = steps_ms[WARM_UP_STEPS : WARM_UP_STEPS + WINDOW]
    return statistics.median(early), statistics.median(steps_ms[-WINDOW:])


def _windows(runs: list[Run]) -> str:
    """The times behind the ratio, and the ratio up to the last byte: a long request also takes time to send."""
    early, late = (statistics.median(times) for times in zip(*map(_early_and_late, runs), strict=True))
    whole = statistics.median(then / now for now, then in (_windowed(done.sent_steps_ms) for done in runs))
    size = runs[0].seen[-1].body_bytes / 1e6
    return (
        f"{early:.2f} ms, then {late:.2f} ms with a request of {size:.1f} MB, "
        f"or {whole:.2f} × counted to the request's last byte"
    )
