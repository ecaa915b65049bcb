"""What do some tools reach that lies behind the thread? What is remembered, and what was said and done before.

The tools `memory`, `remember`, `forget` and `history` know only what stands here; what the ledger keeps fits.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from daedal.protocol.errors import LedgerError, UsageError
from daedal.tools.errors import INTERNAL, Refused

if TYPE_CHECKING:
    from daedal.ledger import ArchivedMemory, HistoryEntry, HistoryFound, MemoryDraft, StoredMemory


class Memories(Protocol):
    """Facts that outlive a session. `project` is a folder; what belongs to others is then left out."""

    def search(self, query: str, *, project: str | None, limit: int) -> "list[StoredMemory]":
        """Called in a thread of its own."""
        ...

    def listed(self, *, project: str | None, limit: int) -> "list[StoredMemory]": ...

    def get(self, memory_id: str) -> "StoredMemory | None": ...

    async def remember(self, draft: "MemoryDraft", *, session_id: str) -> "StoredMemory":
        """Raises UsageError where it cannot be kept like this."""
        ...

    async def correct(self, memory_id: str, draft: "MemoryDraft", *, session_id: str) -> "StoredMemory": ...

    async def forget(self, memory_id: str, *, session_id: str) -> "ArchivedMemory": ...

    async def note_use(self, memory_id: str, *, session_id: str) -> None: ...


class History(Protocol):
    """The transcripts of all sessions."""

    def search(self, query: str, *, project: str | None, limit: int, is_over: Callable[[], bool]) -> "HistoryFound":
        """Called in a thread of its own; comes back early once `is_over` says that nobody waits."""
        ...

    def around(self, entry_id: int, *, before: int, after: int) -> "list[HistoryEntry]":
        """Raises UsageError where there is no such entry."""
        ...


@contextmanager
def told() -> Generator[None]:
    """What the ledger refuses becomes what the model reads."""
    try:
        yield
    except UsageError as error:
        raise Refused(str(error)) from error
    except LedgerError as error:
        raise Refused(f"{INTERNAL}{error}") from error
