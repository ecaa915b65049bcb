"""How does the model keep a fact for later sessions, or correct one? With the user's leave each time."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.tools.memory_tool import head, known
from daedal.tools.recall import Memories, told
from daedal.tools.tool import BuiltinTool

if TYPE_CHECKING:
    from daedal.ledger import MemoryDraft

Words = Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=20)]


class RememberInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    title: Annotated[str, Meta(min_length=1, max_length=200)]
    content: Annotated[str, Meta(min_length=1, max_length=8000)]
    type: Literal["user", "feedback", "project", "reference"] | None = None
    scope: Literal["project", "global"] | None = None
    keywords: Words | None = None
    anticipated_queries: Words | None = None
    concept_tags: Words | None = None
    id: str | None = None
    """Of the memory that this corrects; what is left out stays as it is there."""


class Remember(BuiltinTool[RememberInput]):
    def __init__(self, spec: ToolSpec, memories: Callable[[], Memories]) -> None:
        super().__init__(spec, RememberInput)
        self._memories = memories

    def names(self, arguments: Mapping[str, Any]) -> list[str]:  # noqa: ARG002 - a memory is no file
        return []

    async def act(self, call: RememberInput, bench: Bench) -> Outcome:
        with told():
            if call.id:
                before = known(self._memories(), call.id)
                draft = _draft(call, bench, scope=call.scope)
                after = await self._memories().correct(before.id, draft, session_id=bench.thread_id)
                return Outcome(content=f"Corrected: {head(after, bench)}")
            draft = _draft(call, bench, scope=call.scope or "project")
            kept = await self._memories().remember(draft, session_id=bench.thread_id)
            return Outcome(content=f"Remembered: {head(kept, bench)}")


def _draft(call: RememberInput, bench: Bench, *, scope: str | None) -> "MemoryDraft":
    from daedal.ledger import MemoryDraft

    return MemoryDraft(
        title=call.title,
        content=call.content,
        type=call.type or (UNSET if call.id else "project"),
        keywords=_joined(call.keywords, ", "),
        anticipated_queries=_joined(call.anticipated_queries, "\n"),
        concept_tags=_joined(call.concept_tags, ", "),
        project_scope=UNSET if scope is None else bench.workspace if scope == "project" else None,
    )


def _joined(given: list[str] | None, mark: str) -> Any:
    return UNSET if given is None else mark.join(" ".join(one.split()) for one in given if one.strip())
