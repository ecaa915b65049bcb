"""How long may a server take? Until its clock runs out, which stands still while a person reads a question of it."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager

from daedal.mcp.elicitation import Asked, Elicit, Replied

QUESTIONS_MAX = 8
"""Of one server at a time; whatever it asks beyond is declined."""


class Clocks:
    """Those of all calls that wait for one server."""

    def __init__(self) -> None:
        self._running: set[asyncio.Timeout] = set()

    @asynccontextmanager
    async def running(self, seconds: float) -> AsyncGenerator[None]:
        """Raises TimeoutError when it has run out."""
        clock = asyncio.timeout(seconds)
        try:
            async with clock:
                self._running.add(clock)
                yield
        finally:
            self._running.discard(clock)

    @contextmanager
    def stopped(self) -> Generator[None]:
        loop = asyncio.get_running_loop()
        began = loop.time()
        held = {clock: when for clock in self._running if (when := clock.when()) is not None}
        for clock in held:
            clock.reschedule(None)
        try:
            yield
        finally:
            for clock, when in held.items():
                if clock in self._running:
                    clock.reschedule(when + loop.time() - began)


class Questions:
    """What a server asks the person, one after another."""

    def __init__(self, elicit: Elicit, clocks: Clocks) -> None:
        self._elicit = elicit
        self._clocks = clocks
        self._count = 0
        self._turn = asyncio.Lock()
        """A person reads one question at a time."""

    async def ask(self, asked: Asked) -> Replied:
        if self._count >= QUESTIONS_MAX:
            return Replied(action="decline")
        self._count += 1
        try:
            with self._clocks.stopped():
                async with self._turn:
                    return await self._elicit(asked)
        finally:
            self._count -= 1
