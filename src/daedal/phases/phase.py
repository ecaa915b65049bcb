"""Which phases are there?"""

from enum import StrEnum, auto


class Phase(StrEnum):
    """The closed set of `conversations.phase`, in the order of a piece of work."""

    IDLE = auto()
    PLANNING = auto()
    IMPLEMENT = auto()
    TEST = auto()
    VERIFY = auto()
    DONE = auto()
