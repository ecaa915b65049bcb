"""What do the user's own scripts say about an event? The 27 events, ordered, run and merged.

Nothing is loaded with the room: whoever has no hooks pays for none.
"""

from typing import TYPE_CHECKING

from daedal.protocol.rooms import loaded_when_used

if TYPE_CHECKING:
    from daedal.hooks.cases import hooks_case
    from daedal.hooks.hook import Hook, Shell
    from daedal.hooks.loading import load_hooks
    from daedal.hooks.merging import merge
    from daedal.hooks.ordering import total_order
    from daedal.hooks.output import hides_output
    from daedal.hooks.points import POINTS
    from daedal.hooks.runner import HookRunner
    from daedal.hooks.watching import FileWatch

__all__ = [
    "POINTS",
    "FileWatch",
    "Hook",
    "HookRunner",
    "Shell",
    "hides_output",
    "hooks_case",
    "load_hooks",
    "merge",
    "total_order",
]

_FILES = {
    "POINTS": "points",
    "FileWatch": "watching",
    "Hook": "hook",
    "HookRunner": "runner",
    "Shell": "hook",
    "hides_output": "output",
    "hooks_case": "cases",
    "load_hooks": "loading",
    "merge": "merging",
    "total_order": "ordering",
}

__getattr__ = loaded_when_used(__name__, _FILES)
