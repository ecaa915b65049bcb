"""What can a model do by itself? The built-in tools, each with its description in Markdown beside its code."""

from typing import TYPE_CHECKING

from daedal.tools.box import BuiltinToolbox, builtin_tools
from daedal.tools.settings import ShellSettings, ToolSettings
from daedal.tools.web import Web
from daedal.tools.web_settings import WebSettings

if TYPE_CHECKING:
    from daedal.tools.way_out import Proxy, WayOut

__all__ = ["BuiltinToolbox", "Proxy", "ShellSettings", "ToolSettings", "WayOut", "Web", "WebSettings", "builtin_tools"]


def __getattr__(name: str) -> object:
    """What only the web needs is loaded with it."""
    if name not in ("Proxy", "WayOut"):
        raise AttributeError(name)
    from daedal.tools import way_out

    return getattr(way_out, name)
