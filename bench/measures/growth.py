"""Does a step get slower as the session gets longer?"""

import statistics

from bench.contestants import Contestant
from bench.field import Effort, Field, in_turns
from bench.figures import FLOOR, OURS, Bar, Measured, Sample, sample
from bench.runs import Run, run

WINDOW = 50
WARM_UP_STEPS = 10
BAR = 1.15
FIRST_TITLE = "the same, to the first byte of the request"

Windows = tuple[float, float]
"""What a step took early and late in a run."""


def measure(field: Field, effort: Effort) -> list[Measured]:
    title = f"step {effort.long_steps:,} against step 20"

    def once(who: Contestant) -> Run:
        return run(who, field.scratch, who.calls["read"], steps=effort.long_steps, deadline_s=180)

    turns = in_turns(title, field.named(OURS, FLOOR), effort.long_runs, once)
    to_first = {name: [_windows(done.steps_ms) for done in runs] for name, runs in turns.results.items()}
    to_last = {name: [_windows(done.sent_steps_ms) for done in runs] for name, runs in turns.results.items()}
    sizes = [runs[0].seen[-1].body_bytes / 1e6 for name, runs in turns.results.items() if name == OURS]
    size = f", which has grown to {sizes[0]:.1f} MB" if sizes else ""
    return [
        Measured(
            title=title,
            unit="×",
            about=f"Median of the last {WINDOW} steps of a run of {effort.long_steps:,}, divided by that of steps "
            f"{WARM_UP_STEPS + 1} to {WARM_UP_STEPS + WINDOW} of the same run, reading a file; then the median of "
            f"{effort.long_runs} runs. Each step counts to the last byte of the request{size}, so "
            f"what it takes to send the history is in it. {_told(to_last)}",
            samples=_ratios(to_last),
            bars=(Bar(BAR),),
            failures=turns.failures,
            others_share=turns.others_share,
        ),
        Measured(
            title=FIRST_TITLE,
            unit="×",
            about=f"As above, but each step counted to the first byte: what is done before sending. {_told(to_first)}",
            samples=_ratios(to_first),
            failures=turns.failures,
            others_share=turns.others_share,
        ),
    ]


def _windows(steps_ms: list[float]) -> Windows:
    early = steps_ms[WARM_UP_STEPS : WARM_UP_STEPS + WINDOW]
    return statistics.median(early), statistics.median(steps_ms[-WINDOW:])


def _ratios(windows: dict[str, list[Windows]]) -> dict[str, Sample]:
    return {name: sample([late / early for early, late in runs]) for name, runs in windows.items()}


def _told(windows: dict[str, list[Windows]]) -> str:
    """The times behind the ratios."""
    told: list[str] = []
    for name, runs in windows.items():
        early, late = (statistics.median(times) for times in zip(*runs, strict=True))
        told.append(f"{name}: {early:.2f} ms, then {late:.2f} ms")
    return f"({'; '.join(told)}.)"
