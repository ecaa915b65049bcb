"""How does one find something in a long list? A field to type into, what fits below it, a look at the chosen one."""

from msgspec import Struct

from daedal.protocol.catalogue import say
from daedal.tui.editing.buffer import Buffer
from daedal.tui.editing.emacs import edit
from daedal.tui.live.menu import fuzzy
from daedal.tui.overlay import Overlay
from daedal.tui.terminal.keys import Key
from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row, cut_row, padded, width

PREVIEW_ROWS_MAX = 12


class Found(Struct, frozen=True, kw_only=True):
    label: str
    about: str = ""
    value: object = None
    mark: str = ""
    """Something to be noticed about it."""
    group: str = ""
    """Those of one group stand together under its name, while nothing is searched for."""

    @property
    def searched(self) -> str:
        return f"{self.label} {self.about} {self.mark}"


class Searching(Overlay):
    """Finishes with the value of the one that was taken, or None."""

    keys = "tui.searching_keys"
    labels_max = 0
    """So wide are the names at most, where what is said about them stands in a column of its own."""

    def __init__(self, title: str, found: list[Found], *, query: str = "") -> None:
        super().__init__()
        self.title = title
        self._all = found
        self._buffer = Buffer()
        self._buffer.reset(query)
        self._chosen = 0
        self._fits = self._fitting()

    def put(self, found: list[Found]) -> None:
        """Others are to choose from now."""
        self._all = found
        self._look()

    @property
    def chosen(self) -> Found | None:
        return self._fits[self._chosen] if self._fits else None

    def preview(self, columns: int) -> list[Row]:
        """A look at the chosen one."""
        del columns
        return []

    def moved(self) -> None:
        """Another one is chosen."""

    def _fitting(self) -> list[Found]:
        query = self._buffer.text.strip()
        if not query:
            return self._all
        words = query.lower().split()
        exact = [one for one in self._all if all(word in one.searched.lower() for word in words)]
        # What it is called counts for more than what is said about it.
        exact.sort(key=lambda one: not all(word in one.label.lower() for word in words))
        return exact or [self._all[number] for number in fuzzy(query, [flat(one.label) for one in self._all])]

    def _look(self) -> None:
        self._fits = self._fitting()
        self._chosen = min(self._chosen, max(len(self._fits) - 1, 0))
        self.moved()

    def rows(self, columns: int, height: int) -> list[Row]:
        field: Row = [("heading", self.title), ("", " "), ("", flat(self._buffer.text))]
        preview = self.preview(columns)[:PREVIEW_ROWS_MAX] if height > 16 else []
        room = max(height - 2 - len(preview) - (1 if preview else 0), 2)
        rows = [cut_row(row, columns) for row in [field, *self._list(room)]]
        if preview:
            rows += [[("quiet", "─" * columns)], *(cut_row(row, columns) for row in preview)]
        return [*rows, cut_row([("quiet", self._keys())], columns)]

    def _keys(self) -> str:
        count = f"{self._chosen + 1}/{len(self._fits)} · " if self._fits else ""
        return f"{count}{say(self.keys)}"

    def _list(self, room: int) -> list[Row]:
        if not self._fits:
            return [[("quiet", say("tui.searching_none"))]]
        lines: list[Row] = []
        chosen_at, group = 0, ""
        is_grouped = not self._buffer.text.strip()
        for number, one in enumerate(self._fits):
            if is_grouped and one.group and one.group != group:
                group = one.group
                lines += [[("heading", group)]] if not lines else [[], [("heading", group)]]
            if number == self._chosen:
                chosen_at = len(lines)
            lines.append(self._line(one, is_chosen=number == self._chosen))
        first = max(0, min(chosen_at - room // 2, len(lines) - room))
        return lines[first : first + room]

    def _line(self, one: Found, *, is_chosen: bool) -> Row:
        label = padded(flat(one.label), self._label_columns())
        row: Row = [("chosen" if is_chosen else "", f"{'❯' if is_chosen else ' '} {label}")]
        row += [("warn", f"  {flat(one.mark)}")] if one.mark else []
        return [*row, ("quiet", f"  {flat(one.about)}")] if one.about else row

    def _label_columns(self) -> int:
        return min(max((width(flat(one.label)) for one in self._all), default=0), self.labels_max)

    @property
    def cursor(self) -> tuple[int, int] | None:
        return 0, width(self.title) + 1 + width(flat(self._buffer.text[: self._buffer.at]))

    def key(self, key: Key) -> None:
        match key.name:
            case "enter":
                if self.chosen is not None:
                    self.finish(self.chosen.value)
            case "escape" | "ctrl+c":
                self.finish()
            case "up" | "ctrl+p" | "shift+tab":
                self._move(-1)
            case "down" | "ctrl+n" | "tab":
                self._move(1)
            case "pageup":
                self._move(-min(10, self._chosen))
            case "pagedown":
                self._move(min(10, len(self._fits) - 1 - self._chosen))
            case _:
                edit(self._buffer, key)
                self._chosen = 0
                self._look()

    def _move(self, step: int) -> None:
        self._chosen = (self._chosen + step) % max(len(self._fits), 1)
        self.moved()
