"""How does a goal read in one line?"""

from daedal.cli.printing import one_line
from daedal.protocol.catalogue import say
from daedal.protocol.goals import GoalStatus, ThreadGoal

LINE_MAX = 300


def goal_line(goal: ThreadGoal) -> str:
    turns = say("cli.exec.goal_turns", count=goal.continuations, limit=goal.limit)
    if goal.status is GoalStatus.ACTIVE:
        what = say("cli.exec.goal_active", objective=one_line(goal.objective, 80), turns=turns)
        if goal.blocked is not None:
            reason = one_line(goal.blocked.reason, LINE_MAX)
            what += say("cli.exec.goal_blocked", count=goal.blocked.count, reason=reason)
        return what
    reason = one_line(goal.reason or str(goal.stopped_by or ""), LINE_MAX)
    return say("cli.exec.goal_over", status=goal.status, reason=reason, turns=turns, calls=goal.steps)
