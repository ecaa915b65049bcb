"""How does a thread keep at work towards its goal? Told that a turn is over, it judges, reports and goes on.

The record has everything that it needs: killed anywhere, another pilot goes on where this one was.
"""

import asyncio
from collections.abc import Callable

from daedal.autopilot.guidance import CONTINUE
from daedal.autopilot.judging import judge, wants_check
from daedal.client import CallFailed, Client
from daedal.protocol.catalogue import say
from daedal.protocol.goal_calls import (
    DueTurn,
    GoalGetParams,
    GoalGetResponse,
    GoalOrigin,
    GoalReportParams,
    GoalSetParams,
    GoalSetResponse,
)
from daedal.protocol.goals import GoalStatus, ThreadGoal
from daedal.protocol.items import UserInput
from daedal.protocol.records import TurnStatus
from daedal.protocol.turns import TurnContinueParams, TurnStartParams

DRIVER = "goal"


class Pilot:
    """Drives any number of threads, each by a task of its own. Owns its client."""

    def __init__(self, client: Client, *, warn: Callable[[str], None]) -> None:
        self._client = client
        self._warn = warn
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()

    def due(self, thread_id: str) -> None:
        if thread_id in self._tasks:
            self._again.add(thread_id)
        else:
            self._tasks[thread_id] = asyncio.create_task(self._follow(thread_id))

    async def close(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        await self._client.close()

    async def _follow(self, thread_id: str) -> None:
        try:
            while True:
                self._again.discard(thread_id)
                await self._step(thread_id)
                if thread_id not in self._again:
                    return
        except CallFailed as trouble:
            await self._give_up(thread_id, str(trouble))
        except ConnectionError:
            return  # The engine is gone, and the record has all of it.
        except Exception as trouble:  # the top of a task: a goal that nobody drives any more must not look active
            await self._give_up(thread_id, f"{type(trouble).__name__}: {trouble}")
        finally:
            del self._tasks[thread_id]

    async def _step(self, thread_id: str) -> None:
        """One decision about what is due."""
        got: GoalGetResponse = await self._client.call("thread/goal/get", GoalGetParams(thread_id=thread_id))
        goal, due = got.goal, got.due
        if goal is None or not goal.is_active:
            return
        if due is None:
            await self._start(thread_id, CONTINUE if got.is_begun else goal.objective, is_literal=got.is_begun)
        elif due.status in (TurnStatus.IN_PROGRESS, TurnStatus.INTERRUPTED):
            await self._client.call("turn/continue", TurnContinueParams(thread_id=thread_id))
        else:
            await self._judge(goal, due)

    async def _judge(self, goal: ThreadGoal, due: DueTurn) -> None:
        thread_id, check = goal.thread_id, None
        if wants_check(goal, due):
            check = (await self._client.call("thread/goal/check", GoalGetParams(thread_id=thread_id))).check
        verdict = judge(goal, due, check)
        report = GoalReportParams(
            thread_id=thread_id,
            turn_id=due.turn_id,
            status=verdict.status,
            stopped_by=verdict.stopped_by,
            reason=verdict.reason,
            blocked=verdict.blocked,
            continues=bool(verdict.prompt),
        )
        answer: GoalSetResponse = await self._client.call("thread/goal/report", report)
        if answer.goal.state_dir is not None:
            await self._note(answer.goal, due)
        if verdict.prompt and answer.goal.is_active:
            await self._start(thread_id, verdict.prompt, is_literal=True)

    async def _start(self, thread_id: str, prompt: str, *, is_literal: bool) -> None:
        """`is_literal`: our own words and a command's output, in which nothing is a command or a reference."""
        start = TurnStartParams(thread_id=thread_id, input=[UserInput(prompt, is_literal=is_literal)], driver=DRIVER)
        await self._client.call("turn/start", start)

    async def _note(self, goal: ThreadGoal, due: DueTurn) -> None:
        from daedal.autopilot.research import ResearchState

        state = ResearchState(goal.state_dir or "")
        try:
            await asyncio.to_thread(state.note, goal, due.turn_id, due.said)
        except OSError as error:
            self._warn(say("autopilot.state_unwritable", path=goal.state_dir, why=error.strerror or error))

    async def _give_up(self, thread_id: str, why: str) -> None:
        """Something was refused. Whoever works in the thread meanwhile has the say; else the goal waits."""
        try:
            got: GoalGetResponse = await self._client.call("thread/goal/get", GoalGetParams(thread_id=thread_id))
            if got.goal is None or not got.goal.is_active or got.is_busy:
                return
            stop = GoalSetParams(thread_id=thread_id, status=GoalStatus.PAUSED, origin=GoalOrigin.AUTOMATIC, reason=why)
            await self._client.call("thread/goal/set", stop)
            self._warn(say("autopilot.trouble", why=why))
        except (CallFailed, ConnectionError):
            return  # The thread was let go.
