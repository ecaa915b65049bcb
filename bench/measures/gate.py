"""What do the gate and the walls cost? A decision by itself, and a command inside the sandbox against one outside."""

import json
import statistics
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from bench.contestants import Contestant, base_environment
from bench.field import Effort, Field, in_turns
from bench.figures import OURS, Bar, Measured, sample
from bench.quiet import Watch
from bench.runs import run

DECISION_BAR_MS = 1.5
WALLS_BAR_MS = 6.0
WARM_UP_STEPS = 10
FEW, MANY = 100, 2_100
INSIDE = "daedal, confined"

COMMANDS = (
    "ls -la src",
    "git status --short && git diff --stat",
    "grep -rn 'TODO' src | sort | uniq -c | head -20",
    'for f in *.py; do wc -l "$f"; done',
    "cd packages/core && NODE_ENV=test npm test -- --grep 'a && b' 2>&1 | tail -40",
)
RULES = {
    "allow": ["Bash(ls:*)", "Bash(git status:*)", "Bash(git diff:*)", "Bash(npm test:*)", "Edit(src/**)"],
    "ask": ["Bash(git push:*)", "Bash(curl:*)"],
    "deny": ["Bash(rm -rf*)", "Bash(sudo:*)", "Read(./.env)", "WebFetch(domain:example.com)"],
}


def measure(field: Field, effort: Effort) -> list[Measured]:
    return [_decisions(field, effort), _walls(field, effort)]


def _decisions(field: Field, effort: Effort) -> Measured:
    watch = Watch()
    taken = [_decision_ms(field) for _ in range(effort.gate_rounds)]
    return Measured(
        title="a decision of the gate",
        unit="ms",
        about=f"Of a shell command, by `daedal policy check tool`: what {MANY:,} cases take longer than {FEW}, each. "
        "Reading the case and its eleven rules is in it, though a thread reads its rules once.",
        samples={OURS: sample(taken)},
        bars=(Bar(DECISION_BAR_MS),),
        others_share=watch.others_share(),
    )


def _decision_ms(field: Field) -> float:
    return (_check_s(field, MANY) - _check_s(field, FEW)) / (MANY - FEW) * 1000


def _check_s(field: Field, number: int) -> float:
    case = {"rules": RULES, "mode": "default", "tool": "Bash", "cwd": "/srv/project", "home": "/home/dev"}
    lines = [
        json.dumps({"id": str(index), **case, "input": {"command": COMMANDS[index % len(COMMANDS)]}})
        for index in range(number)
    ]
    began = perf_counter()
    subprocess.run(
        [Path(sys.executable).with_name("daedal"), "policy", "check", "tool"],
        input="\n".join(lines).encode(),
        env=base_environment(field.scratch.home("policy")),
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return perf_counter() - began


def _walls(field: Field, effort: Effort) -> Measured:
    """The same program twice: with its walls and without them."""
    (ours,) = field.named(OURS)
    inside = replace(ours, name=INSIDE, argv=lambda port: [word for word in ours.argv(port) if word != "--no-sandbox"])

    def once(who: Contestant) -> list[float]:
        return run(who, field.scratch, who.calls["shell"], steps=effort.steps, deadline_s=120).steps_ms[WARM_UP_STEPS:]

    turns = in_turns("a command inside the walls", [ours, inside], effort.step_rounds, once)
    medians = {name: [statistics.median(steps) for steps in rounds] for name, rounds in turns.results.items()}
    extra = [within - without for within, without in zip(medians.get(INSIDE, []), medians.get(OURS, []), strict=False)]
    return Measured(
        title="a command inside the walls, extra",
        unit="ms",
        about="How much longer a step takes that runs `cat` confined by the sandbox than one that runs it unconfined; "
        "the jail is warm after the first. Less than nothing is possible: a small process in the jail starts commands "
        "quicker than a large one outside.",
        samples={OURS: sample(extra)} if extra else {},
        bars=(Bar(WALLS_BAR_MS),),
        failures=dict.fromkeys([OURS], "; ".join(turns.failures.values())) if turns.failures else {},
        others_share=turns.others_share,
        can_be_less=True,
    )
