"""How does a sub-agent go on while the turn does other things? As a task that has its report to give at the end."""

import asyncio
import os
from collections.abc import Coroutine
from typing import Any

from daedal.protocol.seams import Outcome
from daedal.tools.errors import INTERNAL, Refused
from daedal.tools.tasks import TaskStatus

KIND = "local_agent"


class AgentTask:
    """Owns the sub-agent's work. The thread that is let go ends it."""

    def __init__(self, description: str, work: Coroutine[Any, Any, Outcome]) -> None:
        self.id = f"agent_{os.urandom(4).hex()}"
        self.kind = KIND
        self.description = description
        self.exit_code: int | None = None
        self._work = asyncio.create_task(_settled(work))
        self._is_told = False

    @property
    def status(self) -> TaskStatus:
        if not self._work.done():
            return TaskStatus.RUNNING
        if self._work.cancelled():
            return TaskStatus.KILLED
        return TaskStatus.FAILED if self._work.result().is_error else TaskStatus.COMPLETED

    def output(self) -> str:
        if self._is_told or not self._work.done() or self._work.cancelled():
            return ""
        self._is_told = True
        return self._work.result().content

    async def wait(self) -> None:
        await asyncio.wait([self._work])

    async def stop(self) -> None:
        self._work.cancel()
        await asyncio.wait([self._work])

    async def close(self) -> None:
        await self.stop()


async def _settled(work: Coroutine[Any, Any, Outcome]) -> Outcome:
    """Nobody is there who could catch what goes wrong; whoever asks for the report hears of it."""
    try:
        return await work
    except Refused as refusal:
        return Outcome(content=str(refusal), is_error=True)
    except Exception as error:  # the top of a task: its end is told, whatever it was
        return Outcome(content=f"{INTERNAL}the agent failed: {type(error).__name__}: {error}", is_error=True)
