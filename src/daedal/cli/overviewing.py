"""How does a board of deliverables look on a page? A table, and a line that counts."""

from daedal.cli.printing import one_line, table
from daedal.delivery import Overview, OverviewRow, in_words
from daedal.protocol.catalogue import say

DESCRIPTION_MAX = 80


def board_table(view: Overview) -> str:
    rows = [_row(row) for row in view.deliverables]
    counts = say(
        "cli.status.summary",
        passed=view.passed,
        total=view.total,
        pending=view.pending,
        blocked=view.blocked,
        stale=view.stale,
    )
    return table(say("cli.status.headings").split("|"), rows) + f"\n\n{counts}"


def _row(row: OverviewRow) -> list[str]:
    return [
        row.id,
        row.status,
        str(row.sessions),
        in_words(row.duration_s),
        f"${row.cost_usd:.4f}",
        one_line(row.description, DESCRIPTION_MAX),
    ]
