"""What do `${VAR}` and `${VAR:-default}` in a server's entry stand for?

The user's own entries may name any variable. A project's may not name what holds a credential, trusted or not; its own
`.env` counts for it beside the environment, without control variables and provider keys.
"""

import os
import re
from collections.abc import Collection, Mapping

from daedal.config import read_dotenv
from daedal.protocol.errors import ConfigurationError

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
CONTROL = ("DAEDAL_", "SDLC_", "AGENT_SDLC_", "AOI_")


class Unset(Exception):
    """A variable without a default is not set; its name is the text."""


class Expansion:
    """Fills in variables and remembers which values came from them: they are what must not be repeated."""

    def __init__(self, variables: Mapping[str, str] | None) -> None:
        """None takes every text by its letter."""
        self._variables = variables or {}
        self._is_literal = variables is None
        self.used: dict[str, str] = {}

    def __call__(self, text: str) -> str:
        """Raises Unset."""
        return text if self._is_literal else _VARIABLE.sub(self._value, text)

    def _value(self, found: re.Match[str]) -> str:
        # As in a shell, `:-` also stands in for what is set to nothing.
        if known := self._variables.get(found[1]):
            self.used[found[1]] = known
            return known
        if found[2] is not None:
            return found[2]
        if found[1] in self._variables:
            return ""
        raise Unset(found[1])


def project_variables(
    root: str, environment: Mapping[str, str], credential_names: Collection[str]
) -> tuple[dict[str, str], list[str]]:
    """What a project's entries may name, and a warning where its `.env` cannot be read.

    `environment` is one without credentials, as children get it.
    """
    path = os.path.join(root, ".env")
    saved: dict[str, str] = {}
    warnings: list[str] = []
    # A link could make the user's saved keys the project's own.
    if os.path.realpath(path) == os.path.join(os.path.realpath(root), ".env"):
        try:
            saved = read_dotenv(path).values
        except ConfigurationError as error:
            warnings.append(str(error))
    allowed = {
        name: value for name, value in saved.items() if name not in credential_names and not name.startswith(CONTROL)
    }
    return {**allowed, **environment}, warnings
