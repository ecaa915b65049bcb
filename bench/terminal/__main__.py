"""What does `./dev bench --tui` do? Measures the chat beside its floors in one run, and writes docs/bench-tui.md."""

import argparse
import os
import platform
import sys

from bench.scratch import ROOT, scratch
from bench.terminal.measuring import Figures, Measuring, median, p95
from bench.terminal.players import OURS, OWN, TEXTUAL, players

PAGE = "bench-tui.md"
FLOOR_FACTOR = 1.3


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev bench --tui", description="Example: ./dev bench --tui --quick")
    parser.add_argument("--quick", action="store_true", help="few repetitions, printed only")
    parser.add_argument("--only", help="one of the programs, printed only")
    flags = parser.parse_args()
    starts = 3 if flags.quick else 11
    found: dict[str, Figures] = {}
    with scratch() as place:
        for player in players(place):
            if flags.only not in (None, player.name):
                continue
            print(f"{player.name} …", file=sys.stderr, flush=True)
            measuring = Measuring(player, place)
            measuring.starts(starts)
            measuring.typing()
            measuring.typing_while_streaming()
            measuring.streaming()
            if player.name == OURS:
                measuring.remembering(3 if flags.quick else 7)
                measuring.remembering_much(3 if flags.quick else 7)
                measuring.flooded()
            found[player.name] = measuring.figures
    page = _page(found)
    print(page, end="")
    if not flags.quick and flags.only is None:
        (ROOT / "docs" / PAGE).write_text(page)
        print(f"written: docs/{PAGE}", file=sys.stderr)
    missed = [name for name, met in _bars(found).items() if met is False]
    for name in missed:
        print(f"missed: {name}", file=sys.stderr)
    return 1 if missed else 0


ROWS = (
    ("first paint, ms", "paint", median, None),
    ("typed character shown, ms", "typed", median, None),
    ("key while idle, median ms", "keys_idle", median, None),
    ("key while idle, p95 ms", "keys_idle", p95, 10.0),
    ("key while streaming, median ms", "keys_streaming", median, None),
    ("key while streaming, p95 ms", "keys_streaming", p95, 17.0),
    ("CPU s for 2,000 deltas in 5 s", "stream_cpu_s", median, 1.2),
    ("CPU % idle", "idle_percent", median, 0.3),
    ("PSS MiB after 50 steps", "pss_mib", median, 100.0),
    ("exit, ms", "exit", median, 60.0),
    ("resume 200 steps and show, ms", "resume", median, 440.0),
    ("resume 10,000 items and show, ms", "resume_long", median, 1000.0),
    ("key while 5,000 deltas come in a second, p95 ms", "keys_flooded", p95, None),
    ("cores in use meanwhile", "flood_share", median, 1.0),
)


def _bar(found: dict[str, Figures], name: str, kind: str, fixed: float | None) -> float | None:
    floor = found.get(TEXTUAL)
    if kind in ("paint", "typed") and floor is not None:
        return FLOOR_FACTOR * (median(getattr(floor, kind)) or 0)
    del name
    return fixed


def _bars(found: dict[str, Figures]) -> dict[str, bool | None]:
    verdicts: dict[str, bool | None] = {}
    for name, kind, summed, fixed in ROWS:
        value = summed(getattr(found[OURS], kind)) if OURS in found else None
        bar = _bar(found, name, kind, fixed)
        verdicts[name] = None if value is None or bar is None else value <= bar
    return verdicts


def _page(found: dict[str, Figures]) -> str:
    names = list(found)
    verdicts = _bars(found)
    lines = [
        "# How the chat feels, measured",
        "",
        "Written by `./dev bench --tui`: a 100×30 pseudo-terminal, all in one run. The floors are bare programs that",
        f"show a composer and stream the same text: `{OWN}` on the chat's own toolkit, the others on Textual and",
        "prompt_toolkit. They have no engine and no sessions. Bars for starting are 1.3 × the Textual floor.",
        "",
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}.",
        "",
        f"| | {' | '.join(names)} | at most | ours ÷ own floor |",
        f"| --- |{' --- |' * (len(names) + 2)}",
    ]
    for name, kind, summed, fixed in ROWS:
        values = [summed(getattr(found[who], kind)) for who in names]
        bar = _bar(found, name, kind, fixed)
        mark = {True: " ✓", False: " ✗", None: ""}[verdicts[name]]
        own = summed(getattr(found[OWN], kind)) if OWN in found else None
        ours = summed(getattr(found[OURS], kind)) if OURS in found else None
        ratio = f"{ours / own:.1f}" if ours is not None and own else "–"
        cells = " | ".join("–" if value is None else f"{value:.1f}" for value in values)
        lines.append(f"| {name} | {cells} | {'–' if bar is None else f'{bar:.1f}'}{mark} | {ratio} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
