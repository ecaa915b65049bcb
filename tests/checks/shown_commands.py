"""Which commands do the docs show? Lines that start with `$` in blocks marked `console`, and how each should end."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"(?:^|[|;&]\s*)daedal(?=\s|$)")
ENDING = re.compile(r"\s+# exit (\d+)$")
SESSION = re.compile(r"(?<=\s)ID(?=\s|$)")
"""Stands for the id of the newest session."""


@dataclass(frozen=True)
class ShownCommand:
    text: str
    code: int

    def about(self, session: str) -> str:
        return SESSION.sub(session, self.text)

    @property
    def names_a_session(self) -> bool:
        return SESSION.search(self.text) is not None


def shown_commands(page: str) -> Iterator[ShownCommand]:
    """The lines that run the program. Others (`./dev test`) are for the reader alone."""
    for block in BLOCK.findall(page):
        for line in block.replace("\\\n", "").splitlines():
            if not line.startswith("$ "):
                continue
            text = line.removeprefix("$ ")
            ending = ENDING.search(text)
            if COMMAND.search(text):
                yield ShownCommand(ENDING.sub("", text), int(ending[1]) if ending else 0)


def pages(root: Path) -> list[Path]:
    return [*sorted(root.glob("README*.md")), root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
