"""What becomes of input that is to wait for a busy thread? It begins, in order, as a turn of its own."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from daedal.protocol.catalogue import say
from daedal.protocol.errors import DaedalError, UsageError
from daedal.protocol.events import TurnCompleted, TurnTroubled
from daedal.protocol.ids import new_id
from daedal.protocol.records import TurnStatus
from daedal.protocol.service import Faces
from daedal.protocol.turns import Turn, TurnError, TurnStartParams

WAITING_MAX = 32
"""Per thread."""

Start = Callable[[TurnStartParams, str], Awaitable[Any]]


class Waiting:
    def __init__(self, start: Start, is_busy: Callable[[str], bool], faces: Faces) -> None:
        self._start = start
        self._is_busy = is_busy
        self._faces = faces
        self._lines: dict[str, deque[tuple[str, TurnStartParams]]] = {}
        self._starting: set[asyncio.Task[None]] = set()

    def add(self, params: TurnStartParams) -> Turn:
        """The turn that it will be. Raises UsageError where too many wait."""
        line = self._lines.setdefault(params.thread_id, deque())
        if len(line) >= WAITING_MAX:
            raise UsageError(say("engine.queue_full", count=len(line), id=params.thread_id))
        turn_id = new_id()
        line.append((turn_id, params))
        return Turn(id=turn_id, status=TurnStatus.IN_PROGRESS)

    def go_on(self, thread_id: str) -> None:
        """The thread is free: the next one in line begins."""
        if thread_id in self._lines:
            task = asyncio.create_task(self._begin(thread_id))
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)

    async def drop(self, thread_id: str, turn_id: str) -> bool:
        """Takes one out of the line; False where it is not in it."""
        line = self._lines.get(thread_id, deque())
        found = [entry for entry in line if entry[0] == turn_id]
        for entry in found:
            line.remove(entry)
            await self._never_begun(thread_id, turn_id)
        return bool(found)

    async def forget(self, thread_id: str) -> None:
        for turn_id, _ in self._lines.pop(thread_id, ()):
            await self._never_begun(thread_id, turn_id)

    async def close(self) -> None:
        for thread_id in list(self._lines):
            await self.forget(thread_id)

    async def _begin(self, thread_id: str) -> None:
        line = self._lines.get(thread_id)
        if not line:
            self._lines.pop(thread_id, None)
            return
        if self._is_busy(thread_id):
            return  # Somebody was quicker; the line goes on after that.
        turn_id, params = line.popleft()
        try:
            await self._start(params, turn_id)
        except DaedalError as trouble:
            error = TurnError(message=str(trouble), kind=trouble.kind)
            await self._faces.emit(
                thread_id, TurnTroubled(thread_id=thread_id, turn_id=turn_id, will_retry=False, error=error)
            )
            await self._never_begun(thread_id, turn_id, error)

    async def _never_begun(self, thread_id: str, turn_id: str, error: TurnError | None = None) -> None:
        status = TurnStatus.FAILED if error else TurnStatus.INTERRUPTED
        turn = Turn(id=turn_id, status=status, error=error)
        await self._faces.emit(thread_id, TurnCompleted(thread_id=thread_id, turn=turn))
