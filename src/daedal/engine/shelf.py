"""What is on the record of threads, and how is it copied, put aside and named? No thread need be in memory for it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from daedal.engine.views import stored_turns, stored_view, turn_of
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.ids import new_id
from daedal.protocol.records import (
    Entry,
    Record,
    SessionNamed,
    SessionOpened,
    SessionShelved,
    StoredSession,
    StoredTurn,
    TurnClosed,
    TurnOpened,
    TurnStatus,
)
from daedal.protocol.shelving import ThreadForkParams, ThreadNameParams, TurnListParams, TurnListResponse
from daedal.protocol.threads import (
    Thread,
    ThreadListParams,
    ThreadListResponse,
    ThreadReadParams,
    ThreadReadResponse,
    ThreadStatus,
)
from daedal.protocol.turn_pages import PagedTranscript
from daedal.protocol.turns import Turn

if TYPE_CHECKING:
    from daedal.protocol.item_pages import ItemListParams, ItemListResponse

LIST_LIMIT = 50
SEARCHED_MAX = 1000
"""Among so many sessions a search term is looked for."""


class Shelf:
    def __init__(self, transcript: PagedTranscript, status: Callable[[str], ThreadStatus]) -> None:
        self._transcript = transcript
        self._status = status

    async def read(self, params: ThreadReadParams) -> ThreadReadResponse:
        stored = await self._transcript.find_session(params.thread_id)
        turns = await self._turns(stored.session_id) if params.include_turns else []
        return ThreadReadResponse(thread=stored_view(stored, self._status(stored.session_id), turns))

    async def turns(self, params: TurnListParams) -> TurnListResponse:
        """A page of them, newest first unless asked otherwise. Only what is on the page is read of the record."""
        stored = await self._transcript.find_session(params.thread_id)
        turns = await self._transcript.turns(stored.session_id)
        offset, limit = _page(params.cursor, params.limit)
        is_forward, end = params.sort_direction == "asc", offset + limit
        low, high = (offset, end) if is_forward else (max(len(turns) - end, 0), max(len(turns) - offset, 0))
        page = turns[low:high]
        if page and params.items_view != "notLoaded":
            before = turns[high].turn_id if high < len(turns) else None
            entries = await self._transcript.turn_entries(stored.session_id, first=page[0].turn_id, before=before)
            shown = stored_turns(page, entries)
        else:
            shown = [turn_of(turn, turn.status) for turn in page]
        more = str(end) if len(turns) > end else None
        return TurnListResponse(data=shown if is_forward else shown[::-1], next_cursor=more)

    async def items(self, params: "ItemListParams") -> "ItemListResponse":
        from daedal.engine.item_pages import placed_items

        stored = await self._transcript.find_session(params.thread_id)
        return await placed_items(self._transcript, stored.session_id, params)

    async def _turns(self, session_id: str) -> list[Turn]:
        return stored_turns(await self._transcript.turns(session_id), await self._transcript.entries(session_id))

    async def threads(self, params: ThreadListParams) -> ThreadListResponse:
        offset, limit = _page(params.cursor, params.limit)
        folders = params.cwd if isinstance(params.cwd, list) else [params.cwd]
        narrowed = params.search_term or params.model_providers or len(folders) > 1
        found: list[StoredSession] = []
        for folder in folders:
            found += await self._transcript.sessions(
                limit=SEARCHED_MAX if narrowed else limit + 1,
                project_dir=folder,
                archived=bool(params.archived),
                offset=0 if narrowed else offset,
            )
        if narrowed:
            found.sort(key=lambda stored: stored.last_active, reverse=True)
            found = [stored for stored in found if _is_wanted(stored, params)][offset:]
        more = str(offset + limit) if len(found) > limit else None
        return ThreadListResponse(data=[self._listed(stored) for stored in found[:limit]], next_cursor=more)

    def _listed(self, stored: StoredSession) -> Thread:
        shown = stored_view(stored, self._status(stored.session_id))
        holder = self._transcript.holder(stored.session_id)
        return shown if holder is None else replace(shown, held_by=holder)

    async def archive(self, thread_id: str, *, is_archived: bool) -> None:
        stored = await self._transcript.find_session(thread_id)
        await self._transcript.commit(stored.session_id, [SessionShelved(is_archived=is_archived)])

    async def name(self, params: ThreadNameParams) -> None:
        stored = await self._transcript.find_session(params.thread_id)
        await self._transcript.commit(stored.session_id, [SessionNamed(name=params.name)])

    async def fork(self, params: ThreadForkParams) -> StoredSession:
        """A session that begins with what this one has said and done; what either does next is its own.

        It stays in the conversation, and so in its phase: a copy of a thread that plans may not do more than plan.
        """
        stored = await self._transcript.find_session(params.thread_id)
        if stored.worked_for is not None:
            # The copy would be without what kept it to its task.
            raise UsageError(say("engine.subagent_session", id=stored.session_id, parent=stored.worked_for))
        names = {turn.turn_id: new_id() for turn in await self._copied(stored.session_id, params.last_turn_id)}
        copy = new_id()
        records: list[Record] = [
            SessionOpened(
                session_id=copy,
                conversation_id=stored.conversation_id,
                project_dir=stored.project_dir,
                provider=stored.provider,
                model_id=stored.model_id,
                forked_from=stored.session_id,
            )
        ]
        for turn in await self._transcript.turns(stored.session_id):
            if turn.turn_id in names:
                records.append(TurnOpened(turn_id=names[turn.turn_id], principal=turn.principal))
                records.append(TurnClosed(turn_id=names[turn.turn_id], status=turn.status, error=turn.error))
        records += [
            Entry(
                entry_type=entry.entry_type,
                payload={key: value for key, value in entry.payload.items() if key != "_t"},
                turn_id=names.get(entry.turn_id, ""),
                tool_use_id=entry.tool_use_id,
                extra=entry.extra,
            )
            for entry in await self._transcript.entries(stored.session_id)
            if not entry.turn_id or entry.turn_id in names
        ]
        await self._transcript.commit(copy, records)
        return await self._transcript.find_session(copy)

    async def _copied(self, session_id: str, last: str | None) -> list[StoredTurn]:
        """The turns that go into a copy. One that is under way does not."""
        turns = await self._transcript.turns(session_id)
        if last is not None:
            ids = [turn.turn_id for turn in turns]
            if last not in ids:
                raise UsageError(say("engine.no_such_turn_here", id=session_id, turn=last))
            turns = turns[: ids.index(last) + 1]
            if turns[-1].status is TurnStatus.IN_PROGRESS:
                raise UsageError(say("engine.fork_running", id=session_id, turn=last))
        return [turn for turn in turns if turn.status is not TurnStatus.IN_PROGRESS]


def _page(cursor: str | None, limit: int | None) -> tuple[int, int]:
    """Where it begins, and how long it is at most. Raises UsageError."""
    from daedal.protocol.pages import length_of, offset_of

    offset = offset_of(cursor)
    if offset is None:
        raise UsageError(say("engine.bad_cursor", cursor=cursor[:40] if cursor else ""))
    return offset, length_of(limit, LIST_LIMIT)


def _is_wanted(stored: StoredSession, params: ThreadListParams) -> bool:
    if params.model_providers and stored.provider not in params.model_providers:
        return False
    term = (params.search_term or "").lower()
    return term in stored.preview.lower() or term in (stored.name or "").lower()
