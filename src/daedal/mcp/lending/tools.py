"""What does another agent see of our tools? Those that make sense to it, and what a call came to."""

from collections.abc import Sequence
from typing import Any

import msgspec
from mcp_types import CallToolResult, ImageContent, TextContent, Tool, ToolAnnotations

from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.threads import ListedTool, ToolCallResponse

USUAL = (
    "Read",
    "Write",
    "Edit",
    "NotebookEdit",
    "Move",
    "Bash",
    "TaskOutput",
    "TaskStop",
    "Glob",
    "Grep",
    "WebFetch",
    "WebSearch",
)
"""Lent unless others are named: files, commands and the web."""
NEVER = ("AskUserQuestion", "TodoWrite", "EnterPlanMode", "ExitPlanMode", "ToolSearch", "Brief", "Agent")
"""They steer a dialogue with a model of ours, and here there is none."""
OUTWARD = ("Bash", "WebFetch", "WebSearch", "Agent", "ReadMcpResource")
"""What they deal with may lie outside of this machine."""
ADDING = ("remember",)
"""They change something, but take nothing away."""


def chosen(there: Sequence[ListedTool], names: Sequence[str] | None) -> list[ListedTool]:
    """The tools to lend: those that were named, else the usual ones. Raises UsageError."""
    lendable = {tool.name: tool for tool in there if tool.name not in NEVER}
    for name in names or ():
        if name not in lendable:
            reason = "mcp.lending.never" if name in NEVER else "mcp.lending.no_such_tool"
            raise UsageError(say(reason, name=name, known=", ".join(lendable)))
    return [tool for name, tool in lendable.items() if name in (names or USUAL)]


def offered(tool: ListedTool) -> Tool:
    return Tool(
        name=tool.name,
        description=tool.description,
        input_schema=msgspec.json.decode(tool.input_schema, type=dict[str, Any]),
        annotations=ToolAnnotations(
            read_only_hint=tool.read_only,
            destructive_hint=not tool.read_only and tool.name not in ADDING,
            open_world_hint=tool.name in OUTWARD or tool.name.startswith("mcp__"),
        ),
    )


def result_of(response: ToolCallResponse) -> CallToolResult:
    images = [ImageContent(data=image.data, mime_type=image.media_type) for image in response.images]
    return CallToolResult(content=[TextContent(text=response.content), *images], is_error=response.is_error)


def failed(sentence: str) -> CallToolResult:
    """Nothing was run."""
    return CallToolResult(content=[TextContent(text=sentence)], is_error=True)
