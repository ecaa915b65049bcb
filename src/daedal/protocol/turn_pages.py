"""How is a long thread read turn by turn? By whoever keeps its record, without a look at the rest of it."""

from typing import Protocol

from daedal.protocol.records import StoredEntry
from daedal.protocol.seams import Transcript


class PagedTranscript(Transcript, Protocol):
    async def turn_entries(self, session_id: str, *, first: str, before: str | None) -> list[StoredEntry]:
        """What was recorded since the first of these turns began, until the other one did.

        Turns that a rewind took out are among it.
        """
        ...
