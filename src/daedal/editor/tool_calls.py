"""How does a tool call look in the editor? Its kind, title, places, and what came of it."""

import os
import re
from collections.abc import Sequence
from typing import Any

from acp.helpers import start_tool_call, text_block, tool_content, update_tool_call
from acp.schema import (
    ContentToolCallContent,
    FileEditToolCallContent,
    TerminalToolCallContent,
    ToolCallLocation,
    ToolCallProgress,
    ToolCallStart,
    ToolCallStatus,
    ToolCallUpdate,
    ToolKind,
)
from msgspec import Struct

from daedal.editor.diffs import diff_contents, hunks, preview
from daedal.protocol.approvals import ApprovalRequest
from daedal.protocol.items import CommandExecution, FileChange, ItemStatus, ToolCall

KINDS: dict[str, ToolKind] = {
    "Agent": "think",
    "Bash": "execute",
    "Edit": "edit",
    "EnterPlanMode": "switch_mode",
    "ExitPlanMode": "switch_mode",
    "Glob": "search",
    "Grep": "search",
    "Move": "move",
    "NotebookEdit": "edit",
    "Read": "read",
    "Recall": "search",
    "TodoWrite": "think",
    "ToolSearch": "search",
    "WebFetch": "fetch",
    "WebSearch": "fetch",
    "Write": "edit",
}
STATUSES: dict[ItemStatus, ToolCallStatus] = {
    ItemStatus.IN_PROGRESS: "in_progress",
    ItemStatus.COMPLETED: "completed",
    ItemStatus.FAILED: "failed",
    ItemStatus.DECLINED: "failed",
}
PATHS = ("file_path", "notebook_path", "path", "source_path")
SUBJECTS = (*PATHS, "pattern", "query", "url", "description", "question", "skill", "name")
"""What a call is about, where it says so; the first that is there is shown in the title."""
TITLE_MAX = 120

Shown = ContentToolCallContent | FileEditToolCallContent | TerminalToolCallContent
ToolItem = CommandExecution | FileChange | ToolCall


class _Call(Struct, frozen=True, kw_only=True):
    """What the model wants, whichever way we heard of it."""

    tool: str
    arguments: dict[str, Any]
    folder: str

    @property
    def kind(self) -> ToolKind:
        return KINDS.get(self.tool, "other")

    @property
    def title(self) -> str:
        if self.tool == "Bash":
            return one_line(str(self.arguments.get("command", ""))) or self.tool
        given = (self.arguments.get(name) for name in SUBJECTS)
        subject = next((value for value in given if isinstance(value, str) and value), "")
        return one_line(f"{self.tool} {_within(subject, self.folder)}")

    @property
    def locations(self) -> list[ToolCallLocation]:
        given = (self.arguments.get(name) for name in PATHS)
        path = next((value for value in given if isinstance(value, str) and value), None)
        line = self.arguments.get("offset") if self.tool == "Read" else None
        is_line = isinstance(line, int) and line > 0
        return [_location(path, self.folder, line if is_line else None)] if path else []


def begun(item: ToolItem, folder: str) -> ToolCallStart:
    call = _of(item, folder)
    return start_tool_call(
        item.id,
        call.title,
        kind=call.kind,
        status=STATUSES[item.status],
        locations=_locations(item, call),
        raw_input=call.arguments if not isinstance(item, FileChange) else None,
    )


def ended(item: ToolItem, folder: str) -> ToolCallProgress:
    return update_tool_call(
        item.id,
        status=STATUSES[item.status],
        content=_content(item, folder),
        locations=_locations(item, _of(item, folder)),
    )


def whole(item: ToolItem, folder: str) -> ToolCallStart:
    """A call of an earlier time, in one piece. One that never came to an end has failed."""
    start = begun(item, folder)
    start.status = "failed" if item.status is ItemStatus.IN_PROGRESS else STATUSES[item.status]
    start.content = list(_content(item, folder))
    return start


def proposed(asked: ApprovalRequest) -> ToolCallUpdate:
    """A call that a person is asked about: what it would do, and why they are asked."""
    call = _Call(tool=asked.tool, arguments=asked.arguments, folder=asked.cwd)
    plan = asked.arguments.get("plan") if asked.tool == "ExitPlanMode" else None
    shown: list[Shown] = [tool_content(text_block(plan))] if isinstance(plan, str) else []
    shown += preview(asked)
    if asked.tool == "Bash":
        shown.append(tool_content(text_block(fenced(str(asked.arguments.get("command", ""))))))
    shown.append(tool_content(text_block(asked.reason)))
    return ToolCallUpdate(
        tool_call_id=asked.item_id,
        title=call.title,
        kind=call.kind,
        status="pending",
        content=shown,
        locations=call.locations,
        raw_input=asked.arguments,
    )


def printed(call_id: str, text: str) -> ToolCallProgress:
    """What a command that still runs has printed last."""
    return update_tool_call(call_id, content=[tool_content(text_block(fenced(text)))])


def told(call_id: str, sentence: str) -> ToolCallProgress:
    """What a server says about a call that is under way."""
    return update_tool_call(call_id, content=[tool_content(text_block(sentence))])


def status_update(call_id: str, status: ToolCallStatus) -> ToolCallProgress:
    return update_tool_call(call_id, status=status)


def fenced(text: str) -> str:
    """As it is: an editor reads text as Markdown, and a file may contain fences of its own."""
    longest = max((len(ticks) for ticks in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}\n{text.removesuffix(chr(10))}\n{fence}"


def one_line(text: str) -> str:
    flat = " ".join(text[: TITLE_MAX * 4].split())
    return flat if len(flat) <= TITLE_MAX else f"{flat[: TITLE_MAX - 1]}…"


def _of(item: ToolItem, folder: str) -> _Call:
    match item:
        case CommandExecution():
            return _Call(tool="Bash", arguments={"command": item.command, "cwd": item.cwd}, folder=folder)
        case FileChange():
            path = item.changes[0].path if item.changes else ""
            return _Call(tool=item.tool, arguments={"file_path": path}, folder=folder)
        case ToolCall():
            return _Call(tool=item.tool, arguments=item.arguments, folder=folder)


def _content(item: ToolItem, folder: str) -> Sequence[Shown]:
    shown: list[Shown] = []
    match item:
        case CommandExecution():
            text = item.aggregated_output if item.reason is None else None
            shown += [tool_content(text_block(fenced(text)))] if text else []
        case FileChange():
            for change in item.changes:
                shown += diff_contents(change, folder)
        case ToolCall():
            texts = [part.get("text") for part in item.content_items or []] if item.reason is None else []
            text = "\n".join(text for text in texts if isinstance(text, str))
            shown += [tool_content(text_block(fenced(text)))] if text else []
    if item.reason is not None:
        shown.append(tool_content(text_block(item.reason)))
    return shown


def _locations(item: ToolItem, call: _Call) -> list[ToolCallLocation]:
    if not isinstance(item, FileChange):
        return call.locations
    places: list[ToolCallLocation] = []
    for change in item.changes:
        lines = [hunk.line for hunk in hunks(change.diff)]
        places.append(_location(change.path, call.folder, lines[0] if lines else None))
        moved = change.kind.get("move_path")
        places += [_location(moved, call.folder, None)] if isinstance(moved, str) else []
    return places


def _location(path: str, folder: str, line: int | None) -> ToolCallLocation:
    return ToolCallLocation(path=os.path.join(folder, path), line=line)


def _within(path: str, folder: str) -> str:
    inside = os.path.join(folder, "")
    return path.removeprefix(inside)
