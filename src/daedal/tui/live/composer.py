"""Where is a prompt written? The buffer with its history and pastes, and how it looks."""

from collections.abc import Callable

from daedal.protocol.catalogue import say
from daedal.tui.editing.buffer import Buffer
from daedal.tui.editing.emacs import edit
from daedal.tui.editing.history import History
from daedal.tui.editing.layout import Piece, pieces, place, position
from daedal.tui.editing.pastes import Pastes
from daedal.tui.terminal.keys import Key
from daedal.tui.terminal.visible import visible
from daedal.tui.terminal.widths import Row, cut

MARKS = {"!": ("warn", "! "), "#": ("accent", "# ")}
"""What a first letter makes of a prompt: a command for the shell, something to remember."""
MARK = ("accent", "› ")
REST: tuple[str, str] = ("", "  ")
ROWS_MAX = 12


class Composer:
    def __init__(self, history: History) -> None:
        self.buffer = Buffer()
        self.pastes = Pastes()
        self.history = history
        self.keys: Callable[[Buffer, Key], bool] = edit
        """What keys do to the text; vi has another table."""
        self.is_waiting = False
        """What is sent now is heard later."""
        self._columns = 80
        self._wanted_column: int | None = None

    @property
    def text(self) -> str:
        return self.buffer.text

    @text.setter
    def text(self, text: str) -> None:
        self.buffer.reset(text)

    def key(self, key: Key) -> bool:
        """Whether it was for the text."""
        buffer = self.buffer
        if key.name in ("up", "down", "ctrl+p", "ctrl+n"):
            return self._vertical(-1 if key.name in ("up", "ctrl+p") else 1)
        self._wanted_column = None
        if key.name == "paste":
            buffer.insert(self.pastes.fold(key.text))
        elif key.name == "backspace" and (length := self.pastes.mark_before(buffer.text, buffer.at)):
            buffer.delete(buffer.at - length, buffer.at)
        elif not self.keys(buffer, key):
            return False
        self.history.rest()
        return True

    def _vertical(self, step: int) -> bool:
        """A row up or down; beyond the first or last one, an earlier or later prompt."""
        found = self._pieces()
        row, column = place(self.text, found, self.buffer.at)
        wanted = column if self._wanted_column is None else self._wanted_column
        if 0 <= row + step < len(found):
            self.buffer.move(position(self.text, found[row + step], wanted))
            self._wanted_column = wanted
            return True
        earlier = self.history.back(self.text) if step < 0 else self.history.forth()
        if earlier is not None:
            self.buffer.reset(earlier)
        return True

    def continued(self) -> bool:
        """Enter behind a backslash makes a new line in its place."""
        buffer = self.buffer
        if buffer.at == len(buffer.text) and buffer.text.endswith("\\"):
            buffer.change(buffer.text[:-1] + "\n", buffer.at)
            return True
        return False

    def take(self, folder: str) -> str:
        """What was written, with pastes as they are marked; the composer is empty then."""
        text = self.text
        self.history.add(self.pastes.unfold(text), folder)
        self.buffer.reset()
        return text

    def _pieces(self) -> list[Piece]:
        return pieces(self.text, self._columns - 2)

    def rows(self, columns: int, rows_max: int = ROWS_MAX) -> tuple[list[Row], tuple[int, int]]:
        """Its rows, and where the cursor is in them."""
        self._columns = columns
        mark = MARKS.get(self.text[:1], MARK)
        if not self.text:
            hint = say("tui.placeholder_busy" if self.is_waiting else "tui.placeholder")
            return [[mark, ("quiet", cut(hint, columns - 3))]], (0, 2)
        found = self._pieces()
        row, column = place(self.text, found, self.buffer.at)
        first = max(0, min(row - rows_max // 2, len(found) - rows_max))
        shown = found[first : first + rows_max]
        drawn: list[Row] = [
            [mark if number == 0 and first == 0 else REST, ("", visible(self.text[piece.start : piece.end]))]
            for number, piece in enumerate(shown)
        ]
        return drawn, (row - first, column + 2)
