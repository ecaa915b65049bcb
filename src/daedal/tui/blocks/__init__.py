"""How does each finished thing look in the scrollback? One file per kind, loaded when the first of it is shown."""

from importlib import import_module
from typing import Any

from daedal.tui.terminal.widths import Row

FILES = {
    "UserMessage": "user",
    "AgentMessage": "agent",
    "Reasoning": "reasoning",
    "CommandExecution": "calls",
    "FileChange": "calls",
    "ToolCall": "calls",
    "Notice": "notices",
    "TurnEnd": "notices",
    "Panel": "panel",
    "Listing": "listing",
    "ThreadGoal": "goal",
    "ContextCompaction": "notices",
    "ReviewEntered": "notices",
}
"""Kind of body → its file here, which has `rows(body, columns)`. To add a kind, add a line and a file."""


def rows(body: Any, columns: int) -> list[Row]:
    """Empty for what is not shown."""
    file = FILES.get(type(body).__name__)
    if file is None:
        return []
    return import_module(f"{__name__}.{file}").rows(body, columns)


def is_line(body: Any) -> bool:
    """Whether it is one of those that stand together without a gap."""
    return FILES.get(type(body).__name__) == "calls"
