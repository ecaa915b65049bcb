"""How are threads copied, put aside and named, and their turns listed? What only clients from outside ask."""

from msgspec import Struct

from daedal.protocol.threads import ThreadOptions
from daedal.protocol.turns import Turn


class ThreadForkParams(ThreadOptions, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    last_turn_id: str | None = None
    """Leave out what came after it."""
    exclude_turns: bool = False
    without_model: bool = False


class ThreadArchiveParams(Struct, rename="camel", frozen=True, kw_only=True):
    """Also `thread/unarchive` and `thread/unsubscribe`."""

    thread_id: str


class ThreadNameParams(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    name: str


class TurnListParams(Struct, rename="camel", frozen=True, kw_only=True):
    thread_id: str
    cursor: str | None = None
    limit: int | None = None
    items_view: str | None = None
    sort_direction: str | None = None


class TurnListResponse(Struct, rename="camel", frozen=True, kw_only=True):
    data: list[Turn]
    next_cursor: str | None = None


class LoadedListResponse(Struct, rename="camel", frozen=True, kw_only=True):
    data: list[str]
    next_cursor: str | None = None


class UnsubscribeResponse(Struct, rename="camel", frozen=True, kw_only=True):
    status: str
