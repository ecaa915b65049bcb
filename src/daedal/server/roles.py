"""What do a client's connection, its methods and the switchboard know of each other? No more than this."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Protocol

from daedal.protocol.events import Event
from daedal.protocol.turns import Turn
from daedal.server.asking import Asked
from daedal.server.channels import Channel


class Board(Protocol):
    """Where all clients and all threads meet."""

    @property
    def stream(self) -> str: ...

    async def emit(self, thread_id: str, event: Event) -> None: ...

    def announce(self, event: Event) -> None: ...

    def channel(self, thread_id: str) -> Channel: ...

    def running(self, thread_id: str) -> Turn | None:
        """Its turn that runs, as it is now."""
        ...

    def listen(self, remote: Any, thread_id: str) -> None: ...

    def unlisten(self, remote: Any, thread_id: str) -> bool: ...

    def expect_review(self, turn_id: str) -> None: ...


class Caller(Asked, Protocol):
    """The client on whose behalf a method is called."""

    @property
    def board(self) -> Board: ...

    def owned(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """What goes on after its request was answered."""
        ...
