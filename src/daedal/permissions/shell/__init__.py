"""What would a line of shell run?"""

from daedal.permissions.shell.parsing import parse
from daedal.permissions.shell.script import Command, Piece, Redirect, Script, Word

__all__ = ["Command", "Piece", "Redirect", "Script", "Word", "parse"]
