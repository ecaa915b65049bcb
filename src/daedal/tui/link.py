"""How does the chat stay in touch with an engine? It connects, hears, answers what it is asked, and comes back."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any

from daedal.client import CallFailed
from daedal.protocol.catalogue import say
from daedal.protocol.errors import DaedalError
from daedal.protocol.events import RequestResolved
from daedal.protocol.turns import ErrorKind
from daedal.protocol.wire import Notification, Request
from daedal.tui.advice import for_chat
from daedal.tui.face import Face
from daedal.tui.stage import Stage
from daedal.tui.talk import Talk
from daedal.tui.view import Notice
from daedal.tui.wanting import Wanted, wanted_thread

LAST_WORD_S = 5.0
"""How long the engine may take to end what it does when the chat is left."""


class Link:
    def __init__(
        self, face: Face, talk: Talk, stage: Stage, *, on_event: Callable[[Notification], None], wanted: Wanted
    ) -> None:
        self._face = face
        self._talk = talk
        self._stage = stage
        self._on_event = on_event
        self._wanted = wanted
        self._house = AsyncExitStack()
        self._asked: dict[int | str, asyncio.Task[Any]] = {}
        self._until: dict[int | str, int] = {}
        """When each counts as declined, in milliseconds since the epoch; 0 where nothing says so."""
        self._one_card = asyncio.Lock()
        """One question after the other: a card may ask further ones."""
        self._is_closing = False
        self._had_thread = False

    async def connect(self) -> bool:
        """Whether there is a thread to talk in now. Raises CallFailed, DaedalError or OSError for the first time."""
        while True:
            try:
                await self._enter()
                break
            except (CallFailed, DaedalError, OSError) as trouble:
                self._talk.client = None
                if self._had_thread:
                    self._face.tell(Notice(str(trouble), "bad"))
                    self._face.work(self._offer_reconnect())
                    return False
                is_obstacle = isinstance(trouble, CallFailed) and trouble.kind is ErrorKind.CONFIGURATION
                if not is_obstacle or not await self._clear_away(str(trouble)):
                    raise
        self._had_thread = True
        self._face.work(self._watch())
        return True

    async def _enter(self) -> None:
        entering = self._face.outside.connect(
            on_event=self._hear,
            on_request=self._answer,
            on_warning=lambda sentence: self._face.tell(Notice(for_chat(sentence), "warn")),
        )
        self._talk.client = await self._house.enter_async_context(entering)
        if self._had_thread:
            await self._talk.again()
        else:
            await self._talk.open(await wanted_thread(self._talk, self._wanted, self._face))

    async def _clear_away(self, obstacle: str) -> bool:
        """No key, an unknown model: the person is helped on without having to start again. False where they leave."""
        from daedal.tui.cards.obstacle import settled

        house, self._house = self._house, AsyncExitStack()
        await house.aclose()
        return await settled(self._face, self._talk, obstacle)

    async def _watch(self) -> None:
        """Notices when the server goes away under us."""
        client = self._talk.client
        assert client is not None
        await client.closed()
        if self._is_closing:
            return
        self._talk.client = None
        self._face.view.cut_off()
        self._stage.drop()
        self._face.tell(Notice(say("tui.server_gone"), "bad"))
        await self._offer_reconnect()

    async def _offer_reconnect(self) -> None:
        from daedal.tui.cards.reconnect import wants_to

        house, self._house = self._house, AsyncExitStack()
        await house.aclose()
        while await wants_to(self._face):
            if await self.connect():
                self._face.tell(Notice(say("tui.reconnected")))
                return

    def _hear(self, notification: Notification) -> None:
        self._on_event(notification)
        event = notification.params
        if isinstance(event, RequestResolved) and event.request_id in self._asked:
            self._take_down(event.request_id)

    def _take_down(self, request_id: int | str) -> None:
        """What we were asked is settled without us."""
        task = self._asked[request_id]
        if task.done():
            return
        task.cancel()
        if not self._talk.is_stopping and not self._is_closing:
            is_late = self._until.get(request_id, 0) and time.time() * 1000 >= self._until[request_id]
            self._face.tell(Notice(say("tui.asked_too_late" if is_late else "tui.asked_elsewhere"), "warn"))

    async def _answer(self, request: Request) -> Any:
        from daedal.tui.cards import answer

        task = asyncio.create_task(self._in_turn(answer(self._face, request)))
        self._asked[request.id] = task
        self._until[request.id] = getattr(request.params, "deadline_ms", 0)
        self._face.view.asked = len(self._asked)
        self._face.redraw()
        try:
            await asyncio.wait([task])
            return None if task.cancelled() else task.result()
        finally:
            task.cancel()
            del self._asked[request.id], self._until[request.id]
            self._face.view.asked = len(self._asked)
            self._face.redraw()

    async def _in_turn(self, answering: Coroutine[Any, Any, Any]) -> Any:
        try:
            async with self._one_card:
                return await answering
        finally:
            answering.close()

    async def close(self) -> None:
        """Turns that run here are ended, and everything is on the record."""
        self._is_closing = True
        for task in self._asked.values():
            task.cancel()
        try:
            async with asyncio.timeout(LAST_WORD_S):
                await self._house.aclose()
        except TimeoutError:
            return  # What is on the record is whole at every instant.
