"""Which rule is granted, for how long, and where is it written down? Each said in full before it is chosen."""

from daedal.protocol.catalogue import say
from daedal.tui.overlays.choosing import Choosing
from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row, wrap

INDENT: Row = [("", "     ")]


class Granting(Choosing):
    """A list whose entries take as many rows as they need: nobody grants what they could not read."""

    def rows(self, columns: int, height: int) -> list[Row]:
        title = wrap([("heading", self._title)], columns)
        drawn = [self._entry(number, columns) for number in range(len(self._options))]
        room = max(height - len(title) - 1, 1)
        first = 0
        while first < self._chosen and sum(map(len, drawn[first : self._chosen + 1])) > room:
            first += 1
        shown = [row for entry in drawn[first:] for row in entry][:room]
        return [*title, *shown, [("quiet", say("tui.choosing_keys"))]]

    def _entry(self, number: int, columns: int) -> list[Row]:
        option, is_chosen = self._options[number], number == self._chosen
        style = "chosen" if is_chosen else ""
        mark: Row = [(style, f"{'❯' if is_chosen else ' '} {option.letter or number + 1}  ")]
        rows = wrap([(style, flat(option.label, 4000))], columns, first=mark, rest=INDENT)
        return rows + (wrap([("quiet", flat(option.about))], columns, first=INDENT) if option.about else [])
