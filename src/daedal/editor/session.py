"""What is a session of the editor? A thread with an engine of its own, one turn at a time.

Its id is the thread's, so that it can be loaded again at any later time.
"""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

from acp.schema import PromptResponse
from msgspec.structs import replace

from daedal.client import CallFailed, Client
from daedal.editor.answering import answer
from daedal.editor.commands import RUNS, named_in, offered
from daedal.editor.errors import failed, stop_reason, unknown_session, untimely, wrong
from daedal.editor.line import Line
from daedal.editor.modes import MODES
from daedal.editor.program import Program
from daedal.editor.replaying import replay
from daedal.editor.showing import Showing
from daedal.editor.standing import Standing
from daedal.editor.tool_calls import one_line
from daedal.protocol.catalogue import say
from daedal.protocol.errors import DaedalError
from daedal.protocol.events import TurnCompleted, TurnStarted
from daedal.protocol.items import Given, UserInput
from daedal.protocol.lookups import ModelListParams
from daedal.protocol.prompts import CommandInfo, CommandListParams
from daedal.protocol.thread_settings import ThreadSettingsUpdateParams
from daedal.protocol.threads import ThreadReadParams, ThreadResumeParams, ThreadStartResponse
from daedal.protocol.turns import Turn, TurnInterruptParams, TurnStartParams
from daedal.protocol.wire import Notification, Request

LAST_WORD_S = 5.0
"""How long a turn that was interrupted may take to say so, before its engine is closed."""


class _Running:
    """One prompt, from when it came in until it is answered."""

    def __init__(self) -> None:
        self.over: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()
        self.begun: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """The id of its turn."""
        self.is_cancelled = False

    def begin(self, turn_id: str) -> None:
        if turn_id and not self.begun.done():
            self.begun.set_result(turn_id)


class Session:
    def __init__(self, program: Program, line: Line, folder: str, servers: Sequence[dict[str, Any]] = ()) -> None:
        """`servers` are the editor's own MCP servers, as entries of ours."""
        self.folder = folder
        self.servers = list(servers)
        self.standing = Standing()
        self._program = program
        self._line = line
        self._showing = Showing(line.outbox, folder, self.standing)
        self._house = AsyncExitStack()
        self._client: Client | None = None
        self._thread_id = ""
        self._has_record = False
        """A thread is on the record with its first turn."""
        self._running: _Running | None = None
        self._custom: list[CommandInfo] = []
        self._notices: list[str] = []
        """What the person should read as soon as there is a place for it."""

    @property
    def id(self) -> str:
        return self._showing.session_id

    def options(self) -> list[Any]:
        """What a person can choose in it, and what is chosen."""
        return list(self.standing.options())

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

    async def prompt(self, said: Sequence[Given]) -> PromptResponse:
        if self._running is not None:
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
            return PromptResponse(stop_reason=reason, usage=self._showing.usage)
        finally:
            self._running = None
            await self._line.outbox.heard()

    async def cancel(self) -> None:
        if self._running is not None:
            self._running.is_cancelled = True
            await self._interrupt(self._running)

    async def switch(self, mode: str) -> None:
        """Into another mode, at any time. Raises RequestError."""
        if mode not in MODES:
            raise wrong(say("editor.unknown_mode", mode=mode, known=", ".join(MODES)))
        await self._settle({"permission_mode": mode})

    async def choose(self, option: str, value: str) -> None:
        """One of the session's options. It holds from the next call that is judged, or the next model call. Raises."""
        await self._settle(self.standing.wish(option, value))

    async def commands(self) -> list[CommandInfo]:
        self._custom = (await self._ask("command/list", CommandListParams(cwd=self.folder))).data
        return offered(self._custom)

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
                self.folder,
                servers=self.servers,
                on_event=self._see,
                on_request=self._answer,
                on_warning=self.notice,
            )
            client = await house.enter_async_context(entering)
            thread = await self._thread(client, thread_id)
            if self._program.has_models:
                self.standing.models = (await client.call("model/list", ModelListParams())).data
        except BaseException as trouble:
            await house.aclose()
            if isinstance(trouble, CallFailed | DaedalError):
                raise failed(trouble, opening=True) from trouble
            raise
        self._house, self._client = house, client
        self._thread_id = self._showing.thread_id = thread.thread.id
        self.standing.begin(thread)
        self._notices += thread.notices

    async def _thread(self, client: Client, thread_id: str | None) -> ThreadStartResponse:
        start = replace(self._program.thread, cwd=self.folder)
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
        resume = ThreadResumeParams.with_options(thread_id, start, exclude_turns=True)
        return await client.call("thread/resume", resume)

    async def _turn(self, running: _Running, said: Sequence[Given]) -> Turn | None:
        """How the turn ended; None where it was cancelled before there was one."""
        try:
            turn_id = await self._begin(said)
        except Exception:
            if running.is_cancelled:
                return None
            raise
        if not self._has_record:
            self._has_record = True
            self._showing.entitle(_title(said))
        running.begin(turn_id)
        gone = asyncio.create_task(self._engine.closed())
        try:
            await asyncio.wait([running.begun, gone], return_when=asyncio.FIRST_COMPLETED)
            if running.is_cancelled:
                await self._interrupt(running)
            await asyncio.wait([running.over, gone], return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
        if not running.over.done():
            raise failed(DaedalError(say("editor.engine_gone", id=self._thread_id)))
        return running.over.result()

    async def _begin(self, said: Sequence[Given]) -> str:
        """The id of the turn, or nothing where its events will tell it."""
        command = named_in(said, self._custom)
        if command is not None:
            name, rest = command
            return await RUNS[name](self._ask, self._thread_id, rest)
        started = await self._ask("turn/start", TurnStartParams(thread_id=self._thread_id, input=said))
        return started.turn.id

    async def _settle(self, wish: dict[str, str]) -> None:
        params = ThreadSettingsUpdateParams(thread_id=self._thread_id, **wish)  # type: ignore[arg-type]
        response = await self._ask("thread/settings/update", params)
        for update in self.standing.note(response.thread_settings):
            self._line.outbox.put(self.id, update)

    async def _interrupt(self, running: _Running) -> None:
        if not running.begun.done():
            return  # It is interrupted as soon as it has begun.
        try:
            await self._engine.call(
                "turn/interrupt", TurnInterruptParams(thread_id=self._thread_id, turn_id=running.begun.result())
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

    def _see(self, notification: Notification) -> None:
        self._showing.see(notification)
        match notification.params:
            case TurnStarted(thread_id=self._thread_id, turn=turn) if self._running is not None:
                self._running.begin(turn.id)
            case TurnCompleted(thread_id=self._thread_id, turn=turn):
                self._showing.close()
                if self._running is not None and not self._running.over.done():
                    self._running.over.set_result(turn)
            case _:
                pass

    async def _answer(self, request: Request) -> Any:
        over = self._running.over if self._running is not None else None
        return await answer(request, self._line, self._showing, over)


def _title(said: Sequence[Given]) -> str:
    return one_line(next((part.text for part in said if isinstance(part, UserInput) and not part.is_literal), ""))
