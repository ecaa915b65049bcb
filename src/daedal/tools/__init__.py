"""What can a model do by itself? The built-in tools, each with its description in Markdown beside its code."""

from typing import TYPE_CHECKING

from daedal.protocol.rooms import loaded_when_used
from daedal.tools.box import builtin_tools
from daedal.tools.offering import offered
from daedal.tools.settings import ShellSettings, ToolSettings
from daedal.tools.web import Web
from daedal.tools.worlds import (
    AgentOrder,
    Agents,
    Listing,
    NoAgents,
    NoSkills,
    Resource,
    ResourceContent,
    Worlds,
)

if TYPE_CHECKING:
    from daedal.tools.errors import Refused
    from daedal.tools.images import IMAGE_BYTES_MAX, SIDE_PIXELS_MAX, measure
    from daedal.tools.restoring import FileRestorer
    from daedal.tools.resuming import still_running
    from daedal.tools.search_backends import Found, Hit, Query
    from daedal.tools.way_out import Proxy, WayOut

__all__ = [
    "IMAGE_BYTES_MAX",
    "SIDE_PIXELS_MAX",
    "AgentOrder",
    "Agents",
    "FileRestorer",
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
    "ShellSettings",
    "ToolSettings",
    "WayOut",
    "Web",
    "Worlds",
    "builtin_tools",
    "measure",
    "offered",
    "still_running",
]


_FILES = {
    "FileRestorer": "restoring",
    "Found": "search_backends",
    "IMAGE_BYTES_MAX": "images",
    "SIDE_PIXELS_MAX": "images",
    "measure": "images",
    "Hit": "search_backends",
    "Proxy": "way_out",
    "Query": "search_backends",
    "Refused": "errors",
    "WayOut": "way_out",
    "still_running": "resuming",
}

__getattr__ = loaded_when_used(__name__, _FILES)
"""What the first request does not need is loaded when it is used."""
