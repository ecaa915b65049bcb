"""What does a client change about a goal by saying so, and what counts as proof? Values in, values out."""

import time

from msgspec.structs import replace

from daedal.engine.kept_goal import KeptGoal
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.goal_calls import GoalOrigin, GoalSetParams
from daedal.protocol.goals import GoalEnd, GoalStatus, ThreadGoal

OBJECTIVE_MAX = 32_000
"""Characters. It is told before every prompt."""


def check_params(params: GoalSetParams) -> None:
    if params.objective is not None and not params.objective.strip():
        raise UsageError(say("engine.empty_goal"))
    if params.objective is not None and len(params.objective) > OBJECTIVE_MAX:
        raise UsageError(say("engine.long_goal", limit=OBJECTIVE_MAX))
    if params.check is not None and not params.check.strip():
        raise UsageError(say("engine.empty_check"))
    for value in (params.limit, params.token_budget):
        if value is not None and value < 1:
            raise UsageError(say("engine.goal_number", value=value))


def changed(goal: ThreadGoal, params: GoalSetParams, *, begins: bool) -> ThreadGoal:
    """What the client says about it. Whoever takes a goal up begins a fresh audit of what is in the way."""
    status = params.status or (GoalStatus.ACTIVE if begins else goal.status)
    goal = replace(
        goal,
        check=params.check.strip() if params.check else goal.check,
        limit=params.limit or goal.limit,
        token_budget=params.token_budget or goal.token_budget,
        updated_at=int(time.time()),
    )
    if status is GoalStatus.ACTIVE and (begins or not goal.is_active or params.status is not None):
        counted = 0 if goal.stopped_by is GoalEnd.LIMIT else goal.continuations
        return replace(goal, status=status, stopped_by=None, reason=None, blocked=None, continuations=counted)
    if status is goal.status:
        return goal
    stopped = replace(stopped_by_person(goal), status=status)
    if params.origin is GoalOrigin.AUTOMATIC:
        stopped = replace(stopped, stopped_by=GoalEnd.FAILURE, reason=params.reason)
    return stopped


def stopped_by_person(goal: ThreadGoal) -> ThreadGoal:
    return replace(
        goal,
        status=GoalStatus.PAUSED,
        stopped_by=GoalEnd.PERSON,
        reason=say("engine.goal_stopped"),
        updated_at=int(time.time()),
    )


def is_proved(kept: KeptGoal) -> bool:
    """Where the person named a check, nobody's word counts but its."""
    if kept.goal.check is None:
        return True
    check = kept.goal.last_check
    is_fresh = kept.due is not None and kept.checked_turn == kept.due.turn_id
    return check is not None and check.passed and check.command == kept.goal.check and is_fresh


def told(goal: ThreadGoal) -> dict[str, object]:
    """For the record, in a line."""
    check = goal.last_check
    return {
        "objective": goal.objective,
        "status": str(goal.status),
        "stopped_by": str(goal.stopped_by) if goal.stopped_by else None,
        "reason": goal.reason,
        "strategy": str(goal.strategy),
        "continuations": goal.continuations,
        "steps": goal.steps,
        "tokens": goal.tokens_used,
        "cost_usd": goal.cost_usd,
        "blocked": goal.blocked.count if goal.blocked else 0,
        "check": {"command": check.command, "exit_code": check.exit_code} if check else goal.check,
    }
