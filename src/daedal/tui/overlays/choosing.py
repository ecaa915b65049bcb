"""How does one choose from a list with the keyboard? Arrows, numbers, letters, Enter; Esc chooses nothing."""

from msgspec import Struct

from daedal.protocol.catalogue import say
from daedal.tui.overlay import Overlay
from daedal.tui.terminal.keys import Key
from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row, cut_row, wrap


class Option(Struct, frozen=True):
    label: str
    value: object = None
    about: str = ""
    letter: str = ""
    """Chooses it at once."""


class Choosing(Overlay):
    """Finishes with the value of the option, or None."""

    def __init__(self, title: str, options: list[Option], *, above: list[Row] | None = None, chosen: int = 0) -> None:
        super().__init__()
        self._title = title
        self._options = options
        self._above = above or []
        self._chosen = min(chosen, max(len(options) - 1, 0))

    def rows(self, columns: int, height: int) -> list[Row]:
        room = max(height - len(self._above) - 3, 3)
        first = max(0, min(self._chosen - room // 2, len(self._options) - room))
        rows: list[Row] = [*self._above, *wrap([("heading", self._title)], columns)]
        for number, option in enumerate(self._options[first : first + room], first):
            rows.append(cut_row(self._row(number, option), columns))
        rows.append([("quiet", say("tui.choosing_keys"))])
        return rows

    def _row(self, number: int, option: Option) -> Row:
        is_chosen = number == self._chosen
        letter = option.letter or (str(number + 1) if number < 9 else " ")
        style = "chosen" if is_chosen else ""
        row: Row = [(style, f"{'❯' if is_chosen else ' '} {letter}  {flat(option.label)}")]
        return [*row, ("quiet", f"  {flat(option.about)}")] if option.about else row

    def key(self, key: Key) -> None:
        match key.name:
            case "up" | "ctrl+p" | "shift+tab":
                self._chosen = (self._chosen - 1) % len(self._options)
            case "down" | "ctrl+n" | "tab":
                self._chosen = (self._chosen + 1) % len(self._options)
            case "enter":
                self.choose(self._options[self._chosen])
            case "escape" | "ctrl+c":
                self.finish()
            case name:
                found = [
                    option
                    for number, option in enumerate(self._options)
                    if name in (option.letter, "" if option.letter else str(number + 1))
                ]
                if found:
                    self.choose(found[0])

    def choose(self, option: Option) -> None:
        self.finish(option.value)
