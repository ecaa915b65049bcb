"""Which slash commands are there? The table; each has a file of its own, which is loaded when it is used."""

from daedal.tui.commands.table import COMMANDS, GROUPS, Slash, find, nearest

__all__ = ["COMMANDS", "GROUPS", "Slash", "find", "nearest"]
