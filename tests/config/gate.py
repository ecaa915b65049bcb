"""Settings with the marks of the gate: lists that add up, what only trust puts into effect, and a project to try it."""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from daedal.config import Effective, Files, Loaded, Trust, TrustFile, effective, load_files, trust_state


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    allow: Annotated[list[str], Meta(extra={"additive": True, "trusted_only": True})] = []
    deny: Annotated[list[str], Meta(extra={"additive": True})] = []
    mode: Annotated[Literal["default", "plan"], Meta(extra={"trusted_only": True})] = field(
        default="default", name="defaultMode"
    )
    managed_only: Annotated[bool, Meta(extra={"user_only": True})] = False


class Gated(Struct, frozen=True, kw_only=True):
    name: str = ""
    model: Annotated[str, Meta(extra={"trusted_only": True})] = ""
    permissions: Annotated[Rules, Meta(extra={"lenient": True})] = Rules()
    hooks: Annotated[
        list[dict[str, Any]] | dict[str, list[Any]],
        Meta(extra={"additive": True, "trusted_only": True, "lenient": True, "keyed_by": "hook_event_name"}),
    ] = []


class Place:
    """A user's home, a project and a machine, with a ledger's snapshot table."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home, self.root = folder / "home", folder / "project"
        self.home.mkdir()
        self.root.mkdir()
        self.rows: dict[str, str] = {}

    @property
    def files(self) -> Files:
        project = self.root / "daedal.toml"
        return Files(
            str(self.home / "config.toml"),
            str(project) if project.is_symlink() or project.exists() else None,
            str(self.root),
            str(self.folder / "managed.toml"),
            str(self.home / "trust.json"),
        )

    def write(self, name: str, text: str | dict[str, Any]) -> Path:
        """A file of the user's (`config.toml`), of the machine's (`managed.toml`) or of the project's."""
        path = {"config.toml": self.home, "managed.toml": self.folder}.get(name, self.root) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if isinstance(text, str) else json.dumps(text, indent=1))
        return path

    @property
    def store(self) -> TrustFile:
        return TrustFile(str(self.home / "trust.json"))

    def trust(self) -> Trust:
        """As a person does after looking at it."""
        self.store.trust(str(self.root), self.state().files)
        return self.state()

    def state(self) -> Trust:
        return trust_state(Gated, self.files)

    def load(self, **flags: Any) -> Loaded[Gated]:
        return load_files(Gated, self.files, {key.replace("__", "."): value for key, value in flags.items()})

    def start(self, **flags: Any) -> Effective[Gated]:
        return effective(
            Gated,
            snapshot=self.rows.get,
            put=self.rows.update,
            files=self.files,
            flags={key.replace("__", "."): value for key, value in flags.items()},
            model_config=lambda _: None,
        )

    def short(self, text: str) -> str:
        return text.replace(str(self.folder) + "/", "")
