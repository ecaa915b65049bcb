"""How does one wait for something that happens elsewhere? With a sentence about it; Esc gives up."""

from daedal.protocol.catalogue import say
from daedal.tui.overlay import Overlay
from daedal.tui.terminal.keys import Key
from daedal.tui.terminal.widths import Row, wrap


class Waiting(Overlay):
    """Finishes with None where the person gives up, else with what whoever waits for it says."""

    def __init__(self, sentence: str) -> None:
        super().__init__()
        self._sentence = sentence

    def rows(self, columns: int, height: int) -> list[Row]:
        del height
        return [*wrap([("warn", self._sentence)], columns), [("quiet", say("tui.waiting_keys"))]]

    def key(self, key: Key) -> None:
        if key.name in ("escape", "ctrl+c"):
            self.finish()
