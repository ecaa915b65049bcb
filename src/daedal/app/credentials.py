"""Which keys does this process hold, and where from? The environment outranks what `daedal setup` saved."""

import os
from collections.abc import Collection

from daedal.app.settings import Settings
from daedal.config import dotenv_path, read_dotenv
from daedal.providers import credential_names

ANTHROPIC = ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN")
SEARCH_KEYS = {"brave": "BRAVE_API_KEY", "tavily": "TAVILY_API_KEY"}
"""Where a search backend's key is looked for unless the settings say otherwise."""
SECRET_ENDINGS = ("KEY", "TOKEN", "SECRET", "PASSWORD")
"""Of names in the saved file; addresses and model names stand there too, and are nothing to hide."""


class Credentials:
    def __init__(self) -> None:
        read = read_dotenv(dotenv_path())
        self.warnings = read.warnings
        self._saved = read.values

    def environment(self) -> dict[str, str]:
        """The process environment over what was saved."""
        saved = self._saved
        if any(os.environ.get(name) for name in ANTHROPIC):
            # A saved token must not outrank a key in the environment just because tokens outrank keys.
            saved = {name: value for name, value in saved.items() if name not in ANTHROPIC}
        given = {name: value for name, value in os.environ.items() if value or name not in saved}
        return {**saved, **given}

    def secrets(self, names: Collection[str]) -> list[tuple[str, str]]:
        """All values that must never reach model or ledger, with their names: those in use and those saved."""
        found = [(name, value) for name, value in os.environ.items() if name in names]
        found += [
            (name, value) for name, value in self._saved.items() if name in names or name.endswith(SECRET_ENDINGS)
        ]
        return [(name, spelling) for name, value in found for spelling in spellings(value)]


def spellings(value: str) -> list[str]:
    """As it is, and as JSON writes it inside a text, where that is not the same."""
    if value.isalnum() or not any(sign in value for sign in '"\\/'):
        return [value]
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return list(dict.fromkeys((value, escaped, escaped.replace("/", "\\/"))))


def secret_names(settings: Settings) -> frozenset[str]:
    """Variables that hold a key which neither commands nor the record may see."""
    named = settings.tools.web.search.key_env
    return frozenset([*credential_names(settings.providers), *SEARCH_KEYS.values(), *([named] if named else [])])
