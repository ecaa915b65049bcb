"""What is a session of the editor? A thread with an engine of its own, one turn at a time.

Its id is the thread's, so that it can be loaded again at any later time.
"""

import asyncio
from contextlib import AsyncExitStack
from typing import Any

from acp.schema import PromptResponse
from msgspec.structs import asdict, replace

from daedal.client import CallFailed, Client
from daedal.editor.answering import answer
from daedal.editor.errors import failed, stop_reason, unknown_session, untimely, wrong
from daedal.editor.line import Line
from daedal.editor.modes import DEFAULT, MODES, PLAN, mode_update
from daedal.editor.program import Program
from daedal.editor.replaying import replay
from daedal.editor.showing import Showing
from daedal.protocol.catalogue import say
from daedal.protocol.errors import DaedalError
from daedal.protocol.events import TurnCompleted
from daedal.protocol.items import UserInput
from daedal.protocol.prompts import CommandInfo, CommandListParams
from daedal.protocol.threads import ThreadReadParams, ThreadResumeParams, ThreadStartResponse
from daedal.protocol.turns import Turn, TurnInterruptParams, TurnStartParams
from daedal.protocol.wire import Notification, Request

LAST_WORD_S = 5.0
"""How long a turn that was interrupted may take to say so, before its engine is closed."""


class _Running:
    """One prompt, from when it came in until it is answered."""

    def __init__(self) -> None:
        self.over: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()
        self.turn_id = ""
        self.is_cancelled = False


class Session:
    def __init__(self, program: Program, line: Line, folder: str) -> None:
        self.folder = folder
        self._program = program
        self._line = line
        self._showing = Showing(line.outbox, folder)
        self._house = AsyncExitStack()
        self._client: Client | None = None
        self._thread_id = ""
        self._has_record = False
        """A thread is on the record with its first turn."""
        self._running: _Running | None = None
        self._is_moving = False
        """Its engine is being closed and opened again."""
        self._notices: list[str] = []
        """What the person should read as soon as there is a place for it."""
        self._chosen = program.thread.permission_mode
        self.mode = self._chosen or program.mode_of(folder)

    @property
    def id(self) -> str:
        return self._showing.session_id

    async def start(self) -> None:
        await self._open(None)
        self._showing.session_id = self._thread_id

    async def load(self, session_id: str) -> None:
        """Takes the thread up again. Raises RequestError where there is none of this id and folder."""
        await self._open(session_id)
        self._has_record = True
        self._showing.session_id = self._thread_id

    async def replay(self) -> None:
        if self._running is not None:
            raise untimely(say("editor.busy", id=self.id))
        turns: list[Turn] = []
        if self._has_record:
            read = await self._ask("thread/read", ThreadReadParams(thread_id=self._thread_id, include_turns=True))
            turns = read.thread.turns
        await replay(turns, self._line.outbox, self.id, self.folder)

    async def prompt(self, said: list[UserInput]) -> PromptResponse:
        if self._running is not None or self._is_moving:
            raise untimely(say("editor.busy", id=self.id))
        running = self._running = _Running()
        try:
            for notice in self._notices:
                self._showing.remark(notice)
            self._notices.clear()
            ended = await self._turn(running, said)
            if ended is None:
                return PromptResponse(stop_reason="cancelled")
            reason = stop_reason(ended)
            if ended.error is not None:
                self._showing.say(f"\n\n{ended.error.message}")
            self._leave_plan_mode()
            return PromptResponse(stop_reason=reason)
        finally:
            self._running = None
            await self._line.outbox.heard()

    async def cancel(self) -> None:
        if self._running is not None:
            self._running.is_cancelled = True
            await self._interrupt(self._running)

    async def switch(self, mode: str) -> None:
        """Into another mode, between two turns. Raises RequestError."""
        if mode not in MODES:
            raise wrong(say("editor.unknown_mode", mode=mode, known=", ".join(MODES)))
        if mode == self.mode:
            return
        if self._running is not None or self._is_moving:
            raise untimely(say("editor.busy", id=self.id))
        if self.mode == PLAN and self._has_record:
            raise untimely(say("editor.still_planning"))
        self._is_moving = True
        try:
            self._client = None
            await self._house.aclose()
            self._chosen = self.mode = mode
            await self._open(self._thread_id if self._has_record else None)
        finally:
            self._is_moving = False

    async def commands(self) -> list[CommandInfo]:
        return (await self._ask("command/list", CommandListParams(cwd=self.folder))).data

    def notice(self, sentence: str) -> None:
        self._notices.append(sentence)

    async def close(self) -> None:
        """A turn that runs is interrupted; the record has everything."""
        running = self._running
        if running is not None:
            await self.cancel()
            await asyncio.wait([running.over], timeout=LAST_WORD_S)
        await self._house.aclose()

    async def _open(self, thread_id: str | None) -> None:
        house = AsyncExitStack()
        try:
            entering = self._program.open(
                self.folder, on_event=self._see, on_request=self._answer, on_warning=self.notice
            )
            client = await house.enter_async_context(entering)
            thread = await self._thread(client, thread_id)
        except BaseException as trouble:
            await house.aclose()
            if isinstance(trouble, CallFailed | DaedalError):
                raise failed(trouble, opening=True) from trouble
            raise
        self._house, self._client = house, client
        self._thread_id = self._showing.thread_id = thread.thread.id

    async def _thread(self, client: Client, thread_id: str | None) -> ThreadStartResponse:
        start = replace(self._program.thread, cwd=self.folder, permission_mode=self._chosen)
        if thread_id is None:
            return await client.call("thread/start", start)
        try:
            stored = (await client.call("thread/read", ThreadReadParams(thread_id=thread_id))).thread
        except CallFailed as failure:
            raise unknown_session(thread_id) from failure
        if stored.id != thread_id:
            raise unknown_session(thread_id)  # The beginning of an id is enough for a person, not for a program.
        if stored.cwd != self.folder:
            raise wrong(say("editor.other_folder", id=thread_id, folder=stored.cwd))
        return await client.call(
            "thread/resume", ThreadResumeParams(thread_id=thread_id, exclude_turns=True, **asdict(start))
        )

    async def _turn(self, running: _Running, said: list[UserInput]) -> Turn | None:
        """How the turn ended; None where it was cancelled before there was one."""
        params = TurnStartParams(thread_id=self._thread_id, input=said)
        try:
            started = await self._ask("turn/start", params)
        except Exception:
            if running.is_cancelled:
                return None
            raise
        self._has_record = True
        running.turn_id = started.turn.id
        if running.is_cancelled:
            await self._interrupt(running)
        gone = asyncio.create_task(self._engine.closed())
        try:
            await asyncio.wait([running.over, gone], return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
        if not running.over.done():
            raise failed(DaedalError(say("editor.engine_gone", id=self._thread_id)))
        return running.over.result()

    async def _interrupt(self, running: _Running) -> None:
        if not running.turn_id:
            return  # It is interrupted as soon as it has begun.
        try:
            await self._engine.call(
                "turn/interrupt", TurnInterruptParams(thread_id=self._thread_id, turn_id=running.turn_id)
            )
        except (CallFailed, ConnectionError):
            return  # It ended by itself in the same moment.

    async def _ask(self, method: str, params: Any) -> Any:
        try:
            return await self._engine.call(method, params)
        except CallFailed as failure:
            raise failed(failure) from failure

    @property
    def _engine(self) -> Client:
        if self._client is None:  # It could not be opened again.
            raise unknown_session(self.id)
        return self._client

    def _leave_plan_mode(self) -> None:
        """A plan that was approved has ended the mode; one that a tool began has brought it."""
        was = self._showing.is_planning
        self._showing.is_planning = None
        if was is True:
            self.mode = PLAN
        elif was is False:
            self._chosen = None if self._chosen == PLAN else self._chosen
            mode = self._chosen or self._program.mode_of(self.folder)
            self.mode = DEFAULT if mode == PLAN else mode
            self._line.outbox.put(self.id, mode_update(self.mode))

    def _see(self, notification: Notification) -> None:
        self._showing.see(notification)
        event = notification.params
        if isinstance(event, TurnCompleted) and event.thread_id == self._thread_id:
            self._showing.close()
            if self._running is not None and not self._running.over.done():
                self._running.over.set_result(event.turn)

    async def _answer(self, request: Request) -> Any:
        over = self._running.over if self._running is not None else None
        return await answer(request, self._line, self._showing, over)
