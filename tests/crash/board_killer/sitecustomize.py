"""Who pulls the plug on a delivery? This process itself, with SIGKILL, around its Nth replacement of the board.

Python loads a `sitecustomize` that it finds on its path, so the program under test needs no switch for this.
KILL_AT is `before:N` or `after:N`.
"""

import os
import signal
from typing import Any

WHERE, _, NUMBER = os.environ.get("KILL_AT", "").partition(":")
replacements = 0
replace = os.replace


def killing_replace(source: Any, target: Any, **options: Any) -> None:
    if not str(target).endswith("/.daedal/status.json"):
        replace(source, target, **options)
        return
    global replacements
    replacements += 1
    kill("before")
    replace(source, target, **options)
    kill("after")


def kill(where: str) -> None:
    if where == WHERE and replacements == int(NUMBER):
        os.kill(os.getpid(), signal.SIGKILL)


os.replace = killing_replace
