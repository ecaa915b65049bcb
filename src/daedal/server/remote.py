"""What passes over the connection of a client from outside? Everything it sends is checked, and everything is bounded.

Each request runs in a task of its own. The answer to a request that opens a thread leaves before any of the thread's
events, so that the client knows the thread when it hears of it.
"""

import asyncio
import time
from collections.abc import Coroutine
from typing import Any

from msgspec.structs import replace

from daedal.protocol.abilities import Lookups, Wire
from daedal.protocol.catalogue import say
from daedal.protocol.errors import DaedalError
from daedal.protocol.events import METHODS, Event, RequestResolved, ThreadRewound, ThreadStarted, Warned
from daedal.protocol.service import Engine
from daedal.protocol.threads import Seen, Thread, ThreadReadResponse, ThreadResumeParams, ThreadStartResponse
from daedal.protocol.wire import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    OVERLOADED,
    REFUSED,
    InitializeParams,
    Malformed,
    Notification,
    Request,
    Response,
    WireError,
)
from daedal.server.accent import as_codex_says
from daedal.server.asking import Question
from daedal.server.dialect import Untranslatable
from daedal.server.methods import InvalidParams, UnknownMethod
from daedal.server.roles import Board
from daedal.server.surface import Desk, call, read_params

UNDER_WAY_MAX = 1024
LAST_ANSWERS_S = 2.0
"""How long requests of a client that says no more may still take."""


class Remote:
    def __init__(self, board: Board, engine: Engine, lookups: Lookups, wire: Wire) -> None:
        self.board = board
        self.is_ours = False
        self._desk = Desk(engine=engine, lookups=lookups)
        self._wire = wire
        self._is_initialized = False
        self._unwanted: frozenset[str] = frozenset()
        self._under_way: set[int | str] = set()
        self._opening = 0
        """Requests under way that open a thread."""
        self._held: dict[str, Notification] = {}
        """That a thread began, until the answer with that thread has left."""
        self._questions: dict[int | str, Question[Any]] = {}
        self._last_question = -1
        self._leftover: set[asyncio.Task[None]] = set()

    def owned(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """What goes on after its request was answered, and even after the client has left."""
        task = asyncio.create_task(work)
        self._leftover.add(task)
        task.add_done_callback(self._over)
        return task

    def _over(self, task: asyncio.Task[None]) -> None:
        self._leftover.discard(task)
        if not task.cancelled():
            task.exception()  # Whoever asked has been told, or was answered before it went wrong.

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            tasks: set[asyncio.Task[None]] = set()
            try:
                while (envelope := await self._wire.receive()) is not None:
                    match envelope:
                        case Request(method="initialize") if self._accept(envelope):
                            await self._respond(envelope)  # What comes next may have been sent already.
                        case Request():
                            if self._accept(envelope):
                                task = group.create_task(self._respond(envelope))
                                tasks.add(task)
                                task.add_done_callback(tasks.discard)
                        case Response():
                            self._settle(envelope)
                        case Malformed():
                            self._send(Response(id=envelope.id, error=envelope.error))
                        case Notification():
                            pass
                for question in self._questions.values():
                    question.left(self)
                # It may have said its last word and still listen. Turns that it started go on in any case.
                if tasks:
                    await asyncio.wait(tasks, timeout=LAST_ANSWERS_S)
            finally:
                self._wire.close()
                for question in self._questions.values():
                    question.left(self)
                for task in tasks:
                    task.cancel()

    def notify(self, notification: Notification) -> None:
        if not self._is_initialized or notification.method in self._unwanted:
            return
        if notification.method in OURS and not self.is_ours:
            return
        event = notification.params
        if self._opening and isinstance(event, ThreadStarted):
            self._held[event.thread.id] = notification
        else:
            self._send(notification)

    def wants(self, method: str) -> bool:
        return self._is_initialized and method not in self._unwanted

    def tell(self, event: Event) -> None:
        """Outside of any thread's numbering."""
        self.notify(Notification(method=METHODS[type(event)], params=event, emitted_at_ms=int(time.time() * 1000)))

    def put(self, question: Question[Any], method: str, params: Any) -> int:
        self._last_question += 1
        self._questions[self._last_question] = question
        self._send(Request(id=self._last_question, method=method, params=params))
        return self._last_question

    def withdraw(self, number: int, thread_id: str) -> None:
        self._questions.pop(number, None)
        self.tell(RequestResolved(thread_id=thread_id, request_id=number))

    def _settle(self, response: Response) -> None:
        number = response.id
        question = self._questions.get(number) if number is not None else None
        if question is not None:
            question.settle(self, response)
        elif not isinstance(number, int) or not 0 <= number <= self._last_question:
            # (One that came too late is nobody's mistake: somebody else was quicker.)
            self.tell(Warned(message=say("server.never_asked", id=number)))

    def _accept(self, request: Request) -> bool:
        """Whether it can be worked on; where not, it is answered at once."""
        trouble = None
        if request.id in self._under_way:
            trouble = WireError(code=INVALID_REQUEST, message=say("server.id_in_use", id=request.id))
        elif len(self._under_way) >= UNDER_WAY_MAX:
            trouble = WireError(code=OVERLOADED, message=say("server.overloaded", count=UNDER_WAY_MAX))
        elif request.method == "initialize" and self._is_initialized:
            trouble = WireError(code=INVALID_REQUEST, message=say("server.already_initialized"))
        elif request.method != "initialize" and not self._is_initialized:
            trouble = WireError(code=INVALID_REQUEST, message=say("server.not_initialized"))
        if trouble is not None:
            self._send(Response(id=request.id, error=trouble))
            return False
        self._under_way.add(request.id)
        return True

    async def _respond(self, request: Request) -> None:
        opens = request.method in OPENING
        self._opening += opens
        try:
            response, params = await self._answer(request)
        finally:
            self._opening -= opens
            self._under_way.discard(request.id)
        match response.result:
            case ThreadStartResponse() as opened:
                self._open(response, opened, params.after if isinstance(params, ThreadResumeParams) else None)
            case ThreadReadResponse(thread=thread):
                self._send(replace(response, result=ThreadReadResponse(thread=self._as_it_runs(thread))))
            case _:
                self._send(response)
        if not self._opening:
            held, self._held = self._held, {}
            for notification in held.values():
                self._send(notification)

    async def _answer(self, request: Request) -> tuple[Response, Any]:
        """The answer, and what was asked where that could be read."""
        params = None
        try:
            params = read_params(request)
            if isinstance(params, InitializeParams):
                self._initialize(params)
            return Response(id=request.id, result=await call(self._desk, self, request.method, params)), params
        except UnknownMethod:
            response = _error(request, METHOD_NOT_FOUND, say("server.unknown_method", method=request.method))
        except (InvalidParams, Untranslatable) as trouble:
            response = _error(request, INVALID_PARAMS, str(trouble))
        except DaedalError as trouble:
            response = _error(request, REFUSED, str(trouble), {"kind": str(trouble.kind)})
        except Exception as trouble:  # the top of a request: whatever it is, the client gets an answer
            response = _error(request, INTERNAL_ERROR, f"{type(trouble).__name__}: {trouble}")
        return response, params

    def _initialize(self, params: InitializeParams) -> None:
        able = params.capabilities
        self._is_initialized = True
        self._unwanted = frozenset(able.opt_out_notification_methods or ()) if able else frozenset()
        self.is_ours = bool(able and able.daedal)

    def _open(self, response: Response, opened: ThreadStartResponse, after: Seen | None) -> None:
        """Answers with the thread and lets the client hear it, without a gap between the two.

        Nothing here waits, so nothing can happen in between.
        """
        thread_id = opened.thread.id
        channel = self.board.channel(thread_id)
        is_known = after is not None and after.stream == self.board.stream
        missed = channel.since(after.sequence) if after is not None and is_known else None
        result = replace(
            opened,
            thread=self._as_it_runs(opened.thread),
            seen=Seen(stream=self.board.stream, sequence=channel.sequence),
            replayed=missed is not None,
        )
        self._send(replace(response, result=result))
        began = self._held.pop(thread_id, None)
        if began is not None:
            self._send(began)
        for notification in missed if missed is not None else channel.growing():
            self.notify(notification)
        self.board.listen(self, thread_id)

    def _as_it_runs(self, thread: Thread) -> Thread:
        """What is on the record of a turn that runs lags behind what was said of it."""
        running = self.board.running(thread.id) if thread.turns else None
        if running is None:
            return thread
        return replace(thread, turns=[*(turn for turn in thread.turns if turn.id != running.id), running])

    def _send(self, envelope: Request | Response | Notification) -> None:
        """Queued, in this order."""
        try:
            self._wire.push(envelope if self.is_ours else as_codex_says(envelope))
        except ConnectionError:
            pass  # It left while we spoke; `run` is about to notice.


OURS = frozenset({METHODS[ThreadRewound]})
"""Told only to clients that say they know our words: Codex has no such notification."""
OPENING = frozenset({"thread/start", "thread/resume", "thread/fork"})


def _error(request: Request, code: int, message: str, data: Any = None) -> Response:
    return Response(id=request.id, error=WireError(code=code, message=message, data=data))
