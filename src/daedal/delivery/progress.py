"""What is going on, for whoever shows it? Facts of a delivery as they happen."""

from collections.abc import Callable

from msgspec import Struct


class SessionStarted(Struct, tag_field="type", tag="session_started", frozen=True, kw_only=True):
    number: int
    instruction: str
    model: str


class SessionEnded(Struct, tag_field="type", tag="session_ended", frozen=True, kw_only=True):
    number: int
    outcome: str
    thread_id: str
    cost_usd: float
    duration_s: float
    detail: str = ""


class Activity(Struct, tag_field="type", tag="activity", frozen=True, kw_only=True):
    kind: str
    """`thinking`, `tool`, `tool_done` or `text`."""
    name: str = ""
    """Of the tool."""


class Detail(Struct, tag_field="type", tag="detail", frozen=True, kw_only=True):
    """Everything that the engine says, for whoever wants to see it all."""

    method: str
    params: object


class DeliverableChanged(Struct, tag_field="type", tag="deliverable", frozen=True, kw_only=True):
    id: str
    description: str
    change: str
    """`created`, `passed`, `blocked`, `pending`, `deprecated`, `verified`, `stale` or, after that, `confirmed`."""


class Waiting(Struct, tag_field="type", tag="waiting", frozen=True, kw_only=True):
    remaining_s: float
    resets_at: str
    """Empty where nobody said."""


class Note(Struct, tag_field="type", tag="note", frozen=True, kw_only=True):
    level: str
    """`info`, `warning` or `error`."""
    message: str


Fact = SessionStarted | SessionEnded | Activity | Detail | DeliverableChanged | Waiting | Note
Tell = Callable[[Fact], None]
