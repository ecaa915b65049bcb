"""How does a row of `memories` look to the rest of the house? An operator may have written it, with anything in it."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct


class StoredMemory(Struct, frozen=True, kw_only=True):
    """A row of `memories`, column by column."""

    id: str
    type: str
    title: str
    content: str | None
    keywords: str | None
    anticipated_queries: str | None
    concept_tags: str | None
    project_scope: str | None
    """The project's folder; None holds everywhere."""
    correction_count: int
    created_at: int
    """Seconds since the epoch, as all times here."""
    updated_at: int
    last_accessed: int | None
    access_count: int
    attention_score: float


class ArchivedMemory(StoredMemory, frozen=True, kw_only=True):
    """A memory that was forgotten."""

    archived_at: int


COLUMNS = StoredMemory.__struct_fields__
ARCHIVED_COLUMNS = ArchivedMemory.__struct_fields__


def stored(row: Sequence[Any]) -> StoredMemory:
    return StoredMemory(**_values(COLUMNS, row))


def archived(row: Sequence[Any]) -> ArchivedMemory:
    return ArchivedMemory(**_values(ARCHIVED_COLUMNS, row))


def moment(at: int) -> str:
    """A time of a memory, for people and models, in UTC."""
    try:
        # Others write times in milliseconds; as seconds this would be the year 5138.
        return time.strftime("%Y-%m-%d %H:%M", time.gmtime(at / 1000 if at >= 10**11 else at))
    except (ValueError, OverflowError, OSError):
        return "?"


def _values(columns: Sequence[str], row: Sequence[Any]) -> dict[str, Any]:
    """An operator's own rows may hold numbers where text belongs, and nothing where we have a number."""
    return {name: _READ_AS[name](value) for name, value in zip(columns, row, strict=True)}


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _said(value: Any) -> str:
    return _text(value) or ""


def _whole(value: Any) -> int:
    try:
        return int(value) if isinstance(value, int | float) else 0
    except (ValueError, OverflowError):
        return 0  # neither infinity nor what is no number


def _when(value: Any) -> int | None:
    return None if value is None else _whole(value)


def _score(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


_READ_AS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("id", "type", "title"), _said),
    **dict.fromkeys(("content", "keywords", "anticipated_queries", "concept_tags", "project_scope"), _text),
    **dict.fromkeys(("correction_count", "created_at", "updated_at", "access_count", "archived_at"), _whole),
    "last_accessed": _when,
    "attention_score": _score,
}
