"""How does a board of deliverables look on a page? A table, and a line that counts."""

from daedal.cli.printing import one_line, table
from daedal.delivery import Overview, OverviewRow, in_words
from daedal.protocol.catalogue import say

DESCRIPTION_MAX = 80
COLORS = {"passed": "32", "blocked": "33", "pending": "36", "stale": "33", "deprecated": "2"}


def board_table(view: Overview, *, colors: bool) -> str:
    """Nothing in it is obeyed by a terminal except our own colours."""
    lines = table(say("cli.status.headings").split("|"), [_row(row) for row in view.deliverables]).split("\n")
    if colors:
        lines[1:] = [_colored(line, row.status) for line, row in zip(lines[1:], view.deliverables, strict=True)]
    return "\n".join([*lines, "", _counts(view)])


def _counts(view: Overview) -> str:
    counts = say(
        "cli.status.summary",
        passed=view.passed,
        total=view.total,
        pending=view.pending,
        blocked=view.blocked,
        stale=view.stale,
    )
    return counts if view.verified is None else counts + say("cli.status.verified", verified=view.verified)


def _row(row: OverviewRow) -> list[str]:
    return [
        one_line(row.id, DESCRIPTION_MAX),
        row.status,
        str(row.sessions),
        in_words(row.duration_s),
        f"${row.cost_usd:.4f}",
        one_line(row.description, DESCRIPTION_MAX),
    ]


def _colored(line: str, status: str) -> str:
    return line.replace(f"  {status}  ", f"  \x1b[{COLORS[status]}m{status}\x1b[0m  ", 1)
