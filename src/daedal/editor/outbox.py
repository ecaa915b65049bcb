"""In which order does an editor hear things, and how far may it fall behind? One line of updates for all sessions.

Whoever has something to say puts it here and does not wait. Words that wait behind one another become one update. An
editor that reads nothing is given up, instead of memory growing without end.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from acp.helpers import update_agent_message_text, update_agent_thought_text, update_user_message_text

from daedal.protocol.catalogue import say

WAITING_MAX = 16 * 1024 * 1024
"""Characters, about."""
ENVELOPE = 200
"""What an update takes beside its text."""

Voice = Literal["agent", "thought", "user"]
SPEAKING = {"agent": update_agent_message_text, "thought": update_agent_thought_text, "user": update_user_message_text}


class _Words:
    """A message that may still grow while it waits."""

    def __init__(self, session_id: str, voice: Voice, message_id: str | None) -> None:
        self.session_id = session_id
        self.key = (session_id, voice, message_id)
        self.pieces: list[str] = []
        self.size = ENVELOPE

    @property
    def update(self) -> Any:
        _, voice, message_id = self.key
        update = SPEAKING[voice]("".join(self.pieces))
        update.message_id = message_id
        return update


class _Update:
    def __init__(self, session_id: str, update: Any, key: str) -> None:
        self.session_id = session_id
        self.update = update
        self.key = key
        self.size = len(update.model_dump_json())


class Outbox:
    def __init__(self, *, give_up: Callable[[str], None]) -> None:
        """`give_up` is called once, with a sentence, when too much waits."""
        self._give_up = give_up
        self._waiting: deque[_Words | _Update | asyncio.Future[None]] = deque()
        self._size = 0
        self._is_given_up = False
        self._news = asyncio.Event()
        self._replaceable: dict[str, _Update] = {}
        """By key, of those that wait."""

    def put(self, session_id: str, update: Any, *, key: str = "") -> None:
        """With a key it takes the place of one with the same key that still waits."""
        entry = _Update(session_id, update, key)
        waiting = self._replaceable.get(key)
        if waiting is not None:
            grown = entry.size - waiting.size
            waiting.update, waiting.size = update, entry.size
            self._grow(grown)
            return
        if key:
            self._replaceable[key] = entry
        self._add(entry)

    def say(self, session_id: str, voice: Voice, text: str, message_id: str | None = None) -> None:
        """Some more words of a message."""
        if not text:
            return
        last = self._waiting[-1] if self._waiting else None
        if not isinstance(last, _Words) or last.key != (session_id, voice, message_id):
            last = _Words(session_id, voice, message_id)
            self._add(last)
        last.pieces.append(text)
        last.size += len(text)
        self._grow(len(text))

    async def heard(self) -> None:
        """Returns when everything that was put before has been sent."""
        mark: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._add(mark)
        await mark

    async def eased(self) -> None:
        """For whoever has a lot to say at once: waits while an editor that does read is far behind."""
        if self._size > WAITING_MAX // 2:
            await self.heard()

    async def run(self, send: Callable[[str, Any], Awaitable[None]]) -> None:
        """Sends until it is cancelled."""
        while True:
            while not self._waiting:
                self._news.clear()
                await self._news.wait()
            entry = self._waiting.popleft()
            if isinstance(entry, asyncio.Future):
                if not entry.done():
                    entry.set_result(None)
                continue
            self._size -= entry.size
            if isinstance(entry, _Update):
                self._replaceable.pop(entry.key, None)
            await send(entry.session_id, entry.update)

    def _add(self, entry: "_Words | _Update | asyncio.Future[None]") -> None:
        if not self._is_given_up:
            self._waiting.append(entry)
            self._news.set()
            self._grow(0 if isinstance(entry, asyncio.Future) else entry.size)
        elif isinstance(entry, asyncio.Future):
            entry.set_result(None)

    def _grow(self, size: int) -> None:
        self._size += size
        if self._size <= WAITING_MAX or self._is_given_up:
            return
        self._is_given_up = True
        for entry in self._waiting:
            if isinstance(entry, asyncio.Future) and not entry.done():
                entry.set_result(None)
        self._waiting.clear()
        self._replaceable.clear()
        self._give_up(say("editor.slow", limit=WAITING_MAX // 1024**2))
