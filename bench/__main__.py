"""What does `./dev bench` do? Measures everything it is asked for, then tells it.

A complete run writes docs/bench.md and docs/bench.svg; a quick or partial one is only printed, and so is one in which
Daedal failed or was changed meanwhile, since its figures are not those of one program. The exit code is 0 when every
bar that could be measured is met, 1 when one is missed or Daedal could not be measured, and 2 for wrong usage.
"""

import argparse
import importlib.util
import signal
import sys
from pathlib import Path

from bench.contestants import contestants
from bench.field import QUICK, Effort, Field, say
from bench.figures import OURS, Measured, verdict
from bench.measures import commits, deltas, gate, growth, imports, memory, server, start, steps
from bench.peers import install_peers
from bench.report import PLOT, page
from bench.scratch import ROOT, scratch

MEASURES = {
    "start": start.measure,
    "steps": steps.measure,
    "growth": growth.measure,
    "memory": memory.measure,
    "deltas": deltas.measure,
    "gate": gate.measure,
    "server": server.measure,
}
EXTRAS = {"commits": commits.measure, "imports": imports.measure}


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev bench", description="Example: ./dev bench --quick --only start")
    parser.add_argument("--quick", action="store_true", help="few repetitions, printed only")
    parser.add_argument("--only", choices=[*MEASURES, *EXTRAS], help="one measure, printed only")
    parser.add_argument("--install-peers", action="store_true", help="first fetch codex and claude with npm")
    flags = parser.parse_args()
    complete = not flags.quick and flags.only is None
    if complete and importlib.util.find_spec("matplotlib") is None:
        parser.error("matplotlib draws the plot and is missing · run ./dev bench, or pip install 'daedal[bench]'")
    if flags.install_peers:
        install_peers()
    # A polite end from outside unwinds like any other, so that no contestant stays behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    return _bench(QUICK if flags.quick else Effort(), flags.only, complete=complete)


def _bench(effort: Effort, only: str | None, *, complete: bool) -> int:
    before = _source()
    with scratch() as place:
        here, missing = contestants(place)
        for name in missing:
            say(f"{name}: not found, so not compared (see --install-peers)")
        field = Field(here, place)
        chosen = [measure for name, measure in MEASURES.items() if only in (None, name)]
        measured = [one for measure in chosen for one in measure(field, effort)]
        extras = [measure(field, effort) for name, measure in EXTRAS.items() if only in (None, name)]
    report = page(measured, extras, here, missing, complete=complete)
    print(report, end="")
    failed = any(OURS in one.failures for one in measured)
    if complete and failed:
        say("not written: daedal failed (see above)")
    elif complete and _source() != before:
        say("not written: the source was changed during the run · run it again")
    elif complete:
        _keep(report, measured)
    missed = [one.title for one in measured for bar in one.bars if verdict(one, bar).met is False]
    for title in dict.fromkeys(missed):
        say(f"missed: {title}")
    return 1 if missed or failed else 0


def _source() -> dict[Path, int]:
    """Every file of the program, with when it was changed last."""
    return {file: file.stat().st_mtime_ns for file in (ROOT / "src").rglob("*.py")}


def _keep(report: str, measured: list[Measured]) -> None:
    from bench.plot import draw

    docs = ROOT / "docs"
    (docs / "bench.md").write_text(report)
    draw(measured, docs / PLOT)
    say("written: docs/bench.md and docs/bench.svg")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
