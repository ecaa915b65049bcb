"""How does the model find what was said and done before? By words in all transcripts, then around a hit."""

import asyncio
from collections.abc import Callable, Mapping
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.tools.errors import Refused
from daedal.tools.excerpts import excerpt, shortened
from daedal.tools.recall import History, told
from daedal.tools.tool import BuiltinTool

if TYPE_CHECKING:
    from daedal.ledger import HistoryEntry

EXCERPT_CHARACTERS = 320
HIT_CHARACTERS_MAX = 6_000
NEIGHBOUR_CHARACTERS_MAX = 1_200
KINDS = {"user": "user", "assistant": "assistant", "tool_use": "call", "tool_result": "result"}


class HistoryInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    operation: Literal["search", "around"] | None = None
    query: str | None = None
    entry: Annotated[int, Meta(ge=1, le=2**62)] | None = None
    """The number of a hit."""
    before: Annotated[int, Meta(ge=0, le=20)] = 3
    after: Annotated[int, Meta(ge=0, le=20)] = 3
    scope: Literal["project", "global"] = "project"
    limit: Annotated[int, Meta(ge=1, le=30)] = 8


class HistoryTool(BuiltinTool[HistoryInput]):
    def __init__(self, spec: ToolSpec, history: Callable[[], History]) -> None:
        super().__init__(spec, HistoryInput)
        self._history = history

    def names(self, arguments: Mapping[str, Any]) -> list[str]:  # noqa: ARG002 - a transcript is no file
        return []

    async def act(self, call: HistoryInput, bench: Bench) -> Outcome:
        operation = call.operation or ("around" if call.entry is not None else "search")
        with told():
            text = self._around(call, bench) if operation == "around" else await self._search(call, bench)
        return Outcome(content=text)

    async def _search(self, call: HistoryInput, bench: Bench) -> str:
        if not call.query or not call.query.strip():
            raise Refused("A search needs words in `query`. Rare words find most.")
        from daedal.ledger import words

        project = None if call.scope == "global" else bench.workspace
        over = Event()
        try:
            found = await asyncio.to_thread(
                self._history().search, call.query, project=project, limit=call.limit, is_over=over.is_set
            )
        finally:
            # Cancelled or not, nobody waits any more.
            over.set()
        wanted = words(call.query)
        told = [
            f"{_head(one, bench)}\n  {excerpt(_text(one, bench), wanted, EXCERPT_CHARACTERS)}" for one in found.entries
        ]
        if not told:
            wider = "" if project is None else ' or in all projects with scope "global"'
            told.append(f"No entry speaks of this. Look with rarer or other words{wider}.")
        if not found.is_complete:
            told.append("(The oldest entries are not indexed yet: search again to have them searched too.)")
        return "\n".join(told)

    def _around(self, call: HistoryInput, bench: Bench) -> str:
        if call.entry is None:
            raise Refused('operation "around" needs `entry`, the number of a search hit without its #.')
        entries = self._history().around(call.entry, before=call.before, after=call.after)
        return "\n".join(f"{_head(one, bench)}\n{shortened(_text(one, bench), _room(one, call))}" for one in entries)


def _room(entry: "HistoryEntry", call: HistoryInput) -> int:
    return HIT_CHARACTERS_MAX if entry.id == call.entry else NEIGHBOUR_CHARACTERS_MAX


def _head(entry: "HistoryEntry", bench: Bench) -> str:
    where = "this session" if entry.session_id == bench.thread_id else f"session {entry.session_id}"
    far = "" if entry.project_dir == bench.workspace else f" · {entry.project_dir}"
    return f"#{entry.id} {entry.created_at[:16]} {KINDS.get(entry.kind, entry.kind)} · {where}{far}"


def _text(entry: "HistoryEntry", bench: Bench) -> str:
    """What another project's session saw may hold secrets that nobody told us about: they stay there."""
    if entry.project_dir == bench.workspace:
        return entry.text
    from daedal.ledger import without_lookalikes

    return without_lookalikes(entry.text)
