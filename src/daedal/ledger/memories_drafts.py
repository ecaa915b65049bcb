"""What can be kept as a memory? Text within limits, and nothing twice under one title."""

import sqlite3
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError

TITLE_CHARACTERS_MAX = 200
CONTENT_CHARACTERS_MAX = 8_000
LISTS_CHARACTERS_MAX = 2_000
"""Of keywords, anticipated queries and tags, each as one text."""
TYPE_CHARACTERS_MAX = 40
SCOPE_CHARACTERS_MAX = 4_096


class MemoryDraft(Struct, frozen=True, kw_only=True):
    """What is to be remembered, or corrected: what is not set stays as it is."""

    title: str | UnsetType = UNSET
    content: str | UnsetType = UNSET
    type: str | UnsetType = UNSET
    keywords: str | UnsetType = UNSET
    anticipated_queries: str | UnsetType = UNSET
    concept_tags: str | UnsetType = UNSET
    project_scope: str | UnsetType | None = UNSET


class MemoryRefused(UsageError):
    """It cannot be kept like this, or there is none like that; the sentence says what to do."""


_LIMITS = {
    "title": TITLE_CHARACTERS_MAX,
    "content": CONTENT_CHARACTERS_MAX,
    "type": TYPE_CHARACTERS_MAX,
    "project_scope": SCOPE_CHARACTERS_MAX,
}


def checked(draft: MemoryDraft) -> dict[str, Any]:
    """What the draft sets, by column. Raises MemoryRefused for what is too long."""
    given: dict[str, Any] = {}
    for name in MemoryDraft.__struct_fields__:
        value = getattr(draft, name)
        if value is UNSET:
            continue
        given[name] = value if value is None else _clean(value, is_line=name in ("title", "type"))
        limit = _LIMITS.get(name, LISTS_CHARACTERS_MAX)
        if value is not None and len(given[name]) > limit:
            raise MemoryRefused(say("ledger.memory_long", part=name, length=len(given[name]), limit=limit))
    return given


def _clean(text: str, *, is_line: bool) -> str:
    """Text that a file and an index can hold."""
    plain = text.replace("\0", "").encode("utf-8", "replace").decode()
    return " ".join(plain.split()) if is_line else plain.strip()


def refuse_twin(connection: sqlite3.Connection, title: str, scope: str | None, memory_id: str) -> None:
    twin = connection.execute(
        "SELECT id FROM memories WHERE title = ? COLLATE NOCASE AND project_scope IS ? AND id <> ? LIMIT 1",
        (title, scope, memory_id),
    ).fetchone()
    if twin is not None:
        raise MemoryRefused(say("ledger.memory_twin", id=twin[0], title=title))
