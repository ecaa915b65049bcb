"""What can a model do by itself? The built-in tools, each with its description in Markdown beside its code."""

from daedal.tools.box import BuiltinToolbox, builtin_tools
from daedal.tools.settings import ShellSettings, ToolSettings

__all__ = ["BuiltinToolbox", "ShellSettings", "ToolSettings", "builtin_tools"]
