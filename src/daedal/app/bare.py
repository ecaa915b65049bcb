"""What is left of the settings in a bare run? What no repository and no login of a person has a part in.

Hooks and MCP servers count only from the administrator's settings, and the helper for the key only from the user's own.
"""

from msgspec.structs import replace

from daedal.app.settings import Settings
from daedal.config import Effective, Files, load_files
from daedal.protocol.seams import InstructionFile


def stripped(found: Effective[Settings], files: Files) -> Settings:
    """Raises ConfigurationError."""
    own = load_files(Settings, Files(files.user, managed=files.managed), {}).value
    managed = found.managed
    return replace(
        found.value,
        auth=own.auth,
        hooks=managed.hooks if managed else [],
        plugins=managed.plugins if managed else [],
    )


class NoInstructions:
    """The `Instructions` of a bare run: no AGENTS.md is read."""

    def initial(self, workspace: str) -> list[InstructionFile]:
        del workspace
        return []

    def nested(self, workspace: str, touched: str) -> list[InstructionFile]:
        del workspace, touched
        return []
