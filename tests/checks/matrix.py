"""What does docs/ACCEPTANCE_MATRIX.md say, and does it hold? Its rows, its rules, and how it is brought up to date.

    python -m tests.checks.matrix            what is wrong with it
    python -m tests.checks.matrix --write    the column "shown by" anew, from the tests

Writing changes no state that a person chose, except that an `open` row with tests becomes `part`.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.checks.marks import shown_by_tests

ROOT = Path(__file__).parents[2]
MATRIX = ROOT / "docs" / "ACCEPTANCE_MATRIX.md"
REQUIREMENTS = ROOT.parent / "shared" / "REQUIREMENTS.md"
"""The list that the matrix was made from; it lies beside some checkouts."""

STATES = ("met", "part", "open")
ID = r"[A-Z]{2}-\d{2}"
ROW = re.compile(rf"^\| (?P<id>{ID}(?:/\w+)?) \| (?P<obligation>.+?) \| (?P<state>\w+) \| (?P<tests>.*?) ?\|$")


@dataclass(frozen=True)
class Row:
    id: str
    obligation: str
    state: str
    tests: tuple[str, ...]

    @property
    def whole(self) -> str:
        """The id that this row is, or is a part of."""
        return self.id.partition("/")[0]

    @property
    def is_part(self) -> bool:
        return "/" in self.id

    def __str__(self) -> str:
        shown = "<br>".join(f"`{test}`" for test in self.tests)
        return f"| {self.id} | {self.obligation} | {self.state} | {shown + ' ' if shown else ''}|"


def rows(text: str) -> list[Row]:
    return [row for line in text.splitlines() if (row := _row(line))]


def _row(line: str) -> Row | None:
    if not (found := ROW.match(line)):
        return None
    tests = tuple(test.strip("`") for test in found["tests"].split("<br>") if test)
    return Row(found["id"], found["obligation"], found["state"], tests)


def updated(text: str, shown: Mapping[str, Sequence[str]]) -> str:
    """The matrix with its last column taken from the tests."""
    return "".join(
        f"{_refreshed(row, shown)}\n" if (row := _row(line.rstrip("\n"))) else line
        for line in text.splitlines(keepends=True)
    )


def _refreshed(row: Row, shown: Mapping[str, Sequence[str]]) -> Row:
    tests = tuple(shown.get(row.id, ()))
    return replace(row, tests=tests, state="part" if tests and row.state == "open" else row.state)


def complaints(text: str, shown: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """What a reader of the matrix would be told wrongly. Nothing when matrix and tests agree."""
    table = rows(text)
    known = {row.id: row for row in table}
    yield from _unread(text)
    for row in table:
        if row.state not in STATES:
            yield f"{row.id}: no such state: {row.state}"
        if tuple(shown.get(row.id, ())) != row.tests:
            yield f"{row.id}: its tests have changed; run python -m tests.checks.matrix --write"
        if row.state == "open" and shown.get(row.id):
            yield f"{row.id} is open, but tests carry it"
    if len(known) != len(table):
        yield "an id stands in two rows"
    for name in sorted(promised(text) - set(known)):
        yield f"{name} is promised by a heading, but has no row"
    for name in sorted(set(shown) - set(known)):
        yield f"{name} is carried by {shown[name][0]}, but has no row"
    for row in table:
        if row.whole not in known:
            yield f"{row.id} is a part of a row that does not exist"
        yield from _of_whole(row, [part for part in table if part.is_part and part.whole == row.id], shown)


def _of_whole(row: Row, parts: Sequence[Row], shown: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Where a row has parts, they speak for it."""
    if row.state in ("met", "part") and not (shown.get(row.id) or any(shown.get(part.id) for part in parts)):
        yield f"{row.id} is said to be {row.state}, but no test shows it"
    states = {part.state for part in parts}
    if row.state == "met" and states - {"met"}:
        yield f"{row.id} is said to be met, but a part of it is not"
    if row.state == "open" and states - {"open"}:
        yield f"{row.id} is said to be open, but a part of it is not"


def _unread(text: str) -> Iterator[str]:
    """Rows that look like rows but are not written as such would be overlooked silently."""
    for line in text.splitlines():
        if line.startswith("|") and re.match(rf"^\|\s*{ID}", line) and not ROW.match(line):
            yield f"not a row: {line}"


def promised(text: str) -> set[str]:
    """The ids that the headings name, as `## AU · Autonomous delivery: AU-01 to AU-20`."""
    spans = re.findall(r"^## .*: ([A-Z]{2})-(\d{2}) to \1-(\d{2})$", text, re.MULTILINE)
    return {f"{area}-{n:02}" for area, first, last in spans for n in range(int(first), int(last) + 1)}


def obligations(requirements: str) -> set[str]:
    """All ids of the list that the matrix was made from."""
    return set(re.findall(rf"^\| ({ID}) \|", requirements, re.MULTILINE))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Compare docs/ACCEPTANCE_MATRIX.md with the tests.")
    parser.add_argument("--write", action="store_true", help="bring its last column up to date first")
    shown = shown_by_tests(ROOT)
    if parser.parse_args(arguments).write:
        MATRIX.write_text(updated(MATRIX.read_text("utf-8"), shown), "utf-8")
    wrong = list(complaints(MATRIX.read_text("utf-8"), shown))
    print("\n".join(wrong) or "the matrix and the tests agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
