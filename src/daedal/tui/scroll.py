"""What goes into the scrollback now, and what is still open? Each thing is drawn once when it is finished.

A message is finished piece by piece while it is being said: a paragraph that no further word can change is printed, and
only the last one is drawn again and again.
"""

from daedal.tui.blocks import is_line, rows
from daedal.tui.markdown.splitting import FENCE, GOES_ON, ITEM, split
from daedal.tui.terminal.widths import Row, wrap
from daedal.tui.view import Entry, View

OPEN_ROWS_MAX = 20
"""Of a paragraph that does not end, only the last rows are drawn again and again; all of it when it has ended."""

KEPT_MAX = 1000
"""So many entries that are in the scrollback are kept at hand; the record has those before them."""


class Scroll:
    def __init__(self, view: View) -> None:
        self._view = view
        self._printed = 0
        """How many of the view's entries are in the scrollback."""
        self._message_id = ""
        self._read = 0
        """How far the message was read, in letters."""
        self._pieces = 0
        """The same in pieces."""
        self._rest = ""
        self._before = ""
        """What was printed last: `line`, `item`, `piece`, or something else."""

    def reset(self, printed: int = 0) -> None:
        """Another thread: of its entries so many count as printed."""
        self._printed, self._message_id, self._read, self._pieces = printed, "", 0, 0
        self._rest = self._before = ""

    def take(self, columns: int) -> list[Row]:
        """What has been finished since it was asked last."""
        found: list[Row] = []
        entries = self._view.entries
        while self._printed < len(entries):
            found += self._entry(entries[self._printed], columns)
            self._printed += 1
        if self._printed > KEPT_MAX:
            self._view.forget(self._printed - KEPT_MAX // 2)
            self._printed = KEPT_MAX // 2
        message = self._view.message
        if message is not None:
            if message.id != self._message_id:
                found += self._flush(columns)
                self._message_id, self._read, self._pieces, self._rest = message.id, 0, 0, ""
            new = "".join(message.pieces[self._pieces :])
            self._read += len(new)
            self._pieces = len(message.pieces)
            self._rest += new
            if "\n" in new:
                closed, self._rest = split(self._rest)
                for piece in closed:
                    found += self._piece(piece, columns)
        elif self._message_id:
            found += self._flush(columns)
        return found

    def open(self, columns: int) -> list[Row]:
        """The piece that is still being said."""
        if self._view.message is None or not self._rest.strip():
            return []
        from daedal.tui.markdown.rendering import render

        return [*self._gap(self._rest), *render(_tail(self._rest, columns * OPEN_ROWS_MAX), columns)]

    def _flush(self, columns: int) -> list[Row]:
        """The message is over, or was broken off: nothing more will come to what is left of it."""
        rest, self._rest, self._message_id = self._rest, "", ""
        return self._piece(rest, columns) if rest.strip() else []

    def _entry(self, entry: Entry, columns: int) -> list[Row]:
        if self._message_id and getattr(entry.body, "id", None) == self._message_id:
            # It was printed while it was said, up to the last piece; the end that was not heard yet comes with it.
            self._rest += entry.body.text[self._read :]
            return self._flush(columns)
        drawn = self._drawn(entry, columns)
        if not drawn:
            return []
        kind = "line" if is_line(entry.body) else "block"
        gap: list[Row] = [] if kind == "line" and self._before == "line" else [[]]
        self._before = kind
        return [*gap, *drawn]

    @staticmethod
    def _drawn(entry: Entry, columns: int) -> list[Row]:
        if not entry.is_aside:
            return rows(entry.body, columns)
        first: Row = [("quiet", "  ↳ ")]
        return [row for line in rows(entry.body, columns - 4)[:1] for row in wrap(line, columns, first=first)[:1]]

    def _piece(self, piece: str, columns: int) -> list[Row]:
        from daedal.tui.markdown.rendering import render

        drawn = render(piece, columns)
        if not drawn:
            return []
        gap = self._gap(piece)
        self._before = "item" if ITEM.match(piece) else "piece"
        return [*gap, *drawn]

    def _gap(self, piece: str) -> list[Row]:
        """Between pieces there is a blank row, but not between items of a list or parts of one fence."""
        is_item = ITEM.match(piece) and self._before == "item"
        return [] if is_item or GOES_ON in piece.partition("\n")[0] else [[]]


def _tail(text: str, length_max: int) -> str:
    if len(text) <= length_max:
        return text
    first, _, _ = text.partition("\n")
    tail = text[-length_max:].partition(" ")[2]
    return f"{first}\n{tail}" if FENCE.match(first) else tail
