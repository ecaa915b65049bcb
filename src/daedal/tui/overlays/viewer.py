"""What happened in full? All of the session on the whole screen; only what is in sight is drawn.

Where we are is an entry and a row of it, so that nothing above needs to be drawn or even be at hand: what is further
away is read from the record when one gets near it.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from daedal.protocol.catalogue import say
from daedal.tui.editing.buffer import Buffer
from daedal.tui.editing.emacs import edit
from daedal.tui.face import Face
from daedal.tui.overlay import Overlay
from daedal.tui.overlays.finding import marked, row_with, says
from daedal.tui.overlays.opened import opened
from daedal.tui.overlays.record import PAGE, SEARCHED, Stretch
from daedal.tui.terminal.keys import Key
from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row, cut_row, width
from daedal.tui.view import Entry

DRAWN_MAX = 400
NEAR = 20
"""So close to the first or last entry that is at hand, further ones are asked for."""
UP, DOWN = -1, 1
BELOW = 1 << 30
"""Below every row of an entry."""


class Viewer(Overlay):
    is_full = True

    def __init__(self, face: Face, fixed: list[Entry] | None = None) -> None:
        """The session, from its end; or `fixed` entries, from the first."""
        super().__init__()
        self._face = face
        self._record = Stretch(face, fixed)
        self._drawn: dict[int, list[Row]] = {}
        self._columns = 0
        self._height = 1
        self._entry = self._row = 0
        self._is_at_end = fixed is None
        self._shown: list[Row] = []
        self._one = asyncio.Lock()
        """Held by whoever reads: what is at hand changes under nobody's feet."""
        self._is_searching = False
        """What was seen last stays in sight meanwhile."""
        self._field: Buffer | None = None
        """Where something to look for is typed."""
        self._wanted = ""
        self._told = ""
        """What came of the last search."""
        does: tuple[tuple[str, Callable[[], None]], ...] = (
            ("q escape ctrl+o ctrl+c", self.finish),
            ("up k ctrl+p", lambda: self._up(1)),
            ("down j ctrl+n enter", lambda: self._down(1)),
            ("pageup b ctrl+b ctrl+u", lambda: self._up(self._height - 1)),
            ("pagedown space ctrl+f ctrl+d", lambda: self._down(self._height - 1)),
            ("home g", lambda: self._read(self._to_start())),
            ("end G", self._back_to_end),
            ("/", self._ask),
            ("n", lambda: self._search(UP)),
            ("N", lambda: self._search(DOWN)),
        )
        self._keys = {name.replace("space", " "): deed for names, deed in does for name in names.split()}

    # What is seen

    def rows(self, columns: int, height: int) -> list[Row]:
        if columns != self._columns:
            self._drawn.clear()
            self._columns = columns
        self._height = max(height - 1, 1)
        if self._is_searching and len(self._shown) == self._height:
            return [*self._shown, cut_row(self._status(), columns)]
        self._record.keep_up()
        if self._is_at_end and self._record.is_end:
            self._to_end()
        shown: list[Row] = []
        entry, row = self._entry, self._row
        while len(shown) < self._height and entry < len(self._record.entries):
            shown += self._of(entry)[row:]
            entry, row = entry + 1, 0
        shown = [cut_row(marked(line, self._wanted), columns) for line in shown[: self._height]]
        shown += [[("quiet", "~")]] * (self._height - len(shown))
        self._shown = shown
        self._look_ahead()
        return [*shown, cut_row(self._status(), columns)]

    def _status(self) -> Row:
        if self._field is not None:
            return [("accent", "/"), ("", flat(self._field.text))]
        number = self._record.offset + min(self._entry + 1, len(self._record.entries))
        where = say("tui.transcript.where", number=f"{number:,}", count=f"{self._record.total:,}")
        told = self._told or (say("tui.transcript.reading") if self._one.locked() else "")
        return [
            ("selected", f" {where} "),
            ("warn", f" {told}" if told else ""),
            ("quiet", f" {say('tui.transcript.keys')}"),
        ]

    @property
    def cursor(self) -> tuple[int, int] | None:
        if self._field is None:
            return None
        return self._height, 1 + width(flat(self._field.text[: self._field.at]))

    def _of(self, number: int) -> list[Row]:
        found = self._drawn.get(number)
        if found is None:
            if len(self._drawn) > DRAWN_MAX:
                self._drawn.clear()
            drawn = opened(self._record.entries[number].body, self._columns)
            found = self._drawn[number] = [*drawn, []] if drawn else []
        return found

    # What keys do

    def key(self, key: Key) -> None:
        self._told = ""
        if self._field is not None:
            self._type(key)
            return
        if key.name == "escape" and self._wanted:
            self._wanted = ""
        elif key.name in self._keys:
            self._keys[key.name]()

    def _back_to_end(self) -> None:
        self._record.to_end()
        self._drawn.clear()
        self._is_at_end = True

    def _ask(self) -> None:
        self._field = Buffer()

    def _type(self, key: Key) -> None:
        field = self._field
        assert field is not None
        if key.name == "enter":
            self._field, self._wanted = None, field.text.strip().lower()
            self._search(UP)
        elif key.name in ("escape", "ctrl+c") or (key.name == "backspace" and not field.text):
            self._field = None
        else:
            edit(field, key)

    def _up(self, count: int) -> None:
        self._is_at_end = False
        while count > 0:
            if self._row >= count:
                self._row -= count
                return
            count -= self._row
            if self._entry == 0:
                self._row = 0
                return
            self._entry -= 1
            self._row = len(self._of(self._entry))

    def _down(self, count: int) -> None:
        entries = self._record.entries
        while count > 0 and self._entry < len(entries):
            left = len(self._of(self._entry)) - self._row
            if left > count:
                self._row += count
                break
            count -= left
            self._entry, self._row = self._entry + 1, 0
        if self._entry >= len(entries) or self._left_below() <= self._height:
            self._is_at_end = True
            self._to_end()

    def _left_below(self) -> int:
        """How many rows there are from here on, as far as that matters."""
        total, entry = -self._row, self._entry
        while entry < len(self._record.entries) and total <= self._height:
            total += len(self._of(entry))
            entry += 1
        return total

    def _to_end(self) -> None:
        entry, total = len(self._record.entries), 0
        while entry > 0 and total < self._height:
            entry -= 1
            total += len(self._of(entry))
        self._entry, self._row = entry, max(total - self._height, 0)

    # What has to be read first

    def _look_ahead(self) -> None:
        if self._one.locked():
            return
        if self._entry < NEAR and self._record.offset > 0:
            self._read(self._further_up())
        elif self._entry >= len(self._record.entries) - NEAR and not self._record.is_end:
            self._read(self._further_down())

    def _read(self, reading: Coroutine[Any, Any, None]) -> None:
        self._face.work(self._in_turn(reading))

    async def _in_turn(self, reading: Coroutine[Any, Any, None]) -> None:
        try:
            async with self._one:
                await reading
        finally:
            reading.close()
            self._face.redraw()

    async def _to_start(self) -> None:
        if self._record.offset:
            await self._record.to_start()
            self._drawn.clear()
        self._entry = self._row = 0
        self._is_at_end = False

    async def _further_up(self, limit: int = PAGE) -> None:
        count = await self._record.further_up(limit)
        self._drawn.clear()
        self._entry += count
        self._is_at_end = self._is_at_end and self._record.is_end

    async def _further_down(self, limit: int = PAGE) -> None:
        gone = await self._record.further_down(limit)
        self._drawn.clear()
        self._entry = max(self._entry - gone, 0)
        self._is_at_end = False

    # Looking for something

    def _search(self, way: int) -> None:
        if self._wanted:
            self._read(self._find(way))

    async def _find(self, way: int) -> None:
        before = (self._record.place(), self._entry, self._row)
        self._is_searching = True
        try:
            if not await self._go_to_next(way):
                place, self._entry, self._row = before
                self._record.back_to(place)
                self._drawn.clear()
                self._told = say("tui.transcript.not_found", wanted=self._wanted) if self._wanted else ""
        finally:
            self._is_searching = False

    async def _go_to_next(self, way: int) -> bool:
        """False where there is none, or the person wants nothing any more."""
        wanted, at, row = self._wanted, self._entry, self._row
        if self._is_at_end:
            at, row = len(self._record.entries) - 1, BELOW
        while wanted == self._wanted and not self.finished.done():
            while 0 <= at < len(self._record.entries):
                if says(self._record.entries[at].body, wanted):
                    rows = [number for number in row_with(self._of(at), wanted) if (number - row) * way > 0]
                    if rows:
                        self._entry, self._row = at, rows[-1 if way == UP else 0]
                        self._is_at_end, self._told = False, ""
                        return True
                at += way
                row = BELOW if way == UP else -1
            if (way == UP and not self._record.offset) or (way == DOWN and self._record.is_end):
                return False
            at = await self._searched_on(way)
        return False

    async def _searched_on(self, way: int) -> int:
        """The next page, and where to go on in it."""
        before = self._record.offset
        if way == UP:
            await self._further_up(SEARCHED)
            at = before - self._record.offset - 1
        else:
            length = len(self._record.entries)
            await self._further_down(SEARCHED)
            at = length - (self._record.offset - before)
        self._told = say("tui.transcript.searching", number=f"{self._record.offset:,}")
        self._face.redraw()
        return at
