"""How are the results told? A page of Markdown with one line per bar."""

import os
import platform
from collections.abc import Sequence

from bench.contestants import Contestant
from bench.figures import BEST_PEER, FLOOR, OURS, PEERS, Bar, Extra, Measured, Verdict, verdict
from bench.quiet import BUSY_SHARE

NAMES = (OURS, FLOOR, *PEERS)
PLOT = "bench.svg"


def page(
    measured: Sequence[Measured],
    extras: Sequence[Extra],
    contestants: Sequence[Contestant],
    missing: Sequence[str],
    *,
    complete: bool,
) -> str:
    """The whole report; one that is not complete is only for the screen, and has no plot beside it."""
    parts = ["# Speed and memory", _opening(contestants, missing)]
    if complete:
        parts.append(f"![How much of each allowance is used]({PLOT})")
    if measured:
        abouts = "\n".join(f"- **{one.title}**: {one.about}" for one in measured)
        parts += [
            _table(measured),
            _disturbance(measured),
            "## What is measured",
            abouts,
            _fairness(),
            "## Spread",
            _spread(measured),
        ]
    for extra in extras:
        parts += [f"## {extra.title}", extra.text]
    parts += _failures(measured)
    if complete:
        parts += ["## Run it again", _how()]
    return "\n\n".join(parts) + "\n"


def _opening(contestants: Sequence[Contestant], missing: Sequence[str]) -> str:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    machine = f"{cores} cores, {platform.machine()}, {platform.system()}, Python {platform.python_version()}"
    who = ", ".join(f"{one.name} {one.version}" for one in contestants if one.name != FLOOR)
    absent = f" Not installed here, so not compared: {', '.join(missing)}." if missing else ""
    return (
        f"Written by `./dev bench`. All figures come from one run on one machine ({machine}), so read the ratios. "
        f"Contestants: {who}, and *floor*, a minimal agent loop in plain standard library without any record "
        f"(`bench/floor.py`).{absent}"
    )


def _table(measured: Sequence[Measured]) -> str:
    lines = [f"| measure | {' | '.join(NAMES)} | ratio | at most | met |", "| --- |" + " ---: |" * 6 + " --- |"]
    for one in measured:
        values = [_value(one, name) for name in NAMES]
        for number, bar in enumerate(one.bars or (None,)):
            cells = [one.title, *values] if number == 0 else [""] * (1 + len(values))
            lines.append(f"| {' | '.join([*cells, *_judged(one, bar)])} |")
    return "\n".join(lines)


def _value(one: Measured, name: str) -> str:
    if name in one.samples:
        return figure(one.samples[name].median, one.unit)
    return "failed" if name in one.failures else "–"


def figure(value: float, unit: str) -> str:
    return f"{value:.2f} {unit}" if abs(value) < 10 else f"{value:.0f} {unit}"


def _judged(one: Measured, bar: Bar | None) -> tuple[str, str, str]:
    if bar is None:
        return "", "", ""
    judged = verdict(one, bar)
    met = {True: "yes", False: "**no**", None: "not measured"}[judged.met]
    return ratio_words(judged, one.unit), bar_words(bar, one.unit), met


def ratio_words(judged: Verdict, unit: str) -> str:
    if judged.value is None:
        return "–"
    return f"{judged.value:.2f} × {judged.rival}" if judged.rival else figure(judged.value, unit)


def bar_words(bar: Bar, unit: str) -> str:
    return f"{bar.limit:g} × {bar.against}" if bar.against else f"{bar.limit:g} {unit}"


def _disturbance(measured: Sequence[Measured]) -> str:
    """Whether the figures can be relied on, as far as the machine tells."""
    shares = {one.title: one.others_share for one in measured if one.others_share is not None}
    busy = [f"{title} ({share:.0%})" for title, share in shares.items() if share >= BUSY_SHARE]
    if busy:
        return (
            f"**Disturbed**: other work took this much of the machine during {'; '.join(busy)}. Take neither a bar met "
            "nor a bar missed there for granted, and run it again on a quiet machine."
        )
    if not shares:
        return "This system does not tell whether other work disturbed the run."
    return f"Undisturbed: other work took at most {max(shares.values()):.0%} of the machine during any measure."


def _fairness() -> str:
    return (
        "All contestants do the same work for the same scripted model, in turns, unconfined and with every call "
        "approved, each in a home of its own. The model is a process that never looks into a request, answers from "
        "ready-made bytes, and notes when a request's first byte arrives and when an answer leaves. A run counts only "
        f"if the file's content came back to the model. Each tool step is compared like for like: {BEST_PEER} is the "
        "faster of those that did that very work. From the second time on, claude answers a read of an unchanged file "
        "with a short remark."
    )


def _spread(measured: Sequence[Measured]) -> str:
    lines = ["| measure | contestant | median | middle half | samples |", "| --- | --- | ---: | ---: | ---: |"]
    for one in measured:
        for name in NAMES:
            taken = one.samples.get(name)
            if taken is not None and taken.count > 1:
                half = f"{taken.low:.2f} to {taken.high:.2f}"
                lines.append(f"| {one.title} | {name} | {taken.median:.2f} {one.unit} | {half} | {taken.count} |")
    return "\n".join(lines)


def _failures(measured: Sequence[Measured]) -> list[str]:
    where: dict[str, list[str]] = {}
    for one in measured:
        for why in one.failures.values():
            where.setdefault(why, []).append(one.title)
    told = [f"{'; '.join(titles)}:\n\n```\n{why}\n```" for why, titles in where.items()]
    return ["## What failed", *told] if told else []


def _how() -> str:
    return (
        "```sh\n"
        "./dev bench                   # everything, about five minutes; writes this page and the plot\n"
        "./dev bench --quick           # a glance: few repetitions, printed only\n"
        "./dev bench --only start      # one measure, printed only\n"
        "./dev bench --install-peers   # first fetch codex and claude with npm, into .peers\n"
        "```\n\n"
        "`codex` and `claude` are looked for in the folder that `DAEDAL_BENCH_PEERS` names, in `node_modules/.bin` and "
        "`.peers` of the project, and on the PATH. Run it on an otherwise idle machine."
    )
