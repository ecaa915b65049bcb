"""How long from the start of the program to its first request on the wire?"""

from pathlib import Path

from bench.contestants import Contestant
from bench.field import Effort, Field, in_turns
from bench.figures import FLOOR, Bar, Measured, sample
from bench.runs import run

WARM_UPS = 2
TITLE = "start to first request"
FIRST_TITLE = "the same, first start in a new home"


def measure(field: Field, effort: Effort) -> list[Measured]:
    return [_usual(field, effort), _first_ever(field, effort)]


def _start_ms(field: Field, contestant: Contestant, home: Path | None = None) -> float:
    return run(contestant, field.scratch, contestant.call_for("read"), home=home).start_ms


def _usual(field: Field, effort: Effort) -> Measured:
    turns = in_turns(TITLE, field.contestants, effort.starts, lambda who: _start_ms(field, who), warm_ups=WARM_UPS)
    return Measured(
        title=TITLE,
        unit="ms",
        about="From spawning the program to the first byte of its first model request, with files in the page cache, "
        "byte-compiled, in a home that it has used before.",
        samples={name: sample(times) for name, times in turns.results.items()},
        bars=(Bar(2.0, FLOOR), Bar(0.6, "codex")),
        failures=turns.failures,
        others_share=turns.others_share,
    )


def _first_ever(field: Field, effort: Effort) -> Measured:
    def once(who: Contestant) -> float:
        return _start_ms(field, who, field.scratch.fresh_home(f"{who.name}-new"))

    turns = in_turns(FIRST_TITLE, field.contestants, effort.first_starts, once)
    return Measured(
        title=FIRST_TITLE,
        unit="ms",
        about="As above, but each time in an empty home: the first start after installing.",
        samples={name: sample(times) for name, times in turns.results.items()},
        failures=turns.failures,
        others_share=turns.others_share,
    )
