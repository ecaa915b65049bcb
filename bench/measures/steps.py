"""What does one tool step cost beyond the model's own time?"""

from bench.contestants import Contestant, Work
from bench.field import Effort, Field, in_turns
from bench.figures import BEST_PEER, FLOOR, Bar, Measured, sample
from bench.runs import run

WARM_UP_STEPS = 10
TITLES: dict[Work, str] = {"read": "tool step, reading a file", "shell": "tool step, running a command"}
ABOUTS: dict[Work, str] = {
    "read": "From the end of a reply that asks for a small file to be read to the first byte of the next request; "
    "Daedal commits twice in between. Codex has no tool for that.",
    "shell": "The same, where the reply asks for `cat` of that file by the shell.",
}


def measure(field: Field, effort: Effort) -> list[Measured]:
    return [_steps(field, effort, "read"), _steps(field, effort, "shell")]


def _steps(field: Field, effort: Effort, work: Work) -> Measured:
    def once(who: Contestant) -> list[float]:
        done = run(who, field.scratch, who.calls[work], steps=effort.steps, deadline_s=120)
        return done.steps_ms[WARM_UP_STEPS:]

    turns = in_turns(TITLES[work], field.able(work), effort.step_rounds, once)
    return Measured(
        title=TITLES[work],
        unit="ms",
        about=f"{ABOUTS[work]} Median over {effort.steps - WARM_UP_STEPS} steps of each run.",
        samples={name: sample([step for steps in rounds for step in steps]) for name, rounds in turns.results.items()},
        bars=(Bar(3.0, FLOOR), Bar(0.4, BEST_PEER)),
        failures=turns.failures,
        others_share=turns.others_share,
    )
