"""What can a model do by itself? The built-in tools, each with its description in Markdown beside its code."""

from typing import TYPE_CHECKING

from daedal.protocol.rooms import loaded_when_used
from daedal.tools.box import BuiltinToolbox, builtin_tools
from daedal.tools.offering import offered
from daedal.tools.settings import ShellSettings, ToolSettings
from daedal.tools.web import Web
from daedal.tools.web_settings import WebSettings
from daedal.tools.worlds import (
    AgentOrder,
    Agents,
    Listing,
    NoAgents,
    NoSkills,
    Resource,
    ResourceContent,
    Resources,
    Skills,
    Worlds,
)

if TYPE_CHECKING:
    from daedal.tools.errors import Refused
    from daedal.tools.resuming import still_running
    from daedal.tools.search_backends import Found, Hit, Query
    from daedal.tools.way_out import Proxy, WayOut

__all__ = [
    "AgentOrder",
    "Agents",
    "BuiltinToolbox",
    "Found",
    "Hit",
    "Listing",
    "NoAgents",
    "NoSkills",
    "Proxy",
    "Query",
    "Refused",
    "Resource",
    "ResourceContent",
    "Resources",
    "ShellSettings",
    "Skills",
    "ToolSettings",
    "WayOut",
    "Web",
    "WebSettings",
    "Worlds",
    "builtin_tools",
    "offered",
    "still_running",
]


_FILES = {
    "Found": "search_backends",
    "Hit": "search_backends",
    "Proxy": "way_out",
    "Query": "search_backends",
    "Refused": "errors",
    "WayOut": "way_out",
    "still_running": "resuming",
}

__getattr__ = loaded_when_used(__name__, _FILES)
"""What the first request does not need is loaded when it is used."""
