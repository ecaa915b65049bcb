"""How does one hear of a goal? In a line, each time that something about it changes; `/goal` tells the rest."""

from daedal.protocol.catalogue import say
from daedal.protocol.goals import GoalStatus, ThreadGoal
from daedal.tui.terminal.visible import flat, visible
from daedal.tui.terminal.widths import Row, wrap

STYLES = {GoalStatus.ACTIVE: "accent", GoalStatus.COMPLETE: "good", GoalStatus.PAUSED: "quiet"}
OBJECTIVE_MAX = 120


def rows(body: ThreadGoal, columns: int) -> list[Row]:
    style = STYLES.get(body.status, "warn")
    said = say(f"tui.goal.became_{body.status}", objective=flat(body.objective, OBJECTIVE_MAX))
    found = wrap([(style, f"◎ {said}")], columns, rest=[("", "  ")])
    if body.reason and body.status is not GoalStatus.ACTIVE:
        found += wrap([("quiet", visible(body.reason).replace("\n", " "))], columns, first=[("", "  ")])
    return found
