"""What do tests of skills and agents share? A project under git, a home, and files in both."""

import os
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

from daedal.config import AgentsFound, AgentTypes, SkillSettings, SkillsFound, SkillShelf, TrustFile, trust_path
from tests.config.prompting import place


@dataclass
class Kept:
    home: Path
    project: Path
    settings: SkillSettings

    @property
    def shelf(self) -> SkillShelf:
        return SkillShelf(str(self.project), self.settings)

    @property
    def types(self) -> AgentTypes:
        return AgentTypes(str(self.project))

    def skills(self) -> SkillsFound:
        return self.shelf.look()

    def agents(self) -> AgentsFound:
        return self.types.look()

    def trust(self, file: Path) -> None:
        name = os.path.relpath(file, self.project)
        TrustFile(trust_path()).trust(str(self.project), {name: sha256(file.read_bytes()).hexdigest()})


def kept_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    home, project = folder / "home", folder / "project"
    (project / ".git").mkdir(parents=True)
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("DAEDAL_HOME", raising=False)
    return Kept(home, project, SkillSettings())


def skill(root: Path, folder: str, /, *, body: str = "Do it.", **said: str) -> Path:
    said = {"description": f"The skill {folder}.", **said}
    return markdown(root / folder / "SKILL.md", body, said)


def agent(root: Path, stem: str, /, *, body: str = "You do it.", **said: str) -> Path:
    return markdown(root / f"{stem}.md", body, {"description": f"The agent {stem}.", **said})


def markdown(path: Path, body: str, said: dict[str, str]) -> Path:
    lines = "".join(f"{key.replace('__', '-')}: {text}\n" for key, text in said.items())
    return place(path, f"---\n{lines}---\n{body}\n")
