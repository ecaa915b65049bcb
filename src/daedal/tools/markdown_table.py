"""How does a table become Markdown? With its first row as the head; one of a single column was no table."""

from collections.abc import Iterator

CELLS_MAX = 20_000
"""Of one table. A longer one is continued in another."""


class Table:
    def __init__(self) -> None:
        self._rows: list[list[list[str]]] = []
        """Rows of cells of blocks."""
        self._cells = 0

    @property
    def is_open(self) -> bool:
        """Whether there is a cell to write to; a caption comes before the first."""
        return bool(self._rows and self._rows[-1])

    @property
    def is_long(self) -> bool:
        return self._cells >= CELLS_MAX

    def open(self, name: str) -> None:
        """A `tr`, or a `td` or `th`."""
        if name == "tr" or not self._rows:
            self._rows.append([])
        if name != "tr":
            self._rows[-1].append([])
        self._cells += 1

    def add(self, text: str) -> None:
        self._rows[-1][-1].append(text)

    def blocks(self, *, is_layout: bool) -> Iterator[list[str]]:
        """The whole as one block of lines, or what was there for the layout only cell by cell."""
        rows = [row for row in self._rows if any(row)]
        if is_layout or max(map(len, rows), default=0) < 2:
            for row in rows:
                for blocks in row:
                    yield from (block.split("\n") for block in blocks)
            return
        lines = [f"| {' | '.join(map(_cell, row))} |" for row in rows]
        yield [lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]]


def _cell(blocks: list[str]) -> str:
    return " ".join(" ".join(blocks).split()).replace("|", "\\|")
