"""What is one configured hook? A command, when it runs, and where it was written down."""

import sys
from enum import StrEnum, auto

from msgspec import Struct

from daedal.protocol.hooks import HookEvent


class Shell(StrEnum):
    BASH = auto()
    SH = auto()
    POWERSHELL = auto()


class Hook(Struct, frozen=True, kw_only=True):
    event: HookEvent
    command: str
    matcher: str = ""
    shell: Shell = Shell.BASH
    timeout_s: float | None = None
    """None is the event's own."""
    condition: str = ""
    """`if`: a permission rule that the call must match; empty is none."""
    required: bool = False
    """Ours: a PreToolUse hook that cannot run, or breaks, then denies the call."""
    source: str = ""
    """The file that configured it."""
    ordinal: int = 0
    """Its place in the total order of all hooks."""

    @property
    def identity(self) -> tuple[str, ...]:
        """Two neighbours that agree in this are one hook."""
        return (self.event, self.matcher, self.command, self.shell, self.condition)


def is_refused_here(hook: Hook, platform: str = sys.platform) -> bool:
    """There is no bash to rely on under Windows, and guessing another shell would run other words than were meant."""
    return platform == "win32" and hook.shell is not Shell.POWERSHELL
