"""In which order do contestants run? In turns, so that a busy moment of the machine hits all of them alike."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Generic, TypeVar

from bench.contestants import Contestant, Work
from bench.quiet import Watch
from bench.runs import Failed
from bench.scratch import Scratch

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Effort:
    """How often and how long things are done."""

    starts: int = 51
    first_starts: int = 5
    step_rounds: int = 2
    steps: int = 200
    long_runs: int = 9
    long_steps: int = 2000
    deltas: int = 2000
    delta_rounds: int = 11
    commits: int = 1000
    import_runs: int = 3
    gate_rounds: int = 5
    server_threads: int = 500
    server_turns: int = 20


QUICK = Effort(
    starts=3,
    first_starts=2,
    step_rounds=1,
    steps=40,
    long_runs=1,
    long_steps=150,
    deltas=2000,
    delta_rounds=3,
    commits=100,
    import_runs=1,
    gate_rounds=2,
    server_threads=50,
    server_turns=4,
)


@dataclass(frozen=True, slots=True)
class Field:
    """Everyone who takes part, and where."""

    contestants: Sequence[Contestant]
    scratch: Scratch

    def named(self, *names: str) -> list[Contestant]:
        return [contestant for contestant in self.contestants if contestant.name in names]

    def able(self, work: Work) -> list[Contestant]:
        return [contestant for contestant in self.contestants if work in contestant.calls]


@dataclass(frozen=True, slots=True)
class Turns(Generic[T]):
    """What came of letting everyone have their turns."""

    results: dict[str, list[T]]
    failures: dict[str, str]
    """Why those that failed stepped back."""
    others_share: float | None


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def in_turns(
    title: str, contestants: Sequence[Contestant], rounds: int, once: Callable[[Contestant], T], *, warm_ups: int = 0
) -> Turns[T]:
    """What `once` gave for each contestant in each round."""
    began, watch = monotonic(), Watch()
    results: dict[str, list[T]] = {contestant.name: [] for contestant in contestants}
    failures: dict[str, str] = {}
    for number in range(-warm_ups, rounds):
        for place in range(len(contestants)):
            contestant = contestants[(place + number) % len(contestants)]
            if contestant.name in failures:
                continue
            try:
                result = once(contestant)
            except Failed as failure:
                failures[contestant.name] = str(failure)
                del results[contestant.name]
                say(f"  failed: {failure}")
                continue
            if number >= 0:
                results[contestant.name].append(result)
    others = watch.others_share()
    busy = "" if others is None else f" · {others:.0%} of the machine busy with other work"
    say(f"{title}: {', '.join(results) or 'nobody'} · {monotonic() - began:.0f} s{busy}")
    return Turns(results, failures, others)
