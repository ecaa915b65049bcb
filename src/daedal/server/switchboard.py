"""Who is told what happens in a thread, and who is asked, when clients come from outside? Those who listen to it.

The engine knows the switchboard as its `Faces`. A client hears the threads that it started, resumed or forked, and of
all others only that they began. It may leave and come back: the engine does not wait for it, and what it missed is
told then.
"""

import time
from collections.abc import Callable
from typing import Any, TypeVar

from daedal.protocol.abilities import Lookups, Wire
from daedal.protocol.approvals import ApprovalAnswer, ApprovalRequest
from daedal.protocol.events import (
    METHODS,
    Event,
    ItemCompleted,
    ItemStarted,
    ThreadStarted,
    ThreadStatusChanged,
    TurnCompleted,
)
from daedal.protocol.ids import new_id
from daedal.protocol.inquiries import INQUIRY_METHOD, InputAnswer, InputRequest
from daedal.protocol.items import AgentMessage, ReviewExited
from daedal.protocol.service import Engine
from daedal.protocol.threads import ThreadStatus
from daedal.protocol.turns import Turn
from daedal.server.asking import Question
from daedal.server.channels import Channel
from daedal.server.dialect import approval_answer, approval_words, input_answer
from daedal.server.patches import Patches
from daedal.server.remote import Remote

Answer = TypeVar("Answer")


class Switchboard:
    def __init__(self) -> None:
        self.stream = new_id()
        """Names this process's numbering of events."""
        self._remotes: dict[Remote, None] = {}
        self._channels: dict[str, Channel] = {}
        self._questions: dict[Question[Any], None] = {}
        self._patches = Patches()
        self._reviews: dict[str, str] = {}
        """Turns that are reviews, each with the last words of its model."""

    async def emit(self, thread_id: str, event: Event) -> None:
        if self._reviews:
            await self._follow_review(thread_id, event)
        channel = self._channel_for(thread_id, event)
        notification = channel.number(event)
        channel.note(event, notification)
        # Every client learns that a thread began, since it may want to listen.
        for remote in self._remotes if isinstance(event, ThreadStarted) else channel.audience():
            remote.notify(notification)
        if (patch := self._patches.after(event)) is not None:
            await self.emit(thread_id, patch)
        if channel.parent is not None and isinstance(event, TurnCompleted):
            del self._channels[thread_id]  # A sub-agent has one turn.

    def wants(self, thread_id: str, event: type[Event]) -> bool:
        return any(remote.wants(METHODS[event]) for remote in self.channel(thread_id).audience())

    def expect_review(self, turn_id: str) -> None:
        """What the model of this turn says last is the review."""
        self._reviews[turn_id] = ""

    async def _follow_review(self, thread_id: str, event: Event) -> None:
        match event:
            case ItemCompleted(turn_id=turn_id, item=AgentMessage(text=text)) if turn_id in self._reviews:
                self._reviews[turn_id] = text
            case TurnCompleted(turn=turn) if turn.id in self._reviews:
                item = ReviewExited(id=new_id(), review=self._reviews.pop(turn.id))
                at: dict[str, Any] = {"thread_id": thread_id, "turn_id": turn.id, "item": item}
                now = int(time.time() * 1000)
                await self.emit(thread_id, ItemStarted(**at, started_at_ms=now))
                await self.emit(thread_id, ItemCompleted(**at, completed_at_ms=now))
            case _:
                pass

    def announce(self, event: Event) -> None:
        """To every client, outside of any thread's numbering."""
        for remote in self._remotes:
            remote.tell(event)

    async def ask(self, request: ApprovalRequest) -> ApprovalAnswer | None:
        return await self._ask(
            request.thread_id,
            "waitingOnApproval",
            lambda remote: approval_words(request, is_ours=remote.is_ours),
            approval_answer,
        )

    async def inquire(self, request: InputRequest) -> InputAnswer | None:
        words = (INQUIRY_METHOD, request)
        return await self._ask(request.thread_id, "waitingOnUserInput", lambda _: words, input_answer)

    async def _ask(
        self,
        thread_id: str,
        flag: str,
        words: Callable[[Remote], tuple[str, Any]],
        read: Callable[[Any], Answer | None],
    ) -> Answer | None:
        question = Question(thread_id, words=words, read=read)
        self._questions[question] = None
        try:
            await self._flag(thread_id, [flag])
            for remote in self.channel(thread_id).audience():
                question.put(remote)
            return await question.answer()
        finally:
            del self._questions[question]
            await self._flag(thread_id, [])

    async def _flag(self, thread_id: str, flags: list[str]) -> None:
        status = ThreadStatus("active", flags)
        await self.emit(thread_id, ThreadStatusChanged(thread_id=thread_id, status=status))

    def channel(self, thread_id: str) -> Channel:
        channel = self._channels.get(thread_id)
        if channel is None:
            channel = self._channels[thread_id] = Channel(thread_id)
        return channel

    def running(self, thread_id: str) -> Turn | None:
        """None too for a thread of which nothing was ever heard: looking at one leaves nothing behind."""
        channel = self._channels.get(thread_id)
        return None if channel is None else channel.running()

    def _channel_for(self, thread_id: str, event: Event) -> Channel:
        above = event.thread.parent_thread_id if isinstance(event, ThreadStarted) else None
        channel = self.channel(thread_id)
        if above is not None:
            channel.parent = self._channels.get(above)
        return channel

    def listen(self, remote: Remote, thread_id: str) -> None:
        """From now on this client hears the thread, and is asked what is open in it."""
        here = self.channel(thread_id)
        here.listeners[remote] = None
        for question in self._questions:
            there = self.channel(question.thread_id)
            if here in (there, there.parent):
                question.put(remote)

    def unlisten(self, remote: Remote, thread_id: str) -> bool:
        """Whether it had listened."""
        channel = self._channels.get(thread_id)
        if channel is None or remote not in channel.listeners:
            return False
        del channel.listeners[remote]
        return True

    async def serve(self, engine: Engine, lookups: Lookups, wire: Wire) -> None:
        """Serves one client until it leaves."""
        remote = Remote(self, engine, lookups, wire)
        self._remotes[remote] = None
        try:
            await remote.run()
        finally:
            del self._remotes[remote]
            for channel in self._channels.values():
                channel.listeners.pop(remote, None)
