"""Which earlier prompt was it? A search through the history, the newest first."""

from daedal.protocol.catalogue import say
from daedal.tui.editing.buffer import Buffer
from daedal.tui.editing.emacs import edit
from daedal.tui.live.menu import fuzzy
from daedal.tui.overlay import Overlay
from daedal.tui.terminal.keys import Key
from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row, cut, width

ROWS_MAX = 10


class Past(Overlay):
    """Finishes with a prompt, or None."""

    def __init__(self, entries: list[str], query: str = "") -> None:
        super().__init__()
        self._entries = list(dict.fromkeys(reversed(entries)))
        self._buffer = Buffer()
        self._buffer.reset(query)
        self._chosen = 0

    def _found(self) -> list[str]:
        query = self._buffer.text.lower()
        if not query:
            return self._entries
        exact = [text for text in self._entries if query in text.lower()]
        return exact or [self._entries[number] for number in fuzzy(query, self._entries)]

    def rows(self, columns: int, height: int) -> list[Row]:
        found = self._found()
        self._chosen = max(0, min(self._chosen, len(found) - 1))
        room = max(min(ROWS_MAX, height - 2), 1)
        first = max(0, min(self._chosen - room // 2, len(found) - room))
        rows: list[Row] = [[("heading", say("tui.past")), ("", f" {flat(self._buffer.text)}")]]
        for number, text in enumerate(found[first : first + room], first):
            mark, style = ("❯", "chosen") if number == self._chosen else (" ", "")
            rows.append([(style, cut(f"{mark} {flat(text)}", columns))])
        return [*rows, [("quiet", say("tui.past_keys"))]]

    @property
    def cursor(self) -> tuple[int, int] | None:
        return 0, width(say("tui.past")) + 1 + width(flat(self._buffer.text))

    def key(self, key: Key) -> None:
        match key.name:
            case "enter" | "tab" | "right":
                found = self._found()
                self.finish(found[self._chosen] if found else None)
            case "escape" | "ctrl+c" | "ctrl+g":
                self.finish()
            case "ctrl+r" | "down" | "ctrl+n":
                self._chosen += 1
            case "up" | "ctrl+s" | "ctrl+p":
                self._chosen = max(self._chosen - 1, 0)
            case _:
                edit(self._buffer, key)
                self._chosen = 0
