"""Which shell runs a command, how is it called, and for how long?"""

import os

from msgspec import Struct

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError
from daedal.sandbox import find_program
from daedal.tools.settings import ShellSettings

TIMEOUT_MS_MAX = 600_000

CANDIDATES = {
    "auto": ("bash", "pwsh", "powershell"),
    "bash": ("bash",),
    "pwsh": ("pwsh",),
    "powershell": ("powershell",),
}


class Shell(Struct, frozen=True, kw_only=True):
    name: str
    path: str

    def argv(self, prefix: str, command: str) -> list[str]:
        """How to run the command. The prefix is for shells of the Bourne family; others have no such trap."""
        if self.name == "bash":
            return [self.path, "-c", prefix + command]
        return [self.path, "-NoProfile", "-NonInteractive", "-Command", command]


def choose(settings: ShellSettings) -> Shell:
    """Raises ConfigurationError where the chosen shell is not there."""
    names = CANDIDATES[settings.prefer]
    if settings.path:
        if not os.access(settings.path, os.X_OK):
            raise ConfigurationError(say("tools.shell_path", path=settings.path))
        base = os.path.basename(settings.path).removesuffix(".exe")
        return Shell(name=base if settings.prefer == "auto" and base in names else names[0], path=settings.path)
    for name in names:
        if find_program(name) is not None:
            return Shell(name=name, path=name)  # by its bare name, which is how it calls itself in messages
    raise ConfigurationError(say("tools.shell_missing", names=", ".join(names)))


def timeout_ms_max(default_ms: int) -> int:
    """How long a call may ask for; 0 where no cap is set at all."""
    return max(TIMEOUT_MS_MAX, default_ms) if default_ms else 0
