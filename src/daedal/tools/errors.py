"""What can a tool refuse?

Refused     the call cannot be done as asked; the text is what the model reads
└ Blocked   the walls around the thread kept it from being done, and a person may let it out

Whatever the operating system says beyond that is translated in one place, `tool.py`.
"""

INTERNAL = "[SDLC_INTERNAL] "
"""Starts the text of a failure that is the machine's, not the call's: a timeout, a process that cannot be started."""

TRUNCATED = "[SDLC_TRUNCATED]"
"""Stands where something was cut off."""


class Refused(Exception):
    pass


class Blocked(Refused):
    def __init__(self, reason: str, effect: str) -> None:
        super().__init__(reason)
        self.effect = effect
        """In few words, as `writing /srv/a.txt`."""
