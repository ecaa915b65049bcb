"""How does the answer reach standard output? As it streams, each piece once, also when a connection breaks."""

import sys

from daedal.cli.printing import for_reader


class Answer:
    """The model's text. An attempt that broke comes again from its beginning; what is on the screen is not repeated."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        """What is on the screen of this answer."""
        self._attempt: str | None = None
        """After a break: what has come again so far. None while the stream simply goes on."""
        self._line_open = False
        self._item_id = ""

    def add(self, delta: str, item_id: str) -> None:
        if item_id != self._item_id and self._attempt is None:
            self.end()  # Another message begins, though the end of the last one was not told yet.
        self._item_id = item_id
        if self._attempt is not None:
            delta = self._fresh(delta)
        if delta:
            self._put(delta)
            self._pieces.append(delta)

    def broken(self) -> None:
        """The attempt failed; the next one starts from the beginning."""
        self._attempt = "" if self._pieces else None

    def pause(self) -> None:
        """Something else is about to be shown."""
        if self._line_open:
            self._put("\n")

    def end(self) -> None:
        self.pause()
        self._pieces = []
        self._attempt = None

    def _fresh(self, delta: str) -> str:
        """What is new: nothing while the attempt repeats the screen; all of it, on a new line, where it differs."""
        attempt, shown = (self._attempt or "") + delta, "".join(self._pieces)
        self._attempt = attempt
        if shown.startswith(attempt):
            return ""
        self._attempt = None
        if attempt.startswith(shown):
            return attempt[len(shown) :]
        self.pause()
        self._pieces = []
        return attempt

    def _put(self, text: str) -> None:
        sys.stdout.write(for_reader(text))
        sys.stdout.flush()
        self._line_open = not text.endswith("\n")
