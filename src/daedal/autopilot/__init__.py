"""Who decides what to do next when nobody types? Full Auto, goals and guidance as strategies.

A driver is a client of the protocol: it hears what became of a turn, decides, and starts the next one.
"""

from typing import TYPE_CHECKING

from daedal.protocol.rooms import loaded_when_used

if TYPE_CHECKING:
    from daedal.autopilot.guidance import words
    from daedal.autopilot.pilot import Pilot
    from daedal.autopilot.research import begin
    from daedal.autopilot.signals import is_worth_a_goal, strategy_for

__all__ = ["Pilot", "begin", "is_worth_a_goal", "strategy_for", "words"]

_FILES = {
    "Pilot": "pilot",
    "begin": "research",
    "is_worth_a_goal": "signals",
    "strategy_for": "signals",
    "words": "guidance",
}

__getattr__ = loaded_when_used(__name__, _FILES)
