"""Which methods are there about a thread's context? What folds it, and what shows how full it is."""

from collections.abc import Awaitable, Callable
from typing import Any

from daedal.protocol.abilities import Compacting
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.folding import ContextReadParams, ContextReadResponse, ThreadCompactParams
from daedal.protocol.service import Engine
from daedal.protocol.wire import Nothing


async def _compact(engine: Engine, params: ThreadCompactParams) -> Nothing:
    await _compacting(engine, "thread/compact/start").compact_thread(params)
    return Nothing()


async def _context(engine: Engine, params: ContextReadParams) -> ContextReadResponse:
    return await _compacting(engine, "thread/context/read").read_context(params)


def _compacting(engine: Engine, what: str) -> Compacting:
    if isinstance(engine, Compacting):
        return engine
    raise UsageError(say("server.engine_cannot", what=what))


FOLD_METHODS: dict[str, tuple[type[Any], Callable[[Engine, Any], Awaitable[Any]]]] = {
    "thread/compact/start": (ThreadCompactParams, _compact),
    "thread/context/read": (ContextReadParams, _context),
}
