"""Which keys does this process hold, and where from? The environment outranks what `daedal setup` saved.

What is obtained while the process lives (a login's tokens, what a helper prints) is learned here, and told at once to
everybody who keeps secrets out of something.
"""

import os
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from daedal.app.settings import Settings
from daedal.config import dotenv_path, read_dotenv
from daedal.providers import credential_names

if TYPE_CHECKING:
    from daedal.app.sources import Source

ANTHROPIC = ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN")
"""Strongest first."""
SEARCH_KEYS = {"brave": "BRAVE_API_KEY", "tavily": "TAVILY_API_KEY"}
"""Where a search backend's key is looked for unless the settings say otherwise."""
SECRET_ENDINGS = ("KEY", "TOKEN", "SECRET", "PASSWORD")
"""Of names in the saved file; addresses and model names stand there too, and are nothing to hide."""
LOGIN_PASSWORD = "DAEDAL_LOGIN_PASSWORD"  # noqa: S105  the name of the variable that opens kept logins


class Credentials:
    def __init__(self, *, is_bare: bool = False) -> None:
        """Bare: of Anthropic's only `ANTHROPIC_API_KEY` and the user's own helper count."""
        read = read_dotenv(dotenv_path())
        self.warnings = read.warnings
        self.is_bare = is_bare
        self.saved = read.values
        self.sources: dict[str, list[Source]] = {}
        """By provider, once one was needed: they remember what they obtained."""
        self._learned: dict[str, str] = {}
        self._hearers: list[Callable[[str, str], None]] = []

    def environment(self) -> dict[str, str]:
        """The process environment over what was saved."""
        saved = self.saved
        if self.is_bare or any(os.environ.get(name) for name in ANTHROPIC):
            # A saved token must not outrank a key in the environment just because tokens outrank keys.
            saved = {name: value for name, value in saved.items() if name not in ANTHROPIC}
        given = {name: value for name, value in os.environ.items() if value or name not in saved}
        if self.is_bare:
            given = {name: value for name, value in given.items() if name not in ANTHROPIC or name.endswith("API_KEY")}
        return {**saved, **given}

    def environment_has(self, variable: str) -> bool:
        """Whether the process was started with it. (In bare mode some do not count, and then nobody asks.)"""
        return bool(os.environ.get(variable, "").strip())

    def secrets(self, names: Collection[str]) -> list[tuple[str, str]]:
        """All values that must never reach model or ledger, with their names: those in use and those saved."""
        found = [(name, value) for name, value in os.environ.items() if name in names or name == LOGIN_PASSWORD]
        found += [(name, value) for name, value in self.saved.items() if name in names or name.endswith(SECRET_ENDINGS)]
        found += [(name, value) for value, name in self._learned.items()]
        return [(name, spelling) for name, value in found for spelling in spellings(value)]

    def learn(self, name: str, value: str) -> None:
        """Before anybody uses the value."""
        if value in self._learned:
            return
        self._learned[value] = name
        for hear in self._hearers:
            for spelling in spellings(value):
                hear(name, spelling)

    def on_secret(self, hear: Callable[[str, str], None]) -> None:
        """`hear` is told the name and each spelling of whatever is learned from now on."""
        self._hearers.append(hear)


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
