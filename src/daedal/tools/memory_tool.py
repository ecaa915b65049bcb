"""How does the model look at what was remembered? By words, as a list, or one memory whole."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.tools.errors import Refused
from daedal.tools.excerpts import excerpt
from daedal.tools.recall import Memories, told
from daedal.tools.tool import BuiltinTool

if TYPE_CHECKING:
    from daedal.ledger import StoredMemory

EXCERPT_CHARACTERS = 300


class MemoryInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    operation: Literal["search", "list", "read"] | None = None
    query: str | None = None
    id: str | None = None
    scope: Literal["project", "global"] = "project"
    limit: Annotated[int, Meta(ge=1, le=50)] = 10


class Memory(BuiltinTool[MemoryInput]):
    def __init__(self, spec: ToolSpec, memories: Callable[[], Memories]) -> None:
        super().__init__(spec, MemoryInput)
        self._memories = memories

    def names(self, arguments: Mapping[str, Any]) -> list[str]:  # noqa: ARG002 - a memory is no file
        return []

    async def act(self, call: MemoryInput, bench: Bench) -> Outcome:
        operation = call.operation or ("read" if call.id else "search" if call.query else "list")
        project = None if call.scope == "global" else bench.workspace
        with told():
            if operation == "read":
                return Outcome(content=await self._read(call.id or "", bench))
            if operation == "list":
                found = self._memories().listed(project=project, limit=call.limit)
                return Outcome(content=_listed(found, [], bench) or _nothing(call, "Nothing is remembered"))
            return Outcome(content=await self._search(call, project, bench))

    async def _search(self, call: MemoryInput, project: str | None, bench: Bench) -> str:
        if not call.query or not call.query.strip():
            raise Refused('A search needs words in `query`; operation "list" shows the newest without any.')
        from daedal.ledger import words

        found = await asyncio.to_thread(self._memories().search, call.query, project=project, limit=call.limit)
        return _listed(found, words(call.query), bench) or _nothing(call, "No memory speaks of this")

    async def _read(self, memory_id: str, bench: Bench) -> str:
        memory = known(self._memories(), memory_id)
        await self._memories().note_use(memory.id, session_id=bench.thread_id)
        parts = {
            "Keywords": memory.keywords,
            "Anticipated queries": memory.anticipated_queries,
            "Concept tags": memory.concept_tags,
        }
        told = [f"{name}: {value}" for name, value in parts.items() if value]
        return "\n".join([head(memory, bench), memory.content or "", *told])


def known(memories: Memories, memory_id: str) -> "StoredMemory":
    """Raises Refused where there is no such memory."""
    memory = memories.get(memory_id.strip())
    if memory is None:
        raise Refused(f"There is no memory {memory_id!r}. `memory` finds the ids there are.")
    return memory


def head(memory: "StoredMemory", bench: Bench) -> str:
    """A memory in one line."""
    from daedal.ledger import moment

    scope = memory.project_scope
    where = "this project" if scope == bench.workspace else f"project {scope}" if scope else "everywhere"
    return f"{memory.id} · {memory.title} ({memory.type}, {where}, {moment(memory.updated_at)[:10]})"


def _listed(found: "Sequence[StoredMemory]", words: Sequence[str], bench: Bench) -> str:
    return "\n".join(
        f"{head(memory, bench)}\n  {excerpt(memory.content or '', words, EXCERPT_CHARACTERS)}".rstrip()
        for memory in found
    )


def _nothing(call: MemoryInput, what: str) -> str:
    wider = "" if call.scope == "global" else ' or in all projects with scope "global"'
    return f"{what}. Look with rarer or other words{wider}; for exact wording or tool output search `history`."
