"""How are threads kept, resumed, copied and put aside? Daedal's own engine behind the `Engine` seam.

A thread is loaded when it is started, resumed or copied. Its turns are the business of `driving`.
"""

import asyncio
from typing import TYPE_CHECKING

from msgspec.structs import asdict, replace

from daedal.engine.absent import AbsentProvider
from daedal.engine.adjustable import Running, stop
from daedal.engine.delegation import Delegation
from daedal.engine.greeting import greet
from daedal.engine.interludes import Interludes
from daedal.engine.thread import LoadedThread
from daedal.engine.views import loaded_view
from daedal.engine.world import World
from daedal.protocol.catalogue import say
from daedal.protocol.errors import LedgerBusy, UsageError
from daedal.protocol.events import McpProgress, ThreadStarted
from daedal.protocol.prompts import (
    CommandListParams,
    CommandListResponse,
    ReferenceCompleteParams,
    ReferenceCompleteResponse,
)
from daedal.protocol.records import EntryType
from daedal.protocol.threads import (
    ThreadListParams,
    ThreadListResponse,
    ThreadReadParams,
    ThreadReadResponse,
    ThreadResumeParams,
    ThreadStartParams,
    ThreadStartResponse,
)
from daedal.protocol.turns import Wishes

if TYPE_CHECKING:
    from daedal.engine.delegating import Delegating, Report
    from daedal.engine.eliciting import Elicitation, Reply
    from daedal.engine.following import Following
    from daedal.engine.shelf import Shelf
    from daedal.protocol.folding import ContextReadParams, ContextReadResponse
    from daedal.protocol.goal_calls import (
        GoalCheckResponse,
        GoalClearParams,
        GoalClearResponse,
        GoalGetParams,
        GoalGetResponse,
        GoalReportParams,
        GoalSetParams,
        GoalSetResponse,
    )
    from daedal.protocol.item_pages import ItemListParams, ItemListResponse
    from daedal.protocol.records import StoredSession
    from daedal.protocol.rewinding import RewindListParams, RewindListResponse, RewindParams, RewindResponse
    from daedal.protocol.shelving import (
        LoadedListResponse,
        ThreadArchiveParams,
        ThreadForkParams,
        ThreadNameParams,
        TurnListParams,
        TurnListResponse,
    )
    from daedal.protocol.threads import Holder


class NativeEngine(Interludes):
    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._opened_shelf: Shelf | None = None
        """Loaded with the first look at the record."""
        self._following: Following | None = None
        """Loaded with the first thread that another process drives."""
        self._delegating: Delegating | None = None
        """Loaded with the first sub-agent."""

    @property
    def _shelf(self) -> "Shelf":
        if self._opened_shelf is None:
            from daedal.engine.shelf import Shelf

            self._opened_shelf = Shelf(self._world.transcript, self._status)
        return self._opened_shelf

    async def start_thread(self, params: ThreadStartParams) -> ThreadStartResponse:
        thread = await self._loader.new(params)
        await self._plan_with(thread, params.planner_model)
        return await self._adopt(thread, "startup", params.setup)

    async def resume_thread(self, params: ThreadResumeParams) -> ThreadStartResponse:
        loaded = self._threads.get(params.thread_id)
        if loaded is not None and loaded.unsaved:
            return loaded_view(loaded, self._status(loaded.id))
        stored = await self._world.transcript.find_session(params.thread_id)
        loaded = self._threads.get(stored.session_id)
        if loaded is None:
            try:
                thread = await self._loader.resume(stored, params)
            except LedgerBusy:
                if not params.follow or (holder := self._world.transcript.holder(stored.session_id)) is None:
                    raise
                return await self._follow(stored, params, holder)
            if self._following is not None:
                self._following.end(stored.session_id)
            await self._plan_with(thread, params.planner_model)
            opened = await self._adopt(thread, "resume", params.setup)
        else:
            loaded.limits = params.limits
            async with loaded.adjusting:
                await self._adjust(loaded, _wishes(params))
            opened = loaded_view(loaded, self._status(loaded.id))
        return await self._with_turns(opened, exclude=params.exclude_turns)

    async def _follow(
        self, stored: "StoredSession", params: ThreadResumeParams, holder: "Holder"
    ) -> ThreadStartResponse:
        if self._following is None:
            from daedal.engine.following import Following

            self._following = Following(self._world)
        return await self._following.begin(stored, holder, with_turns=not params.exclude_turns)

    async def read_thread(self, params: ThreadReadParams) -> ThreadReadResponse:
        loaded = self._threads.get(params.thread_id)
        if loaded is not None and loaded.unsaved:
            return ThreadReadResponse(thread=loaded_view(loaded, self._status(loaded.id)).thread)
        return await self._shelf.read(params)

    async def list_threads(self, params: ThreadListParams) -> ThreadListResponse:
        return await self._shelf.threads(params)

    async def list_turns(self, params: "TurnListParams") -> "TurnListResponse":
        loaded = self._threads.get(params.thread_id)
        if loaded is not None and loaded.unsaved:
            from daedal.protocol.shelving import TurnListResponse

            return TurnListResponse(data=[])  # It is in memory alone until its first turn.
        return await self._shelf.turns(params)

    async def list_items(self, params: "ItemListParams") -> "ItemListResponse":
        loaded = self._threads.get(params.thread_id)
        if loaded is not None and loaded.unsaved:
            from daedal.protocol.item_pages import ItemListResponse

            return ItemListResponse(data=[], offset=0, total=0)
        return await self._shelf.items(params)

    async def loaded_threads(self) -> "LoadedListResponse":
        from daedal.protocol.shelving import LoadedListResponse

        return LoadedListResponse(data=sorted(self._threads))

    async def fork_thread(self, params: "ThreadForkParams") -> ThreadStartResponse:
        await self._put_on_record(params.thread_id)
        stored = await self._shelf.fork(params)
        if params.ephemeral:
            await self._shelf.archive(stored.session_id, is_archived=True)
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
        await self._shelf.name(replace(params, name=self._world.redact(params.name)))

    async def _plan_with(self, thread: LoadedThread, wanted: str | None) -> None:
        """The planner that was asked for, that it had before, or that the settings name; none where it is itself."""
        usual = self._world.settings.planner_model
        is_known = not thread.unsaved and self._world.transcript.kept(thread.conversation_id, f"planner:{thread.id}")
        if wanted == "" or not (wanted or usual or is_known) or isinstance(thread.provider, AbsentProvider):
            return
        from daedal.engine.planner import Planner, recalled_planner

        try:
            kept = recalled_planner(self._world, thread) if is_known else None
            model = wanted or (kept.model if kept is not None else usual)
            provider = self._world.connect(None, model, None)
        except BaseException:
            await self._let_go(thread)
            raise
        await provider.close()
        if provider.card.key != thread.provider.card.key:
            thread.planner = Planner(self._world, self._loader, thread, model, adopt=self._take_in, let_go=self._let_go)

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

    async def read_context(self, params: "ContextReadParams") -> "ContextReadResponse":
        """Of any thread. One that is not loaded is looked at as it would be if it were resumed now."""
        from daedal.engine.context_view import context_view
        from daedal.engine.history import pieces

        thread, ratio = self._threads.get(params.thread_id), self._world.settings.compact_ratio
        if thread is not None and thread.unsaved:
            return context_view(thread, [], folds=0, ratio=ratio)
        stored = await self._world.transcript.find_session(params.thread_id)
        thread = self._threads.get(stored.session_id)
        entries = await self._world.transcript.entries(stored.session_id)
        folds = sum(1 for entry in entries if entry.entry_type is EntryType.COLLAPSE_COMMIT)
        if thread is not None:
            return context_view(thread, pieces(entries), folds=folds, ratio=ratio)
        thread = await self._loader.glimpse(stored, entries)
        try:
            return context_view(thread, pieces(entries), folds=folds, ratio=ratio)
        finally:
            await thread.toolbox.close()
            await thread.provider.close()

    async def list_rewinds(self, params: "RewindListParams") -> "RewindListResponse":
        from daedal.engine.rewinding import points_of
        from daedal.protocol.rewinding import RewindListResponse

        loaded = self._threads.get(params.thread_id)
        if loaded is not None and loaded.unsaved:
            return RewindListResponse(data=[])
        stored = await self._world.transcript.find_session(params.thread_id)
        return RewindListResponse(data=await points_of(self._world, stored.session_id))

    async def rewind_thread(self, params: "RewindParams") -> "RewindResponse":
        """Goes on to its end even if whoever asked has left."""
        from daedal.engine.rewinding import Rewind

        async with self._reserved(params.thread_id) as thread:
            rewind = Rewind(self._world, thread, params, self._loader.replay)
            settling = await self._settle(thread, close=True)
            await self._open(thread, settling.records, settling.messages)
            view = loaded_view(thread, self._status(thread.id)).thread
            task = asyncio.create_task(rewind.run(view))
            self._running[thread.id] = Running(rewind.id, task)
            try:
                done = await asyncio.shield(task)
            except asyncio.CancelledError:
                task.add_done_callback(lambda over: self._rewound(thread.id, over))
                raise
        read = await self._shelf.read(ThreadReadParams(thread_id=thread.id, include_turns=True))
        return replace(done, thread=read.thread)

    def _rewound(self, thread_id: str, over: "asyncio.Task[RewindResponse]") -> None:
        """Nobody waits for it any more."""
        self._give_back(thread_id)
        if not over.cancelled():
            over.exception()

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

    async def set_goal(self, params: "GoalSetParams") -> "GoalSetResponse":
        thread = self._loaded(params.thread_id)
        answer = await self._goals.set(thread, params, is_busy=thread.id in self._busy)
        running = self._running.get(thread.id)
        if not answer.goal.is_active and running is not None and thread.id in self._goals.checking:
            await stop(running.task)
        return answer

    async def get_goal(self, params: "GoalGetParams") -> "GoalGetResponse":
        thread = self._loaded(params.thread_id)
        return replace(self._goals.get(thread), is_busy=thread.id in self._busy)

    async def clear_goal(self, params: "GoalClearParams") -> "GoalClearResponse":
        return await self._goals.clear(self._loaded(params.thread_id))

    async def check_goal(self, params: "GoalGetParams") -> "GoalCheckResponse":
        return await self._goals.check(self._loaded(params.thread_id))

    async def report_goal(self, params: "GoalReportParams") -> "GoalSetResponse":
        return await self._goals.report(self._loaded(params.thread_id), params)

    def _loaded(self, thread_id: str) -> LoadedThread:
        thread = self._threads.get(thread_id)
        if thread is None:
            raise UsageError(say("engine.thread_not_loaded", id=thread_id))
        self._require_own(thread)
        return thread

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
        if self._following is not None:
            await self._following.close()
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


SANDBOXES = {
    "danger-full-access": {"type": "dangerFullAccess"},
    "workspace-write": {"type": "workspaceWrite"},
    "read-only": {"type": "readOnly"},
}


def _wishes(params: ThreadResumeParams) -> Wishes:
    """What somebody wants of a thread who resumes it while it lives."""
    reference = "/".join(filter(None, [params.model_provider, params.model])) or None
    return Wishes(
        model=reference,
        effort=params.effort,
        approval_policy=params.approval_policy,
        permission_mode=params.permission_mode,
        sandbox_policy=SANDBOXES.get(params.sandbox or ""),
    )
