"""Which keys does this process hold, and where from? The environment outranks what `daedal setup` saved."""

import os
from collections.abc import Collection

from daedal.config import dotenv_path, read_dotenv

ANTHROPIC = ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN")


class Credentials:
    def __init__(self) -> None:
        saved = read_dotenv(dotenv_path())
        self.warnings = saved.warnings
        self._saved = dict(saved.values)
        if any(os.environ.get(name) for name in ANTHROPIC):
            # A saved token must not outrank a key in the environment just because tokens outrank keys.
            for name in ANTHROPIC:
                self._saved.pop(name, None)

    def environment(self) -> dict[str, str]:
        """The process environment over what was saved."""
        given = {name: value for name, value in os.environ.items() if value or name not in self._saved}
        return {**self._saved, **given}

    def secrets(self, names: Collection[str]) -> dict[str, str]:
        """All values that must never reach model or ledger, by name."""
        environment = self.environment()
        found = {name: environment[name] for name in names if environment.get(name)}
        return {**self._saved, **found}
