"""How do finished lines get above an area that is redrawn? Only what changed is written, in one piece.

The area knows the rows that it drew last. Finished lines are written over it, the area comes below them anew, and the
terminal scrolls as it does for any program, so that its own scrollback has everything. A row never wraps here, even
where a terminal measures a character otherwise than we do.
"""

from collections.abc import Sequence

from daedal.tui.terminal.raw import Terminal

BEGIN, END = "\x1b[?2026h\x1b[?25l", "\x1b[?2026l"
"""Terminals that know the pair show nothing until the end; others ignore it."""
NO_WRAP, WRAP = "\x1b[?7l", "\x1b[?7h"
SHOW_CURSOR = "\x1b[?25h"
OTHER_SCREEN, OWN_SCREEN = "\x1b[?1049h\x1b[H\x1b[2J", "\x1b[?1049l"

Cursor = tuple[int, int] | None
"""Row in the area, and column; None hides it."""


class Painter:
    """Strings that it is given are painted already, and as wide as they are said to be."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._rows: list[str] = []
        self._widths: list[int] = []
        self._at = 0
        """The row of the area that the cursor is in."""
        self._columns = terminal.size()[0]
        self._is_full = False

    def draw(
        self, rows: Sequence[str], widths: Sequence[int], cursor: Cursor, above: Sequence[tuple[str, int]] = ()
    ) -> None:
        """The area, with finished lines above it and how wide those are."""
        columns = self._terminal.size()[0]
        out = [BEGIN]
        if above:
            out.append(self._to(0))
            # Over the old rows, each to its end, so that nothing is blank in between.
            out += [f"\r{line}{_rest_of(taken, columns)}\n" for line, taken in above]
            # How many screen rows that took nobody knows who does not measure: below is erased and drawn anew.
            self._rows, self._at = [], 0
            out.append("\r\x1b[J")
        out.append(NO_WRAP)
        for index, row in enumerate(rows):
            if index < len(self._rows) and self._rows[index] == row:
                continue
            out += [self._to(index), f"\r{row}{_rest_of(widths[index], columns)}"]
        if len(self._rows) > len(rows):
            out += [self._to(len(rows)), "\r\x1b[J"]
        self._rows, self._widths = list(rows), list(widths)
        out.append(WRAP)
        if cursor is not None:
            out += [self._to(cursor[0]), f"\r\x1b[{cursor[1]}C" if cursor[1] else "\r", SHOW_CURSOR]
        out.append(END)
        if len(out) > 5 or cursor is not None:
            self._terminal.write("".join(out))

    def _to(self, row: int) -> str:
        """Moves the cursor to a row of the area, which may be the next one that there is not yet."""
        steps, self._at = row - self._at, row
        if steps < 0:
            return f"\x1b[{-steps}A"
        # A line feed makes room at the bottom of the screen, and is a plain step anywhere else.
        return "\n" * steps

    def resized(self) -> None:
        """The terminal has another width, and may have broken our rows anew: what they became is erased."""
        columns = self._terminal.size()[0]
        if self._is_full or not self._rows:
            self._columns = columns
            return
        above = self._widths[: self._at]
        broken = sum(max(-(-taken // columns), 1) for taken in above) if columns < self._columns else len(above)
        self._terminal.write(f"{BEGIN}\r" + (f"\x1b[{broken}A" if broken else "") + "\x1b[J" + END)
        self._rows, self._widths, self._at, self._columns = [], [], 0, columns

    def erase(self) -> None:
        """Nothing of the area is left; the cursor is where it began."""
        self._terminal.write(self._to(0) + "\r\x1b[J" + SHOW_CURSOR)
        self._rows, self._widths = [], []

    def forget(self) -> None:
        """Somebody else has written to the terminal: the area is drawn anew where the cursor is now."""
        self._rows, self._widths, self._at = [], [], 0
        self._columns = self._terminal.size()[0]

    def clear(self) -> None:
        """The screen and what was scrolled off."""
        self._terminal.write("\x1b[H\x1b[2J\x1b[3J")
        self.forget()

    def fill(self, rows: Sequence[str], widths: Sequence[int], cursor: Cursor) -> None:
        """The whole screen instead, beside the one that scrolls."""
        out = [BEGIN]
        if not self._is_full:
            out.append(OTHER_SCREEN)
            self._is_full = True
        out.append(NO_WRAP)
        columns = self._terminal.size()[0]
        out += [f"\x1b[{number};1H{row}{_rest_of(widths[number - 1], columns)}" for number, row in enumerate(rows, 1)]
        out.append(WRAP)
        if cursor is not None:
            out += [f"\x1b[{cursor[0] + 1};{cursor[1] + 1}H", SHOW_CURSOR]
        self._terminal.write("".join([*out, END]))

    def unfill(self) -> None:
        """Back to the screen that scrolls, as it was left."""
        if self._is_full:
            self._is_full = False
            self._terminal.write(OWN_SCREEN)
            if self._terminal.size()[0] != self._columns:
                self.resized()


def _rest_of(taken: int, columns: int) -> str:
    """Erases the rest of a row. Behind a full one the cursor stands on its last character, which has to stay."""
    return "\x1b[K" if not taken or taken % columns else ""
