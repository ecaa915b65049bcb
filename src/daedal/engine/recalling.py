"""How does a thread come back from the record? As it began, with what was changed since, in its phase."""

import asyncio
import os
from typing import Any

from msgspec.structs import replace

from daedal.engine.absent import AbsentProvider
from daedal.engine.clock import epoch
from daedal.engine.history import pieces
from daedal.engine.opening import Opener, Opening, folder, with_model
from daedal.engine.terms import Terms
from daedal.engine.thread import OPEN, LoadedThread
from daedal.permissions import inside
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError, UsageError
from daedal.protocol.records import (
    EntryType,
    StoredEntry,
    StoredSession,
)
from daedal.protocol.seams import Provider
from daedal.protocol.threads import ThreadResumeParams

LONG = 2000
"""A record of more entries takes so long to replay that others would notice."""


class Recalling(Opener):
    async def resume(self, stored: StoredSession, params: ThreadResumeParams) -> LoadedThread:
        """Takes the lease first: what is read afterwards is nobody else's to change."""
        if stored.worked_for is not None:
            # It would come back without what kept it to its task.
            raise UsageError(say("engine.subagent_session", id=stored.session_id, parent=stored.worked_for))
        from daedal.engine.remembered import changed, recalled_effort

        workspace = folder(params.cwd or stored.project_dir)
        named = params.model_provider is not None or params.model is not None
        lease = self._world.transcript.lease(stored.session_id)
        try:
            entries = await self._world.transcript.entries(stored.session_id)
            told = changed(entries)
            provider = self._provider(
                params,
                params.model_provider if named else stored.provider or None,
                params.model if named else stored.model_id or None,
                self._effort(recalled_effort(params, told)),
            )
        except BaseException:
            lease.release()
            raise
        try:
            terms = self._recalled(stored, workspace, params, told)
            thread = await self._from_record(stored, params, with_model(terms, provider), provider, entries)
        except BaseException:
            lease.release()
            await provider.close()
            raise
        thread.lease = lease
        self._note_effort(thread, params.effort)
        if told.get("sandbox") == OPEN and params.sandbox is None:
            thread.notices.append(say("engine.settings.walls_again"))
        return thread

    def _recalled(
        self, stored: StoredSession, workspace: str, params: ThreadResumeParams, told: dict[str, Any]
    ) -> Terms:
        """The terms, with what was changed while it lived, in the phase that its conversation is in."""
        from daedal.engine.remembered import recalled

        terms = recalled(self._terms(stored.session_id, workspace, params), params, told, self._world.usual)
        if params.permission_mode == "plan":
            return terms
        conversation = self._world.transcript.conversation(stored.conversation_id)
        return replace(terms, phase=conversation.phase, has_approved_plan=conversation.has_approved_plan)

    async def glimpse(self, stored: StoredSession, entries: list[StoredEntry]) -> LoadedThread:
        """The session as it would be loaded, only to be looked at: nobody is greeted, and its lease is not taken."""
        from daedal.engine.remembered import changed, recalled_effort

        params, told = ThreadResumeParams(thread_id=stored.session_id), changed(entries)
        terms = self._recalled(stored, folder(stored.project_dir), params, told)
        try:
            effort = self._effort(recalled_effort(params, told))
            provider = self._provider(params, stored.provider or None, stored.model_id or None, effort)
        except ConfigurationError:
            provider = AbsentProvider()
        return await self._from_record(stored, params, with_model(terms, provider), provider, entries)

    async def _from_record(
        self,
        stored: StoredSession,
        params: ThreadResumeParams,
        terms: Terms,
        provider: Provider,
        entries: list[StoredEntry],
    ) -> LoadedThread:
        brief = next((entry for entry in entries if entry.payload.get("subtype") == "brief"), None)
        text = self._base(params) if params.base_instructions or brief is None else brief.payload["text"]
        await self._world.meet(terms)
        loaded = frozenset(name for entry in entries for name in entry.extra.get("loaded", ()))
        opening = Opening(terms, text, self._world.make_toolbox(terms), loaded)
        thread = self._thread(stored.conversation_id, provider, opening, params)
        thread.created_at = epoch(stored.started_at)
        thread.preview = stored.preview
        thread.settled = False
        thread.context = list(filter(None, [self._world.still_running(stored.session_id)]))
        if len(entries) > LONG:
            # Nobody has the thread yet, and whoever shares this loop is not kept waiting.
            await asyncio.to_thread(self.replay, thread, entries)
        else:
            self.replay(thread, entries)
        if self._world.transcript.kept(thread.conversation_id, f"goal:{thread.id}") is not None:
            from daedal.engine.goal_state import find_goal

            await find_goal(thread, self._world.transcript, entries)
        return thread

    def replay(self, thread: LoadedThread, entries: list[StoredEntry]) -> None:
        """Tells a thread whose dialogue is empty what is on the record."""
        from daedal.engine.measuring import put_back

        put_back(thread, pieces(entries), entries)
        for entry in entries:
            if entry.entry_type is EntryType.TOOL_USE:
                thread.call_ids.add(entry.payload["id"])
            elif entry.entry_type is EntryType.ATTACHMENT:
                thread.instructed.add(entry.payload["attachment"].get("path", ""))
            elif entry.payload.get("subtype") == "brief":
                thread.instructed.update(entry.payload["instructions"])
            moved = entry.extra.get("cwdAfter") or (entry.entry_type is EntryType.SYSTEM and entry.payload.get("cwd"))
            if moved and inside(moved, thread.workspace) and os.path.isdir(moved):
                thread.cwd = moved
