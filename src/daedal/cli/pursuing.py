"""When is a headless run over? With its turn; where the thread has a goal, when the goal is reached or stopped."""

import asyncio
from typing import Any

from daedal.cli.exit_codes import ExitCode, of_turn
from daedal.cli.options import Options
from daedal.client import Client
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.events import TurnCompleted, TurnStarted
from daedal.protocol.goals import GoalCleared, GoalEnd, GoalStatus, GoalStrategy, GoalUpdated, ThreadGoal
from daedal.protocol.records import TurnStatus
from daedal.protocol.turns import Turn
from daedal.protocol.wire import Notification


class Pursuit:
    """What a run has seen of its thread. Made inside the event loop."""

    def __init__(self) -> None:
        self.over: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()
        self.goal: ThreadGoal | None = None
        self.turn_id = ""
        """Of the turn that runs."""
        self.moved = asyncio.Event()
        """A turn began."""
        self._last: Turn | None = None
        self._is_pursued = False

    def see(self, notification: Notification) -> None:
        match notification.params:
            case TurnStarted(turn=turn):
                self.turn_id = turn.id
                self.moved.set()
            case TurnCompleted(turn=turn):
                self.turn_id, self._last = "", turn
                self._settle()
            case GoalUpdated(goal=goal):
                self.take(goal)
                self._settle()
            case GoalCleared():
                self.goal, self._is_pursued = None, False
                self._settle()
            case _:
                pass

    def take(self, goal: ThreadGoal | None) -> None:
        self.goal = goal
        self._is_pursued = self._is_pursued or self.is_active

    @property
    def is_active(self) -> bool:
        return self.goal is not None and self.goal.is_active

    def _settle(self) -> None:
        if self.over.done() or self.turn_id or self.is_active:
            return
        if self._last is not None:
            self.over.set_result(self._last)
        elif self._is_pursued:
            # Stopped before any turn of it began.
            self.over.set_result(Turn(id="", status=TurnStatus.INTERRUPTED))

    def code(self, turn: Turn) -> ExitCode:
        if self.goal is None or not self._is_pursued:
            return of_turn(turn)
        match self.goal.status:
            case GoalStatus.COMPLETE:
                return ExitCode.DONE
            case GoalStatus.BUDGET_LIMITED:
                return ExitCode.LIMIT
            case GoalStatus.USAGE_LIMITED:
                return ExitCode.LATER
            case GoalStatus.PAUSED if self.goal.stopped_by is GoalEnd.PERSON:
                return ExitCode.INTERRUPTED
            case _:
                return of_turn(turn) if turn.status is TurnStatus.FAILED else ExitCode.FAILED


def check_goal(options: Options) -> None:
    """Raises UsageError where the options about goals contradict each other."""
    resumes = options.resume or options.go_on
    if options.goal is not None and (options.prompt is not None or options.printed):
        raise UsageError(say("cli.exec.goal_and_prompt"))
    if options.goal is not None and not options.goal.strip():
        raise UsageError(say("engine.empty_goal"))
    if options.goal is None and not resumes and (options.until is not None or options.goal_limit is not None):
        raise UsageError(say("cli.exec.goal_missing"))
    if options.goal is None and options.research:
        raise UsageError(say("cli.exec.goal_missing"))
    if options.research and options.simple:
        raise UsageError(say("cli.exec.research_or_simple"))


async def pursue(client: Client, thread_id: str, options: Options, pursuit: Pursuit, *, has_prompt: bool) -> bool:
    """Sets the goal, or takes up the one there is. True where the driver starts the turns from here on."""
    from daedal.protocol.goal_calls import GoalGetParams, GoalOrigin, GoalSetParams

    changes: dict[str, Any] = {"check": options.until, "limit": options.goal_limit, "origin": GoalOrigin.USER}
    if options.goal is not None:
        strategy = _strategy(options)
        begin = GoalSetParams(thread_id=thread_id, objective=options.goal, strategy=strategy, defer=True, **changes)
        goal = (await client.call("thread/goal/set", begin)).goal
        if not goal.steps:
            return False
    else:
        goal = (await client.call("thread/goal/get", GoalGetParams(thread_id=thread_id))).goal
        if goal is None and (options.until is not None or options.goal_limit is not None):
            raise UsageError(say("cli.exec.goal_missing"))
        pursuit.take(goal)
        if goal is None or goal.is_over or has_prompt:
            return False
    go_on = GoalSetParams(thread_id=thread_id, status=GoalStatus.ACTIVE, **changes)
    await client.call("thread/goal/set", go_on)
    return True


def _strategy(options: Options) -> GoalStrategy | None:
    if options.research:
        return GoalStrategy.RESEARCH
    return GoalStrategy.SIMPLE if options.simple else None
