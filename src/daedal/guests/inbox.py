"""What has come from a guest that nobody has looked at yet? Kept in order, and never more than memory allows."""

import asyncio
from collections import deque
from typing import Any

PENDING_MAX = 50_000
GONE = "gone"
"""The method of the last message there is: the guest has ended."""

Message = dict[str, Any]


class Inbox:
    def __init__(self) -> None:
        self._messages: deque[Message] = deque()
        self._news = asyncio.Event()

    def put(self, message: Message) -> None:
        if len(self._messages) >= PENDING_MAX:
            self._messages.clear()
            message = departure("it sent more than anybody could read")
        self._messages.append(message)
        self._news.set()

    def put_back(self, message: Message) -> None:
        self._messages.appendleft(message)

    def take_out(self, *methods: str) -> list[Message]:
        """Those of the methods, out of their turn."""
        found = [message for message in self._messages if message["method"] in methods]
        self._messages = deque(message for message in self._messages if message["method"] not in methods)
        return found

    def clear(self) -> None:
        self._messages.clear()

    async def next(self, timeout_s: float | None = None) -> Message | None:
        """None when nothing came in time."""
        try:
            async with asyncio.timeout(timeout_s):
                while not self._messages:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            return None
        return self._messages.popleft()


def departure(why: str) -> Message:
    return {"method": GONE, "params": {"why": why}}
