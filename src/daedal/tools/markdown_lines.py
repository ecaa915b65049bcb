"""Where does a block stand on the page? Behind the signs of the lists and quotes around it, while there is room."""

from msgspec import Struct

DEPTH_MAX = 12
"""Deeper lists and quotes are written as deep as this."""


class _Frame(Struct):
    name: str
    """`list`, `li` or `blockquote`."""
    first: str = ""
    """What its first line begins with."""
    rest: str = ""
    number: int | None = None
    """Of a list: that of the next item; None where items have none."""
    has_begun: bool = False
    """A line of it is written."""


class Lines:
    def __init__(self, characters_max: int) -> None:
        self._room = characters_max
        self._written: list[str] = []
        self._frames: list[_Frame] = []
        self.is_full = False

    def text(self) -> str:
        return "\n".join(self._written).strip("\n")

    def open_list(self, number: int | None) -> None:
        self._push(_Frame("list", number=number))

    def open_item(self) -> None:
        self._leave_item()
        within = self._frames[-1] if self._frames and self._frames[-1].name == "list" else None
        sign = "- "
        if within is not None and within.number is not None:
            sign = f"{within.number}. "
            within.number += 1
        self._push(_Frame("li", sign, " " * len(sign)))

    def open_quote(self) -> None:
        self._push(_Frame("blockquote", "> ", "> "))

    def close(self, tag: str) -> None:
        name = "list" if tag in ("ul", "ol") else tag
        if any(frame.name == name for frame in self._frames):
            while self._frames.pop().name != name:
                pass

    def write(self, lines: list[str]) -> None:
        """One block. What goes beyond the room is left out."""
        if self._written and not self._is_tight():
            self._add("".join(frame.rest for frame in self._frames if frame.has_begun).rstrip())
        for line in lines:
            self._add("".join(frame.rest if frame.has_begun else frame.first for frame in self._frames) + line)
            for frame in self._frames:
                frame.has_begun = True

    def _is_tight(self) -> bool:
        """Whether the block is the start of an item that follows another, or its list belongs to an item."""
        fresh = next((index for index, frame in enumerate(self._frames) if not frame.has_begun), None)
        return fresh is not None and any(frame.name == "li" for frame in self._frames[fresh:]) and fresh > 0

    def _add(self, line: str) -> None:
        if self.is_full:
            return
        if len(line) >= self._room:
            line = line[: self._room]
            self.is_full = True
        self._room -= len(line) + 1
        self._written.append(line)

    def _leave_item(self) -> None:
        """An item ends where the next one of its list begins."""
        for index in range(len(self._frames) - 1, -1, -1):
            if self._frames[index].name == "list":
                return
            if self._frames[index].name == "li":
                del self._frames[index:]
                return

    def _push(self, frame: _Frame) -> None:
        if len(self._frames) < DEPTH_MAX:
            self._frames.append(frame)
