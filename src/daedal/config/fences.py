"""What may a reference not reach? Daedal's own secrets never; from a command's file nothing outside the workspace."""

import os
from collections.abc import Callable, Sequence

from daedal.permissions import inside, inside_any
from daedal.protocol.catalogue import say

KERNEL = ("/proc", "/sys")
"""Files there say what processes hold, such as their environment, and some wait for ever."""


class Fences:
    def __init__(self, workspace: str, closed: Sequence[str], is_denied: Callable[[str], bool]) -> None:
        """`closed` are files and folders that nobody may refer to; `is_denied` knows the rules about reading."""
        self._is_denied = is_denied
        self._workspace = os.path.realpath(workspace)
        self._closed = [os.path.realpath(path) for path in closed]
        self._identities = set(filter(None, map(_identity, self._closed)))

    def refusal(self, real: str, status: os.stat_result, *, is_typed: bool) -> str | None:
        """For the person; `real` has no links in it."""
        if not is_typed and not inside(real, self._workspace):
            return say("config.reference.outside")
        if inside_any(real, self._closed) or self.is_closed(status):
            return say("config.reference.closed")
        if self._is_denied(real):
            return say("config.reference.denied")
        return say("config.reference.not_ordinary") if inside_any(real, KERNEL) else None

    def is_closed(self, status: os.stat_result) -> bool:
        """By identity, because a file can have several names."""
        return (status.st_dev, status.st_ino) in self._identities


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
