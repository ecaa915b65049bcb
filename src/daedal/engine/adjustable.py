"""How are threads held in memory, and how do their settings change while turns of theirs come and go?

A turn that is being opened and a change of settings wait for each other: neither sees half of the other.
"""

import asyncio
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from daedal.engine.thread import LoadedThread
from daedal.engine.turn import RunningTurn
from daedal.engine.world import World
from daedal.protocol.catalogue import say
from daedal.protocol.errors import LedgerError, UsageError
from daedal.protocol.turns import Wishes

if TYPE_CHECKING:
    from daedal.protocol.thread_settings import ThreadSettingsUpdateParams, ThreadSettingsUpdateResponse


class Running(Struct, frozen=True):
    """The one thing that a thread is busy with."""

    turn_id: str
    task: asyncio.Task[Any]
    turn: RunningTurn | None = None
    """None where it is a call by hand."""


class Adjustable(ABC):
    def __init__(self, world: World) -> None:
        self._world = world
        self._threads: dict[str, LoadedThread] = {}
        self._busy: set[str] = set()
        """Threads with a turn that runs or is about to; entered before the first wait, so that no second one begins."""
        self._running: dict[str, Running] = {}
        self._opening: set[str] = set()
        """Threads whose settings cannot change right now, because a turn of theirs is being opened."""

    async def update_settings(self, params: "ThreadSettingsUpdateParams") -> "ThreadSettingsUpdateResponse":
        from daedal.engine.views import settings_of
        from daedal.protocol.thread_settings import ThreadSettingsUpdateResponse

        thread = self._threads.get(params.thread_id)
        if thread is None:
            raise UsageError(say("engine.thread_not_loaded", id=params.thread_id))
        try:
            async with thread.adjusting:
                await self._adjust(thread, params)
                return ThreadSettingsUpdateResponse(thread_settings=settings_of(thread))
        except LedgerError:
            if thread.id not in self._busy:
                await self._let_go(thread)  # Memory and record may disagree now.
            raise

    async def _adjust(self, thread: LoadedThread, wishes: Wishes) -> None:
        """Whoever calls this holds `thread.adjusting`."""
        if all(getattr(wishes, name) in (None, False) for name in Wishes.__struct_fields__):
            return
        from daedal.engine.adjusting import adjust

        await adjust(self._world, thread, wishes, is_running=thread.id in self._running)

    def _is_open(self, thread: LoadedThread) -> None:
        """Its turn is on the record and runs, or will not: settings may change again."""
        if thread.id in self._opening:
            self._opening.discard(thread.id)
            thread.adjusting.release()

    async def _caught_up(self, thread: LoadedThread) -> None:
        """What was changed in the middle of a turn and could not take hold there. Needs `thread.adjusting`."""
        if thread.successor is not None or thread.noted or thread.retired:
            from daedal.engine.adjusting import catch_up

            await catch_up(self._world, thread)

    @abstractmethod
    async def _let_go(self, thread: LoadedThread) -> None:
        """Gives up the right to drive it."""


async def stop(task: asyncio.Task[Any]) -> None:
    task.cancel()
    await asyncio.wait([task])
