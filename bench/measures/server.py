"""How much does one app-server take? Turns in many threads at once, what an idle thread costs, how old news is."""

from bench.contestants import Contestant
from bench.field import Effort, Field, in_turns
from bench.figures import OURS, Bar, Measured, sample
from bench.runs import Failed
from bench.server_load import Load, load

PEER = "codex"
PEER_SHARE_MAX = 0.33
"""At least three times as many turns per second as Codex."""
IDLE_KIB_MAX = 150.0
AGE_MS_MAX = 50.0
PEER_SHARE = 10
"""A peer gets so many times fewer threads: its time per turn is no worse for it, and the run ends some day."""


def measure(field: Field, effort: Effort) -> list[Measured]:
    threads, turns = effort.server_threads, effort.server_turns
    title = f"app-server, {threads} threads × {turns} turns, per turn"
    loads: dict[str, Load] = {}

    def once(who: Contestant) -> float:
        mine = threads if who.name == OURS else max(1, threads // PEER_SHARE)
        done = loads[who.name] = load(who, field.scratch, threads=mine, turns=turns)
        if done.lost:
            raise Failed(f"{done.lost} events or turns were lost")
        return done.seconds * 1000 / done.turns

    run = in_turns(title, field.named(OURS, PEER), 1, once)
    quick = Measured(
        title=title,
        unit="ms",
        about="How long a server needs per turn when all threads work at once, each with its next turn as soon as the "
        "one before it is over; the model answers at once. Codex has a tenth of the threads. No event may be missing.",
        samples={name: sample(values) for name, values in run.results.items()},
        bars=(Bar(PEER_SHARE_MAX, PEER),),
        failures=run.failures,
        others_share=run.others_share,
    )
    if OURS not in loads:
        return [quick]
    ours = loads[OURS]
    return [quick, _idle(ours, threads, turns), _ages(field, effort, ours.turns / ours.seconds / 2)]


def _idle(ours: Load, threads: int, turns: int) -> Measured:
    return Measured(
        title="app-server, memory per idle thread",
        unit="KiB",
        about=f"What {threads} threads added to the server's proportional set size once they had done {turns} turns "
        "each, divided by their number.",
        samples={OURS: sample([ours.idle_kib])},
        bars=(Bar(IDLE_KIB_MAX),),
    )


def _ages(field: Field, effort: Effort, per_second: float) -> Measured:
    title = "app-server, age of events, 99th percentile"

    def once(who: Contestant) -> float:
        turns = max(1, effort.server_turns // 2)
        done = load(who, field.scratch, threads=effort.server_threads, turns=turns, per_second=per_second)
        ages = sorted(done.ages_ms)
        return ages[int(len(ages) * 0.99)]

    run = in_turns(title, field.named(OURS), 1, once)
    return Measured(
        title=title,
        unit="ms",
        about="From when an event is emitted until the client has read it, at half of the turns per second above, in "
        "threads that have had a turn before.",
        samples={name: sample(values) for name, values in run.results.items()},
        bars=(Bar(AGE_MS_MAX),),
        failures=run.failures,
        others_share=run.others_share,
    )
