"""Was anything left behind by a Daedal that is gone? Asked at every start, so the answer "no" must cost nothing."""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from daedal.sandbox.leftovers import LeftBehind

TRACES = (".process", ".task", ".held")
"""A process that starts commands, a command in the background, and folders that were made for a jail; all of them go
away where things end in order."""


def left_behind(folder: str) -> "list[LeftBehind]":
    """What runs though its owner is gone. Notes of owners that left nothing are cleared away."""
    try:
        names = [name for name in os.listdir(folder) if name.endswith(TRACES)]
    except OSError:
        return []
    if not names:
        return []
    from daedal.sandbox.leftovers import found
    from daedal.sandbox.placeholders import HELD, clear

    clear(folder, [name for name in names if name.endswith(HELD)])
    return found(folder, names)
