"""Who keeps threads at work towards their goals? The autopilot, a client of the engine, loaded with the first goal."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from daedal.client import Client, pair
from daedal.protocol.service import Engine
from daedal.server import Hub

if TYPE_CHECKING:
    from daedal.autopilot import Pilot
    from daedal.protocol.goals import GoalStrategy, ThreadGoal


class Piloting:
    def __init__(self, engine: Callable[[], Engine], warn: Callable[[str], None]) -> None:
        self._engine = engine
        self._warn = warn
        self._pilot: Pilot | None = None
        self._serving: asyncio.Task[None] | None = None
        self._is_closed = False

    def due(self, thread_id: str) -> None:
        if self._is_closed:
            return
        if self._pilot is None:
            from daedal.autopilot import Pilot

            near, far = pair()
            # A server of its own: it asks and answers, but is nobody to whom events or approvals would go.
            self._serving = Hub().serving(self._engine(), far)
            self._pilot = Pilot(Client(near, on_event=lambda _: None), warn=self._warn)
        self._pilot.due(thread_id)

    def strategy_for(self, objective: str) -> "GoalStrategy":
        from daedal.autopilot import strategy_for

        return strategy_for(objective)

    def is_worth_a_goal(self, prompt: str) -> bool:
        from daedal.autopilot import is_worth_a_goal

        return is_worth_a_goal(prompt)

    def begin(self, goal: "ThreadGoal", workspace: str) -> str | None:
        from daedal.autopilot import begin

        return begin(goal, workspace)

    def words(self, goal: "ThreadGoal") -> str:
        from daedal.autopilot import words

        return words(goal)

    async def close(self) -> None:
        self._is_closed = True
        if self._pilot is not None:
            await self._pilot.close()
        if self._serving is not None:
            self._serving.cancel()
            await asyncio.wait([self._serving])
