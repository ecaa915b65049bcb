"""How is a line of text asked for? A title, and a field below it. Esc gives nothing."""

from daedal.protocol.catalogue import say
from daedal.tui.editing.buffer import Buffer
from daedal.tui.editing.emacs import edit
from daedal.tui.overlay import Overlay
from daedal.tui.terminal.keys import Key
from daedal.tui.terminal.visible import flat, visible
from daedal.tui.terminal.widths import Row, head, width, wrap


class Asking(Overlay):
    """Finishes with the text, or None."""

    def __init__(self, title: str, *, text: str = "", is_secret: bool = False) -> None:
        super().__init__()
        self._title = title
        self._buffer = Buffer()
        self._buffer.reset(text)
        self._is_secret = is_secret
        self._above = 1
        self._shown = ""

    def rows(self, columns: int, height: int) -> list[Row]:
        del height
        title = wrap([("heading", self._title)], columns)
        self._above = len(title)
        text = "•" * len(self._buffer.text) if self._is_secret else flat(self._buffer.text)
        while width(text) > columns - 4:
            text = text[len(head(text, columns // 2)) :]
        self._shown = text
        return [*title, [("accent", "› "), ("", visible(text))], [("quiet", say("tui.asking_keys"))]]

    @property
    def cursor(self) -> tuple[int, int] | None:
        behind = len(self._buffer.text) - self._buffer.at
        return self._above, 2 + width(self._shown[: max(len(self._shown) - behind, 0)])

    def key(self, key: Key) -> None:
        match key.name:
            case "enter":
                self.finish(self._buffer.text)
            case "escape" | "ctrl+c":
                self.finish()
            case "paste":
                self._buffer.insert(" ".join(key.text.split("\n")).strip())
            case "alt+enter" | "ctrl+j" | "shift+enter":
                pass
            case _:
                edit(self._buffer, key)
