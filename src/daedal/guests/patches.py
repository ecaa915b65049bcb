"""What does a patch do to each of its files? The same as four of our tools, so that rules for these hold for it."""

from collections.abc import Mapping
from typing import Any, cast

from msgspec.structs import replace

from daedal.protocol.verdict import ToolRequest
from daedal.sandbox import resolve


def parts_of(request: ToolRequest) -> list[ToolRequest]:
    """A patch, file by file; nothing where the call is none."""
    return [_part(request, change) for change in changes_of(request.input)]


def changes_of(arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
    changes = arguments.get("changes")
    return cast("list[dict[str, Any]]", changes) if isinstance(changes, list) else []


def _part(request: ToolRequest, change: dict[str, Any]) -> ToolRequest:
    path, moved, kind = change["path"], change.get("move_path"), change["kind"]
    if moved:
        tool, given = "Move", {"source_path": path, "destination_path": moved, "diff": change["diff"]}
    elif kind == "add":
        tool, given = "Write", {"file_path": path, "content": change["diff"]}
    elif kind == "delete":
        tool, given = "Delete", {"file_path": path}
    else:
        tool, given = "Edit", {"file_path": path, "diff": change["diff"]}
    try:
        paths = [resolve(name, request.cwd) for name in filter(None, [path, moved])]
    except (ValueError, OSError):
        paths = []
    return replace(request, tool=tool, input=given, paths=paths)
