"""Which of very many results come first? Keeps only those, so that memory does not grow with the number found."""

from typing import Generic, TypeVar

Entry = TypeVar("Entry", bound=tuple[object, ...])

SLACK = 2000
"""How many more are gathered before the last ones are dropped: sorting seldom is cheaper than a heap."""


class Ranking(Generic[Entry]):
    """The `keep` smallest entries of all that were added."""

    def __init__(self, keep: int) -> None:
        self._keep = keep
        self._entries: list[Entry] = []
        self.total = 0

    def add(self, entry: Entry) -> None:
        self.total += 1
        self._entries.append(entry)
        if len(self._entries) >= self._keep + SLACK:
            self._shorten()

    def first(self) -> list[Entry]:
        self._shorten()
        return self._entries

    def _shorten(self) -> None:
        self._entries.sort()
        del self._entries[self._keep :]
