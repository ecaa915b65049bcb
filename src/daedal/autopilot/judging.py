"""What follows from a finished turn of a goal? Done, again, stopped: values in, a decision out."""

from msgspec import Struct

from daedal.autopilot.guidance import BLOCKED_MAX, CONTINUE, refused
from daedal.autopilot.reporting import Claim, normalised, read_report
from daedal.protocol.catalogue import say
from daedal.protocol.goal_calls import DueTurn
from daedal.protocol.goals import GoalBlock, GoalCheck, GoalEnd, GoalStatus, ThreadGoal
from daedal.protocol.records import TurnStatus
from daedal.protocol.turns import ErrorKind

GOES_ON = (ErrorKind.OUTPUT_LIMIT, ErrorKind.EMPTY_REPLY)
"""The model can take these up again by itself."""


class Verdict(Struct, frozen=True, kw_only=True):
    status: GoalStatus = GoalStatus.ACTIVE
    stopped_by: GoalEnd | None = None
    reason: str | None = None
    blocked: GoalBlock | None = None
    prompt: str = ""
    """What the next turn begins with; empty where there is none."""


def wants_check(goal: ThreadGoal, due: DueTurn) -> bool:
    return (
        goal.check is not None and due.status is TurnStatus.COMPLETED and read_report(due.said).claim is Claim.COMPLETE
    )


def judge(goal: ThreadGoal, due: DueTurn, check: GoalCheck | None = None) -> Verdict:
    """`check` is how the goal's check has just ended, where the model claims to be done."""
    if due.status is TurnStatus.FAILED:
        return _failed(goal, due)
    report = read_report(due.said)
    match report.claim:
        case Claim.COMPLETE if goal.check is None:
            return Verdict(status=GoalStatus.COMPLETE, stopped_by=GoalEnd.COMPLETE, reason=say("autopilot.claimed"))
        case Claim.COMPLETE if check is not None:
            return _checked(goal, check)
        case Claim.BLOCKED:
            return _blocked(goal, report.reason)
        case _:
            return _again(goal, CONTINUE)


def _checked(goal: ThreadGoal, check: GoalCheck) -> Verdict:
    if check.passed:
        reason = say("autopilot.proved", check=check.command)
        return Verdict(status=GoalStatus.COMPLETE, stopped_by=GoalEnd.COMPLETE, reason=reason)
    if check.declined:
        reason = say("autopilot.check_declined", check=check.command, why=check.output)
        return Verdict(status=GoalStatus.BLOCKED, stopped_by=GoalEnd.CHECK, reason=reason)
    return _again(goal, refused(check))


def _blocked(goal: ThreadGoal, reason: str) -> Verdict:
    before = goal.blocked
    is_same = before is not None and normalised(before.reason) == normalised(reason)
    block = GoalBlock(reason=before.reason, count=before.count + 1) if before and is_same else GoalBlock(reason=reason)
    if block.count >= BLOCKED_MAX:
        told = say("autopilot.blocked", count=block.count, reason=block.reason)
        return Verdict(status=GoalStatus.BLOCKED, stopped_by=GoalEnd.BLOCKED, reason=told, blocked=block)
    return _again(goal, CONTINUE, block)


def _again(goal: ThreadGoal, prompt: str, block: GoalBlock | None = None) -> Verdict:
    if goal.continuations >= goal.limit:
        reason = say("autopilot.limit", limit=goal.limit)
        return Verdict(status=GoalStatus.BUDGET_LIMITED, stopped_by=GoalEnd.LIMIT, reason=reason, blocked=block)
    return Verdict(blocked=block, prompt=prompt)


def _failed(goal: ThreadGoal, due: DueTurn) -> Verdict:
    error = due.error
    kind = error.kind if error is not None else ErrorKind.INTERNAL
    if kind in GOES_ON:
        return _again(goal, CONTINUE, goal.blocked)
    status, end = {
        ErrorKind.STEP_LIMIT: (GoalStatus.BUDGET_LIMITED, GoalEnd.STEPS),
        ErrorKind.BUDGET: (GoalStatus.BUDGET_LIMITED, GoalEnd.BUDGET),
        ErrorKind.RATE_LIMIT: (GoalStatus.USAGE_LIMITED, GoalEnd.FAILURE),
    }.get(kind, (GoalStatus.PAUSED, GoalEnd.FAILURE))
    return Verdict(status=status, stopped_by=end, reason=error.message if error else None, blocked=goal.blocked)
