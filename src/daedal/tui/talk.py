"""How does the chat talk to the engine? One thread, one turn at a time, and a queue of what is said meanwhile."""

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from daedal.client import CallFailed, Client
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.item_pages import ItemListParams, ItemListResponse
from daedal.protocol.items import LocalImageInput, UserInput
from daedal.protocol.shelving import ThreadArchiveParams
from daedal.protocol.thread_settings import ThreadSettingsUpdateParams
from daedal.protocol.threads import (
    ThreadListParams,
    ThreadOptions,
    ThreadResumeParams,
    ThreadStartParams,
    ThreadStartResponse,
)
from daedal.protocol.turns import TurnInterruptParams, TurnStartParams
from daedal.tui.view import Notice, View

RECENT_MAX = 50
QUEUE_MAX = 100
SHOWN_ITEMS_MAX = 60
"""So much of an earlier session is printed when it is taken up; the viewer has it all."""
CHANGEABLE = ("model", "model_provider", "effort", "approval_policy", "permission_mode")
MODES = ("default", "acceptEdits", "plan")
"""In this order Shift+Tab goes through them."""


class Draft(Struct, frozen=True):
    """A prompt that was sent off but has not been heard yet."""

    text: str
    """As the person sees it."""
    said: str
    """With its pastes unfolded."""
    images: list[str] = []


class Talk:
    def __init__(self, view: View, start: ThreadStartParams) -> None:
        self._view = view
        self._start = start
        self.client: Client | None = None
        """None while there is nobody to talk to."""
        self.queue: list[Draft] = []
        self.is_stopping = False
        self.is_held = False
        """After an interruption the queue waits for the person to say how it goes on."""
        self._is_starting = False
        self._is_engaged = False
        """Something is done to the thread itself: what is said meanwhile is for the thread as it will be."""
        self.on_thread: Callable[[], None] = lambda: None
        """Told when the entries are those of another thread."""

    async def call(self, method: str, params: Any) -> Any:
        if self.client is None:
            raise ConnectionError(say("tui.not_connected"))
        return await self.client.call(method, params)

    async def open(self, thread_id: str | None) -> None:
        """A fresh thread, or a stored one (the first characters of its id will do)."""
        before = self._view.thread_id
        if thread_id is None:
            beside = replace(self._start, beside=before) if before else self._start
            self._view.open(await self.call("thread/start", beside))
            self.on_thread()
        elif before:
            started = await self._resume(thread_id, self.terms())
            self._view.open(started, await self._end_of(started.thread.id))
            self.on_thread()
        else:
            # What was said last is seen while the rest is loaded; what is typed meanwhile waits in the queue.
            self._view.recall(await self._end_of(thread_id))
            self._view.thread_id = thread_id
            self.on_thread()
            started = await self._resume(thread_id, self.options())
            if started.following is not None:
                self._view.recall(await self._end_of(thread_id))
            self._view.take(started)
        self._view.is_loading = False
        if self._view.following is not None:
            self._view.put(Notice(say("tui.following", pid=self._view.following.pid or "?"), "warn"))
        if before and before != self._view.thread_id:
            await self._let_go(before)

    async def _resume(self, thread_id: str, options: dict[str, Any]) -> ThreadStartResponse:
        params = ThreadResumeParams(thread_id=thread_id, exclude_turns=True, follow=True, **options)
        return await self.call("thread/resume", params)

    async def _end_of(self, thread_id: str) -> ItemListResponse:
        """The last items; the viewer asks for more."""
        return await self.call("thread/items/list", ItemListParams(thread_id=thread_id, limit=SHOWN_ITEMS_MAX))

    async def again(self) -> None:
        """The same thread with another server. What was shown stays."""
        params = ThreadResumeParams(thread_id=self._view.thread_id, exclude_turns=True, **self.options())
        await self.call("thread/resume", params)

    async def take_over(self) -> None:
        """Whoever drove the thread that is shown has let go of it. What was shown stays."""
        params = ThreadResumeParams(thread_id=self._view.thread_id, exclude_turns=True, follow=True, **self.terms())
        self._view.take(await self.call("thread/resume", params))

    def prefer(self, model: str) -> None:
        """Threads are started with this one from now on."""
        self._start = replace(self._start, model=model, model_provider=None)

    def options(self) -> dict[str, Any]:
        """What holds for a thread however it begins."""
        return {name: getattr(self._start, name) for name in ThreadOptions.__struct_fields__}

    def terms(self) -> dict[str, Any]:
        """The same without what can be changed while a thread lives: in one that is taken up that is its own."""
        return {name: value for name, value in self.options().items() if name not in CHANGEABLE}

    async def _let_go(self, thread_id: str) -> None:
        try:
            await self.call("thread/unsubscribe", ThreadArchiveParams(thread_id=thread_id))
        except CallFailed:
            return

    async def latest(self) -> str:
        """The folder's newest conversation. Raises UsageError where there is none."""
        folder = os.path.realpath(self._start.cwd or os.getcwd())
        answer = await self.call("thread/list", ThreadListParams(limit=RECENT_MAX, cwd=folder))
        for thread in answer.data:
            if thread.model_provider and thread.preview and thread.parent_thread_id is None:
                return thread.id
        raise UsageError(say("tui.nothing_to_continue", folder=folder))

    def put(self, draft: Draft) -> bool:
        """Said, or queued while something else goes on; False where the queue is full."""
        if len(self.queue) >= QUEUE_MAX:
            return False
        self.queue.append(draft)
        self.is_held = False
        return True

    @property
    def is_free(self) -> bool:
        """Whether the next one of the queue can be said now."""
        ready = self.client is not None and bool(self._view.thread_id) and not self._view.is_loading
        ready = ready and self._view.following is None and not self._is_engaged
        return bool(self.queue) and ready and not self.is_held and not self._view.is_working and not self._is_starting

    @property
    def is_busy(self) -> bool:
        """Whether what is said now has to wait for what was said before."""
        is_active = self._view.is_working or self._is_starting or self._is_engaged
        return is_active or (bool(self.queue) and not self.is_held)

    @contextmanager
    def engaged(self) -> Generator[None]:
        """While the thread is changed, or another one is opened. Afterwards the queue may have to go on."""
        was_engaged, self._is_engaged = self._is_engaged, True
        try:
            yield
        finally:
            self._is_engaged = was_engaged

    async def say_next(self) -> None:
        """Raises CallFailed, and then the prompt is the first of the queue again, which is held."""
        draft = self.queue.pop(0)
        self._is_starting = True
        try:
            given = [UserInput(draft.said), *(LocalImageInput(path=path) for path in draft.images)]
            params = TurnStartParams(thread_id=self._view.thread_id, input=given, may_become_goal=True)
            started = await self.call("turn/start", params)
            self._view.begin(started.turn.id)
        except (CallFailed, ConnectionError):
            self.queue.insert(0, draft)
            self.is_held = True
            raise
        finally:
            self._is_starting = False

    async def interrupt(self) -> None:
        view = self._view
        if not view.turn_id or self.is_stopping or view.following is not None:
            return
        self.is_stopping, self.is_held = True, bool(self.queue)
        try:
            await self.call("turn/interrupt", TurnInterruptParams(thread_id=view.thread_id, turn_id=view.turn_id))
        except (CallFailed, ConnectionError):
            self.is_stopping = False  # It ended by itself in the same moment.

    def turn_ended(self) -> None:
        self.is_stopping = False

    async def next_mode(self) -> None:
        mode = self._view.mode
        wanted = MODES[(MODES.index(mode) + 1) % len(MODES)] if mode in MODES else MODES[0]
        params = ThreadSettingsUpdateParams(thread_id=self._view.thread_id, permission_mode=wanted)
        self._view.settings((await self.call("thread/settings/update", params)).thread_settings)
