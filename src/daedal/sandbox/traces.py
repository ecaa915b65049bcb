"""Was anything left behind by a Daedal that is gone? Asked at every start, so the answer "no" must cost nothing."""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from daedal.sandbox.leftovers import LeftBehind

TRACES = (".process", ".task")
"""A process that starts commands, and a command in the background; both go away where things end in order."""


def left_behind(folder: str) -> "list[LeftBehind]":
    """What runs though its owner is gone. Notes of owners that left nothing are cleared away."""
    try:
        names = [name for name in os.listdir(folder) if name.endswith(TRACES)]
    except OSError:
        return []
    if not names:
        return []
    from daedal.sandbox.leftovers import found

    return found(folder, names)
