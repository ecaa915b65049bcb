"""How does a thread go back to an earlier turn? To which ones, what comes of it, and what cannot be undone."""

from collections.abc import Iterable

from msgspec import Struct

from daedal.protocol.records import EntryType, StoredEntry
from daedal.protocol.threads import Thread

REWIND = "rewind"
"""The subtype of the system entry that says from where a context goes on. Nothing of a record is ever deleted."""


class RewindListParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`thread/rewind/list`, ours: the turns that a thread can go back to, oldest first."""

    thread_id: str


class RewindFile(Struct, rename="camel", frozen=True, kw_only=True):
    path: str
    change: str
    """What the turn did: `added`, `changed` or `removed`."""


class SideEffect(Struct, rename="camel", frozen=True, kw_only=True):
    """Something that was done and that no rewind undoes."""

    kind: str
    """`command` or `tool`."""
    text: str
    tool_use_id: str


class RewindPoint(Struct, rename="camel", frozen=True, kw_only=True):
    """A turn, and what it did."""

    turn_id: str
    kind: str
    """`turn`, `shell` (a command that the person typed) or `rewind`: to go back before a rewind is to undo it."""
    text: str
    """The person's words, shortened."""
    started_at: int
    in_context: bool
    """Whether the model still knows of it."""
    files: list[RewindFile] = []
    effects: list[SideEffect] = []


class RewindListResponse(Struct, rename="camel", frozen=True, kw_only=True):
    data: list[RewindPoint]


class RewindParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`thread/rewind`, ours. The thread must be loaded and idle."""

    thread_id: str
    before_turn_id: str
    conversation: bool = True
    files: bool = True
    force: bool = False
    """Also overwrite what somebody else has changed since."""
    dry_run: bool = False
    """Only say what would come of it."""


class ThreadRevertParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`thread/revert`: the conversation alone, as Codex has it."""

    thread_id: str
    before_turn_id: str


class RestoredFile(Struct, rename="camel", frozen=True, kw_only=True):
    path: str
    action: str
    """`restored`, `removed`, or `unchanged` where it is already as it was."""


class KeptFile(Struct, rename="camel", frozen=True, kw_only=True):
    """A file that was left as it is."""

    path: str
    why: str
    """`changedSince`, `outside`, `protected`, `missing` (what it was is not kept any more) or `trouble`."""
    detail: str


class RewindResponse(Struct, rename="camel", frozen=True, kw_only=True):
    thread: Thread
    turn_id: str
    """Of the rewind itself; empty for a dry run."""
    turns: list[str]
    """What the model does not know of any more."""
    text: str
    """The words of the turn that was gone back to, whole."""
    restored: list[RestoredFile]
    kept: list[KeptFile]
    effects: list[SideEffect]


class StoredSnapshot(Struct, frozen=True, kw_only=True):
    """A file as it was before a call changed it, with where that stands on the record."""

    number: int
    """Counts over all sessions, in the order of what happened."""
    turn_id: str
    tool_use_id: str
    path: str
    blob: str
    existed: bool
    after: str | None
    """The imprint of what the call left; None where nobody knows."""
    under: str | None
    """The nearest folder that was there already, where the file was not."""


class StoredDeed(Struct, frozen=True, kw_only=True):
    """A tool call of a session, or of one that worked for it."""

    number: int
    tool_use_id: str
    tool: str
    command: str
    is_refused: bool


class FamilyRecord(Struct, frozen=True, kw_only=True):
    """What a session and those that worked for it did to the world."""

    begins: dict[str, int]
    """By turn of the session, in order: the number of its first entry."""
    snapshots: list[StoredSnapshot]
    deeds: list[StoredDeed]


class Unrestorable(Exception):
    """A file cannot be put back as it was."""

    def __init__(self, why: str, detail: str) -> None:
        super().__init__(detail)
        self.why = why
        self.detail = detail


def rewinds(entries: Iterable[StoredEntry]) -> list[StoredEntry]:
    return [
        entry for entry in entries if entry.entry_type is EntryType.SYSTEM and entry.payload.get("subtype") == REWIND
    ]


def out_of_context(entries: Iterable[StoredEntry]) -> frozenset[str]:
    """Turns that do not count any more: those that a rewind took out, unless a later one took that rewind out."""
    gone: set[str] = set()
    found = rewinds(entries)
    for entry in reversed(found):
        if entry.turn_id not in gone:
            gone.update(entry.payload["turns"])
    return frozenset(gone)
