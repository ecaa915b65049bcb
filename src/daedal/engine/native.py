"""How are threads kept, resumed, copied and put aside? Daedal's own engine behind the `Engine` seam.

A thread is loaded when it is started, resumed or copied. Its turns are the business of `driving`.
"""

import asyncio
from typing import TYPE_CHECKING

from msgspec.structs import asdict, replace

from daedal.engine.delegation import Delegation
from daedal.engine.driving import Driver, stop
from daedal.engine.greeting import greet
from daedal.engine.thread import LoadedThread
from daedal.engine.views import loaded_view
from daedal.engine.world import World
from daedal.protocol.events import McpProgress, ThreadStarted
from daedal.protocol.prompts import (
    CommandListParams,
    CommandListResponse,
    ReferenceCompleteParams,
    ReferenceCompleteResponse,
)
from daedal.protocol.threads import (
    ThreadListParams,
    ThreadListResponse,
    ThreadReadParams,
    ThreadReadResponse,
    ThreadResumeParams,
    ThreadStartParams,
    ThreadStartResponse,
)

if TYPE_CHECKING:
    from daedal.engine.delegating import Delegating, Report
    from daedal.engine.eliciting import Elicitation, Reply
    from daedal.engine.shelf import Shelf
    from daedal.protocol.shelving import (
        LoadedListResponse,
        ThreadArchiveParams,
        ThreadForkParams,
        ThreadNameParams,
        TurnListParams,
        TurnListResponse,
    )


class NativeEngine(Driver):
    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._opened_shelf: Shelf | None = None
        """Loaded with the first look at the record."""
        self._delegating: Delegating | None = None
        """Loaded with the first sub-agent."""

    @property
    def _shelf(self) -> "Shelf":
        if self._opened_shelf is None:
            from daedal.engine.shelf import Shelf

            self._opened_shelf = Shelf(self._world.transcript, self._status)
        return self._opened_shelf

    async def start_thread(self, params: ThreadStartParams) -> ThreadStartResponse:
        return await self._adopt(await self._loader.new(params), "startup", params.setup)

    async def resume_thread(self, params: ThreadResumeParams) -> ThreadStartResponse:
        loaded = self._threads.get(params.thread_id)
        if loaded is not None and loaded.unsaved:
            return loaded_view(loaded, self._status(loaded.id))
        stored = await self._world.transcript.find_session(params.thread_id)
        loaded = self._threads.get(stored.session_id)
        if loaded is None:
            opened = await self._adopt(await self._loader.resume(stored, params), "resume", params.setup)
        else:
            loaded.limits = params.limits
            if params.approval_policy is not None:
                loaded.terms = replace(loaded.terms, posture=params.approval_policy)
                loaded.gate = None
            opened = loaded_view(loaded, self._status(loaded.id))
        return await self._with_turns(opened, exclude=params.exclude_turns)

    async def read_thread(self, params: ThreadReadParams) -> ThreadReadResponse:
        loaded = self._threads.get(params.thread_id)
        if loaded is not None and loaded.unsaved:
            return ThreadReadResponse(thread=loaded_view(loaded, self._status(loaded.id)).thread)
        return await self._shelf.read(params)

    async def list_threads(self, params: ThreadListParams) -> ThreadListResponse:
        return await self._shelf.threads(params)

    async def list_turns(self, params: "TurnListParams") -> "TurnListResponse":
        return await self._shelf.turns(params)

    async def loaded_threads(self) -> "LoadedListResponse":
        from daedal.protocol.shelving import LoadedListResponse

        return LoadedListResponse(data=sorted(self._threads))

    async def fork_thread(self, params: "ThreadForkParams") -> ThreadStartResponse:
        await self._put_on_record(params.thread_id)
        stored = await self._shelf.fork(params)
        given = asdict(params)
        for name in ("thread_id", "last_turn_id", "exclude_turns"):
            del given[name]
        thread = await self._loader.resume(stored, ThreadResumeParams(thread_id=stored.session_id, **given))
        opened = await self._adopt(thread, "fork", None)
        return await self._with_turns(opened, exclude=params.exclude_turns)

    async def archive_thread(self, params: "ThreadArchiveParams") -> None:
        """It is let go first; a turn that runs is interrupted."""
        await self._put_on_record(params.thread_id)
        running = self._running.get(params.thread_id)
        if running is not None:
            await stop(running.task)
        loaded = self._threads.get(params.thread_id)
        if loaded is not None:
            await self._let_go(loaded)
        await self._shelf.archive(params.thread_id, is_archived=True)

    async def unarchive_thread(self, params: "ThreadArchiveParams") -> ThreadReadResponse:
        await self._shelf.archive(params.thread_id, is_archived=False)
        return await self._shelf.read(ThreadReadParams(thread_id=params.thread_id))

    async def name_thread(self, params: "ThreadNameParams") -> None:
        await self._put_on_record(params.thread_id)
        await self._shelf.name(params)

    async def _put_on_record(self, thread_id: str) -> None:
        """A thread that has had no turn yet is in memory alone."""
        loaded = self._threads.get(thread_id)
        if loaded is not None and loaded.unsaved and thread_id not in self._busy:
            await self._open(loaded, [], [])

    async def _with_turns(self, opened: ThreadStartResponse, *, exclude: bool) -> ThreadStartResponse:
        if exclude:
            return opened
        read = await self._shelf.read(ThreadReadParams(thread_id=opened.thread.id, include_turns=True))
        told = replace(opened.thread, turns=read.thread.turns, name=read.thread.name)
        return replace(opened, thread=replace(told, forked_from_id=read.thread.forked_from_id))

    async def delegate(self, thread_id: str, delegation: Delegation) -> "Report":
        """One task for a sub-agent of the thread. Raises DaedalError where it cannot even begin."""
        if self._delegating is None:
            from daedal.engine.delegating import Delegating

            self._delegating = Delegating(self._world, self._loader, self._take_in, self._let_go)
        return await self._delegating.run(self._threads[thread_id], delegation)

    def _take_in(self, thread: LoadedThread) -> None:
        self._threads[thread.id] = thread

    async def elicit(self, thread_id: str, asked: "Elicitation") -> "Reply":
        """What a server asks while a call of the thread runs."""
        from daedal.engine.eliciting import elicit

        running = self._running.get(thread_id)
        return await elicit(
            self._threads[thread_id],
            self._world.faces,
            asked,
            turn_id=running.turn_id if running is not None else "",
            deadline_s=self._world.settings.approval_timeout_s,
        )

    async def tell_progress(self, thread_id: str, call_id: str, message: str) -> None:
        """What a server says while a call of the thread runs."""
        running = self._running.get(thread_id)
        turn_id = running.turn_id if running is not None else ""
        told = McpProgress(thread_id=thread_id, turn_id=turn_id, item_id=call_id, message=self._world.redact(message))
        await self._world.faces.emit(thread_id, told)

    async def list_commands(self, params: CommandListParams) -> CommandListResponse:
        return await asyncio.to_thread(self._world.prompts.commands, params)

    async def complete_reference(self, params: ReferenceCompleteParams) -> ReferenceCompleteResponse:
        return await asyncio.to_thread(self._world.prompts.complete, params)

    async def close(self) -> None:
        await self._waiting.close()
        for running in list(self._running.values()):
            await stop(running.task)
        for thread in list(self._threads.values()):
            await self._let_go(thread)

    async def _adopt(self, thread: LoadedThread, source: str, setup: str | None) -> ThreadStartResponse:
        self._threads[thread.id] = thread
        response = loaded_view(thread, self._status(thread.id))
        if source != "resume":
            await self._world.faces.emit(thread.id, ThreadStarted(thread=response.thread))
        await greet(thread, self._world, source=source, setup=setup)
        return response
