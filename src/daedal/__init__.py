"""Daedal: a coding agent you can leave alone, on the record and by the rules."""

__version__ = "0.1.0"
