"""What does each method about goals call? Loaded with the first of them: most threads have no goal."""

from collections.abc import Awaitable, Callable
from typing import Any

from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.goal_calls import GoalClearParams, GoalGetParams, GoalReportParams, Goals, GoalSetParams
from daedal.protocol.service import Engine


def _goals(engine: Engine) -> Goals:
    if isinstance(engine, Goals):
        return engine
    raise UsageError(say("server.engine_cannot", what="thread/goal/set"))


GOAL_METHODS: dict[str, tuple[type[Any], Callable[[Engine, Any], Awaitable[Any]]]] = {
    "thread/goal/set": (GoalSetParams, lambda engine, params: _goals(engine).set_goal(params)),
    "thread/goal/get": (GoalGetParams, lambda engine, params: _goals(engine).get_goal(params)),
    "thread/goal/clear": (GoalClearParams, lambda engine, params: _goals(engine).clear_goal(params)),
    "thread/goal/check": (GoalGetParams, lambda engine, params: _goals(engine).check_goal(params)),
    "thread/goal/report": (GoalReportParams, lambda engine, params: _goals(engine).report_goal(params)),
}
