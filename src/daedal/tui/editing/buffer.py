"""What is being written, and where is the cursor? A text that remembers its earlier states."""

UNDO_MAX = 500
KILLED_MAX = 30


class Buffer:
    """Every change goes through `change`, so that every change can be undone."""

    def __init__(self) -> None:
        self.text = ""
        self.at = 0
        """The cursor, before the character of this number."""
        self._undone: list[tuple[str, int]] = []
        self._done: list[tuple[str, int]] = []
        self._is_typing = False
        self.killed: list[str] = []
        """What was cut, the newest last."""

    def change(self, text: str, at: int, *, typing: bool = False) -> None:
        """Letters typed one after the other are undone together."""
        if text != self.text:
            if not (typing and self._is_typing):
                self._done.append((self.text, self.at))
                del self._done[:-UNDO_MAX]
            self._undone.clear()
        self._is_typing = typing
        self.text, self.at = text, max(0, min(at, len(text)))

    def move(self, at: int) -> None:
        self._is_typing = False
        self.at = max(0, min(at, len(self.text)))

    def insert(self, text: str, *, typing: bool = False) -> None:
        typed = typing and not text.isspace()
        self.change(self.text[: self.at] + text + self.text[self.at :], self.at + len(text), typing=typed)

    def delete(self, start: int, end: int, *, kill: bool = False) -> str:
        """Takes a part out; `kill` keeps it for `yank`."""
        start, end = max(0, min(start, end)), min(len(self.text), max(start, end))
        taken = self.text[start:end]
        if kill and taken:
            self.killed = [*self.killed, taken][-KILLED_MAX:]
        self.change(self.text[:start] + self.text[end:], start)
        return taken

    def undo(self) -> None:
        if self._done:
            self._undone.append((self.text, self.at))
            self.text, self.at = self._done.pop()
            self._is_typing = False

    def redo(self) -> None:
        if self._undone:
            self._done.append((self.text, self.at))
            self.text, self.at = self._undone.pop()

    def reset(self, text: str = "") -> None:
        """Something else is being written now."""
        self.text, self.at = text, len(text)
        self._done.clear()
        self._undone.clear()
        self._is_typing = False

    @property
    def line_start(self) -> int:
        return self.text.rfind("\n", 0, self.at) + 1

    @property
    def line_end(self) -> int:
        found = self.text.find("\n", self.at)
        return len(self.text) if found < 0 else found

    def word_left(self) -> int:
        """Where the word before the cursor begins."""
        at = self.at
        while at and not self.text[at - 1].isalnum():
            at -= 1
        while at and self.text[at - 1].isalnum():
            at -= 1
        return at

    def word_right(self) -> int:
        at, end = self.at, len(self.text)
        while at < end and not self.text[at].isalnum():
            at += 1
        while at < end and self.text[at].isalnum():
            at += 1
        return at

    def blank_left(self) -> int:
        """Where the word before the cursor begins, if only blanks part words."""
        at = self.at
        while at and self.text[at - 1].isspace():
            at -= 1
        while at and not self.text[at - 1].isspace():
            at -= 1
        return at
