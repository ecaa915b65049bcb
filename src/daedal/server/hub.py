"""Who is told what happens in a thread, and who is asked? Every client hears; the first that can answers.

The engine knows the hub as its `Faces`. Sequence numbers are given here, one count per thread, so that all clients
see the same ones.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from daedal.protocol.approvals import ApprovalAnswer, ApprovalRequest
from daedal.protocol.events import METHODS, Event
from daedal.protocol.inquiries import InputAnswer, InputRequest
from daedal.protocol.service import Engine, Transport
from daedal.protocol.wire import Notification
from daedal.server.connection import Connection

Answer = TypeVar("Answer")


class Hub:
    def __init__(self) -> None:
        self._connections: list[Connection] = []
        self._sequences: dict[str, int] = {}

    async def emit(self, thread_id: str, event: Event) -> None:
        sequence = self._sequences.get(thread_id, 0) + 1
        self._sequences[thread_id] = sequence
        notification = Notification(
            method=METHODS[type(event)], params=event, emitted_at_ms=int(time.time() * 1000), sequence=sequence
        )
        for connection in list(self._connections):
            try:
                await connection.notify(notification)
            except ConnectionError:
                continue  # It left while we spoke; `serve` is about to forget it.

    def wants(self, thread_id: str, event: type[Event]) -> bool:  # noqa: ARG002 - here everybody hears every thread
        return any(connection.wants(METHODS[event]) for connection in self._connections)

    async def ask(self, request: ApprovalRequest) -> ApprovalAnswer | None:
        return await self._first(lambda connection: connection.ask(request))

    async def inquire(self, request: InputRequest) -> InputAnswer | None:
        return await self._first(lambda connection: connection.inquire(request))

    async def _first(self, ask: Callable[[Connection], Awaitable[Answer | None]]) -> Answer | None:
        """The answer of the first client that has one."""
        for connection in list(self._connections):
            try:
                answer = await ask(connection)
            except ConnectionError:
                continue
            if answer is not None:
                return answer
        return None

    async def serve(self, engine: Engine, transport: Transport) -> None:
        """Serves one client until it leaves."""
        connection = Connection(engine, transport)
        self._connections.append(connection)
        try:
            await connection.run()
        finally:
            self._connections.remove(connection)

    def serving(self, engine: Engine, transport: Transport) -> "asyncio.Task[None]":
        """The same as a task, owned by the caller."""
        return asyncio.create_task(self.serve(engine, transport))
