"""What does streaming cost? A reply in 2,000 pieces against a reply in one."""

from bench.contestants import Contestant
from bench.field import Effort, Field, in_turns
from bench.figures import FLOOR, Bar, Measured, sample
from bench.runs import run


def measure(field: Field, effort: Effort) -> list[Measured]:
    title = f"{effort.deltas:,} streamed deltas, extra"

    def once(who: Contestant) -> float:
        call = who.call_for("read")
        one = run(who, field.scratch, call, deltas=1).rest_ms
        return run(who, field.scratch, call, deltas=effort.deltas).rest_ms - one

    turns = in_turns(title, field.contestants, effort.delta_rounds, once, warm_ups=1)
    return [
        Measured(
            title=title,
            unit="ms",
            about=f"How much longer the program takes from its first request to its exit when the answer comes in "
            f"{effort.deltas:,} small pieces, each sent by itself, than when it comes in one; both are printed to a "
            "file. The start is left out: it is the same in both, and varies by more than the pieces cost.",
            samples={name: sample(extras) for name, extras in turns.results.items()},
            bars=(Bar(1.0, FLOOR),),
            failures=turns.failures,
            others_share=turns.others_share,
        )
    ]
