"""What do tests of prompts share? A project under git, a home, and a prompt that is prepared in them."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from daedal.config import FilePrompts
from daedal.protocol.prompts import (
    CommandListParams,
    CommandListResponse,
    ReferenceCompleteParams,
    ReferenceCompleteResponse,
)
from daedal.protocol.seams import Prepared, Prompts


@dataclass
class Desk:
    home: Path
    workspace: Path
    closed: list[Path] = field(default_factory=list)

    @property
    def prompts(self) -> Prompts:
        return FilePrompts(lambda: [str(path) for path in self.closed])

    def prepare(self, text: str, cwd: Path | None = None) -> Prepared:
        where = {"workspace": str(self.workspace), "cwd": str(cwd or self.workspace)}
        return asyncio.run(self.prompts.prepare(text, **where))

    def commands(self) -> CommandListResponse:
        return self.prompts.commands(CommandListParams(cwd=str(self.workspace)))

    def complete(self, prefix: str, cwd: Path | None = None) -> ReferenceCompleteResponse:
        return self.prompts.complete(ReferenceCompleteParams(prefix=prefix, cwd=str(cwd or self.workspace)))


def place(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def desk_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    home, workspace = folder / "home", folder / "project"
    (workspace / ".git").mkdir(parents=True)
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("DAEDAL_HOME", raising=False)
    return Desk(home, workspace)
