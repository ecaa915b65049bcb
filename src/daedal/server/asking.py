"""Who answers when the engine asks? Every client of the thread is asked; the first answer counts, and all learn of it.

A client that leaves has not answered: the question waits for it to come back, or for another one, until the engine's
own deadline. A client that says it cannot answer is not waited for.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from daedal.protocol.wire import Response

Answer = TypeVar("Answer")


class Asked(Protocol):
    """A client that can be asked."""

    @property
    def is_ours(self) -> bool:
        """It knows the requests that only Daedal makes."""
        ...

    def put(self, question: "Question[Any]", method: str, params: Any) -> int:
        """Sends the request, and gives its number."""
        ...

    def withdraw(self, number: int, thread_id: str) -> None:
        """Tells the client that its answer is not waited for any more."""
        ...


class Question(Generic[Answer]):
    """One question, put to each client in words that it understands."""

    def __init__(
        self,
        thread_id: str,
        *,
        words: Callable[[Any], tuple[str, Any]],
        read: Callable[[Any], Answer | None],
    ) -> None:
        self.thread_id = thread_id
        self._words = words
        self._read = read
        self._asked: dict[Asked, int] = {}
        self._unable: set[Asked] = set()
        self._answer: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()

    def put(self, client: Asked) -> None:
        if not self._answer.done() and client not in self._asked:
            self._asked[client] = client.put(self, *self._words(client))

    async def answer(self) -> Answer | None:
        """Waits for it. Whatever ends that, every client that was asked learns that it is over."""
        try:
            return await self._answer
        finally:
            asked, self._asked = self._asked, {}
            for client, number in asked.items():
                client.withdraw(number, self.thread_id)

    def settle(self, client: Asked, response: Response) -> None:
        """None is the answer only when everybody who was asked has said that they cannot give one."""
        said = self._read(response.result) if response.error is None else None
        if said is None:
            self._unable.add(client)
        if not self._answer.done() and (said is not None or self._unable.issuperset(self._asked)):
            self._answer.set_result(said)

    def left(self, client: Asked) -> None:
        self._asked.pop(client, None)
        self._unable.discard(client)
