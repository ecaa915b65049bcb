"""How does a card look? What it is about, as much of it as fits, the facts, the question and its choices.

The choices are always in sight. What it is about scrolls above them, and Ctrl+O gives it the whole screen.
"""

from abc import abstractmethod

from daedal.protocol.catalogue import say
from daedal.tui.face import Face
from daedal.tui.overlay import Overlay
from daedal.tui.overlays.choosing import Option
from daedal.tui.terminal.keys import Key
from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row, cut_row, wrap

BODY_MIN = 3
"""So many rows of what it is about are shown, however little room there is."""


class Card(Overlay):
    """Finishes with the value of a choice, or None."""

    is_urgent = True

    def __init__(self, face: Face, question: str, options: list[Option]) -> None:
        super().__init__()
        self._face = face
        self._question = question
        self._options = options
        self._chosen = 0
        self._first = 0
        self._page = 1
        self._length = 0
        self._drawn: tuple[int, list[Row]] = (0, [])

    # What each kind of card says for itself

    @abstractmethod
    def head(self, columns: int) -> list[Row]: ...

    @abstractmethod
    def body(self, columns: int) -> list[Row]:
        """All of it; asked for once for each width."""

    @abstractmethod
    def facts(self, columns: int) -> list[Row]: ...

    def shortcut(self, key: Key) -> bool:
        """Whether the key means something beside the choices."""
        del key
        return False

    # How it is put together

    def rows(self, columns: int, height: int) -> list[Row]:
        if self._drawn[0] != columns:
            self._drawn = (columns, self.body(columns))
        above = [*self._waiting(), *self.head(columns)]
        question = wrap([("heading", self._question)], columns)
        choices = [cut_row(self._row(number, option), columns) for number, option in enumerate(self._options)]
        left = height - len(above) - len(question) - len(choices) - 1
        # Where there is little room the facts give way first; the choices are never out of sight.
        facts = self.facts(columns)
        facts = facts[: max(left - BODY_MIN, 1)]
        below = [*facts, *question]
        room = left - len(facts)
        if room < BODY_MIN:
            choices = self._around_chosen(choices, max(len(choices) + room - BODY_MIN, 1))
            room = max(height - len(above) - len(below) - len(choices) - 1, 1)
        body = self._window(room)
        gap: list[Row] = [[]] if len(body) < room else []
        rows = [*above, *body, *gap, *below, *choices, [("quiet", say("tui.card.keys"))]]
        if self.is_full:
            rows += [[]] * (height - len(rows))
        return [cut_row(row, columns) for row in rows[:height]]

    def _waiting(self) -> list[Row]:
        more = self._face.view.asked - 1
        return [[("quiet", say("tui.card.more", count=more))]] if more > 0 else []

    def _window(self, room: int) -> list[Row]:
        body = self._drawn[1]
        self._length = len(body)
        self._page = max(room - 1, 1)
        if self._length <= room:
            self._first = 0
            return body
        self._first = max(0, min(self._first, self._length - self._page))
        shown = body[self._first : self._first + self._page]
        where = say("tui.card.where", first=self._first + 1, last=self._first + len(shown), count=self._length)
        return [*shown, [("warn", f"  {where}")]]

    def _around_chosen(self, choices: list[Row], room: int) -> list[Row]:
        first = max(0, min(self._chosen - room // 2, len(choices) - room))
        return choices[first : first + room]

    def _row(self, number: int, option: Option) -> Row:
        is_chosen = number == self._chosen
        letter = option.letter or str(number + 1)
        row: Row = [("chosen" if is_chosen else "", f"{'❯' if is_chosen else ' '} {letter}  {flat(option.label)}")]
        return [*row, ("quiet", f"  {flat(option.about)}")] if option.about else row

    def redraw_body(self) -> None:
        """It is about something else now."""
        self._drawn = (0, [])

    # What keys do

    def key(self, key: Key) -> None:
        if self.shortcut(key) or self._scrolls(key.name):
            return
        match key.name:
            case "up" | "ctrl+p" | "shift+tab":
                self._chosen = (self._chosen - 1) % len(self._options)
            case "down" | "ctrl+n" | "tab":
                self._chosen = (self._chosen + 1) % len(self._options)
            case "enter":
                self.finish(self._options[self._chosen].value)
            case "escape" | "ctrl+c":
                self.finish()
            case name:
                found = [option for option in self._options if name == option.letter]
                if found:
                    self.finish(found[0].value)

    def _scrolls(self, name: str) -> bool:
        match name:
            case "pageup" | "ctrl+b" | "ctrl+u":
                self._first = max(self._first - self._page, 0)
            case "pagedown" | "ctrl+f" | "ctrl+d":
                self._first += self._page
            case "shift+up" | "ctrl+up":
                self._first = max(self._first - 1, 0)
            case "shift+down" | "ctrl+down":
                self._first += 1
            case "home":
                self._first = 0
            case "end":
                self._first = self._length
            case "ctrl+o":
                self.is_full = not self.is_full
            case _:
                return False
        return True
