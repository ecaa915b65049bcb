"""What of a session does the viewer have at hand? A part of it without gaps, which grows where one looks further.

What the chat keeps is the end; everything else is read from the record, page by page, and let go of again.
"""

from typing import Any, NamedTuple

from daedal.protocol.item_pages import ItemListParams, ItemListResponse
from daedal.tui.face import Face
from daedal.tui.view import Entry, is_recorded

PAGE, SEARCHED = 200, 500
"""So much is read at a time by whoever scrolls, and by whoever searches: each page has its own cost."""
AT_HAND_MAX = 2000


class Place(NamedTuple):
    """What was at hand at some time."""

    entries: list[Entry]
    offset: int
    is_end: bool


class Stretch:
    """Entries one after the other. `offset` items lie before them; `is_end` where the last one is the newest."""

    def __init__(self, face: Face, fixed: list[Entry] | None = None) -> None:
        """`fixed` is all there is, instead of the session."""
        self._face = face
        self._fixed = fixed
        self.entries: list[Entry] = []
        self.offset = self._total = 0
        self.is_end = True
        self._taken = 0
        """So many of the chat's entries were looked at."""
        self.to_end()

    @property
    def total(self) -> int:
        return max(self._total, self.offset + len(self.entries))

    def to_end(self) -> None:
        """What the chat has at hand."""
        self.is_end = True
        if self._fixed is not None:
            self.entries = self._fixed
            return
        self.entries = list(self._face.view.entries)
        self.offset = self._total = self._face.view.earlier
        self._taken = len(self.entries)

    def keep_up(self) -> None:
        """With what was finished meanwhile."""
        told = self._face.view.entries if self._fixed is None else []
        if self.is_end and len(told) > self._taken:
            known = {getattr(entry.body, "id", None) for entry in self.entries[-PAGE:] if is_recorded(entry)}
            self.entries += [entry for entry in told[self._taken :] if getattr(entry.body, "id", "") not in known]
        self._taken = len(told)

    def place(self) -> Place:
        return Place(list(self.entries), self.offset, self.is_end)

    def back_to(self, place: Place) -> None:
        self.entries, self.offset, self.is_end = place

    async def to_start(self) -> None:
        page = await self._page(after="")
        self.entries, self.offset = _entries(page), 0
        self.is_end = len(page.data) >= page.total

    async def further_up(self, limit: int = PAGE) -> int:
        """How many came before what there was."""
        first = next((entry.body.id for entry in self.entries if is_recorded(entry)), None)
        page = await self._page(limit, before=first)
        found = _entries(page)
        self.entries[:0] = found
        self.offset = page.offset if found else 0
        if len(self.entries) > AT_HAND_MAX:
            del self.entries[AT_HAND_MAX:]
            self.is_end = False
        return len(found)

    async def further_down(self, limit: int = PAGE) -> int:
        """How many of the first were let go of for what came after the last."""
        last = next(entry.body.id for entry in reversed(self.entries) if is_recorded(entry))
        page = await self._page(limit, after=last)
        self.entries += _entries(page)
        self.is_end = page.offset + len(page.data) >= page.total
        gone = max(len(self.entries) - AT_HAND_MAX, 0)
        del self.entries[:gone]
        self.offset += gone
        return gone

    async def _page(self, limit: int = PAGE, **where: Any) -> ItemListResponse:
        params = ItemListParams(thread_id=self._face.view.thread_id, limit=limit, **where)
        page: ItemListResponse = await self._face.call("thread/items/list", params)
        self._total = page.total
        return page


def _entries(page: ItemListResponse) -> list[Entry]:
    return [Entry(placed.item, placed.turn_id) for placed in page.data]
