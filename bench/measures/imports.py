"""Where does the start of `daedal exec` go? What is imported on the way, and what each part takes."""

import sys
from collections import Counter
from dataclasses import replace

from bench.field import Effort, Field, say
from bench.figures import OURS, Extra
from bench.runs import Failed, printed_by, run

MARK = "import time:"
LONGEST = 12
TITLE = "Imports of `daedal exec`"


def measure(field: Field, effort: Effort) -> Extra:
    daedal = field.named(OURS)[0]
    watched = replace(
        daedal, name="imports", argv=lambda port: [sys.executable, "-X", "importtime", *daedal.argv(port)]
    )
    listings: list[dict[str, int]] = []
    try:
        for _ in range(effort.import_runs + 1):
            run(watched, field.scratch, daedal.call_for("read"))
            listings.append(_modules(printed_by(field.scratch, watched)))
    except Failed as failure:
        say(f"  failed: {failure}")
        return Extra(TITLE, f"Not measured: {failure}")
    modules = min(listings[1:], key=lambda listing: sum(listing.values()))
    say(f"imports: {len(modules)} modules, {sum(modules.values()) / 1000:.0f} ms")
    return Extra(TITLE, _told(modules))


def _modules(printed: str) -> dict[str, int]:
    """The time that each module took by itself, in microseconds."""
    modules: dict[str, int] = {}
    for line in printed.splitlines():
        _, marked, columns = line.partition(MARK)
        parts = columns.split("|")
        if marked and len(parts) == 3 and parts[0].strip().isdigit():
            modules[parts[2].strip()] = int(parts[0])
    return modules


def _told(modules: dict[str, int]) -> str:
    packages: Counter[str] = Counter()
    for name, taken in modules.items():
        packages[name.partition(".")[0]] += taken
    longest = Counter(modules).most_common(LONGEST)
    lines = [
        f"{len(modules)} modules in {sum(modules.values()) / 1000:.0f} ms by `python -X importtime`, which itself "
        "slows them down. Time of a module without what it imports in turn:",
        "",
        "| package | ms | module | ms |",
        "| --- | ---: | --- | ---: |",
    ]
    for (package, whole), (module, alone) in zip(packages.most_common(LONGEST), longest, strict=False):
        lines.append(f"| {package} | {whole / 1000:.1f} | {module} | {alone / 1000:.1f} |")
    return "\n".join(lines)
