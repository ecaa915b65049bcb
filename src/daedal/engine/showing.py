"""How does what was said and done look to the faces? Calls before and after, and what is on the record of a turn."""

from collections.abc import Sequence
from typing import Any

from msgspec import convert
from msgspec.structs import replace

from daedal.engine.history import picture_of
from daedal.protocol.content import Picture, ToolUse
from daedal.protocol.items import (
    AgentMessage,
    Change,
    CommandExecution,
    ContextCompaction,
    FileChange,
    Given,
    ImageInput,
    Item,
    ItemStatus,
    ToolCall,
    UserInput,
    UserMessage,
)
from daedal.protocol.records import EntryType, StoredEntry
from daedal.protocol.seams import Outcome

FILE_TOOLS = {"Write": "file_path", "Edit": "file_path", "NotebookEdit": "notebook_path", "Move": "source_path"}
"""Tools that change files, and the key that names the file."""


def begun(call: ToolUse, cwd: str, source: str = "agent", changes: Sequence[Change] = ()) -> Item:
    """The item of a call that is about to be judged and run; with what it would change, as far as that is known."""
    item = _item(call, cwd, ItemStatus.IN_PROGRESS, source=source)
    return replace(item, changes=list(changes)) if changes and isinstance(item, FileChange) else item


def ended(
    call: ToolUse, cwd: str, outcome: Outcome, *, declined: bool, duration_ms: int, source: str = "agent"
) -> Item:
    reason = None
    if declined:
        status, reason = ItemStatus.DECLINED, outcome.content
    elif outcome.is_error:
        # How a command failed is told by its exit code and output.
        status, reason = ItemStatus.FAILED, None if outcome.exit_code is not None else outcome.content
    else:
        status = ItemStatus.COMPLETED
    return _item(call, cwd, status, outcome, duration_ms, reason=reason, source=source)


def _item(
    call: ToolUse,
    cwd: str,
    status: ItemStatus,
    outcome: Outcome | None = None,
    duration_ms: int | None = None,
    *,
    reason: str | None = None,
    source: str = "agent",
) -> Item:
    if call.name == "Bash":
        return CommandExecution(
            id=call.id,
            command=str(call.input.get("command", "")),
            cwd=cwd,
            status=status,
            source=source,
            aggregated_output=outcome.content if outcome else None,
            exit_code=outcome.exit_code if outcome else None,
            duration_ms=duration_ms,
            reason=reason,
        )
    if call.name in FILE_TOOLS:
        named = Change(path=str(call.input.get(FILE_TOOLS[call.name], "")), kind={"type": "update"}, diff="")
        changes = outcome.changes if outcome and outcome.changes else [named]
        return FileChange(id=call.id, changes=changes, status=status, tool=call.name, reason=reason)
    return ToolCall(
        id=call.id,
        tool=call.name,
        arguments=call.input,
        status=ItemStatus.FAILED if status is ItemStatus.DECLINED else status,
        content_items=[{"type": "inputText", "text": outcome.content}] if outcome else None,
        success=not outcome.is_error if outcome else None,
        duration_ms=duration_ms,
        reason=reason,
        declined=status is ItemStatus.DECLINED,
    )


def shown_content(text: str, pictures: list[Picture]) -> list[Given]:
    """What a person gave, as faces show it."""
    images = [ImageInput(url=picture.image.url, name=picture.name or None) for picture in pictures]
    return [UserInput(text), *images]


def shown_names(pictures: list[Picture]) -> str:
    """What stands for a prompt without words."""
    return " ".join(f"[{picture.name or 'image'}]" for picture in pictures)


def stored_items(entries: list[StoredEntry]) -> list[Item]:
    """The items of a turn as they can be rebuilt from the record."""
    items: list[Item] = []
    pictures: list[Picture] = []
    results = {e.payload["tool_use_id"]: e for e in entries if e.entry_type is EntryType.TOOL_RESULT}
    for entry in entries:
        match entry.entry_type:
            case EntryType.USER:
                shown = entry.extra.get("shown") or _text(entry.payload)
                items.append(UserMessage(id=entry.payload["uuid"], content=shown_content(shown, pictures)))
                pictures = []
            case EntryType.ATTACHMENT if (picture := picture_of(entry)) is not None:
                pictures.append(picture)
            case EntryType.ASSISTANT if _text(entry.payload):
                items.append(AgentMessage(id=entry.payload["uuid"], text=_text(entry.payload)))
            case EntryType.COLLAPSE_COMMIT:
                items.append(ContextCompaction(id=entry.payload["uuid"]))
            case EntryType.TOOL_USE:
                call = ToolUse(entry.payload["id"], entry.payload["name"], entry.payload["input"])
                items.append(_stored_call(call, results.get(call.id), entry.extra.get("source", "agent")))
            case _:
                pass
    return items


def last_words(entries: Sequence[StoredEntry]) -> str:
    """What the model said last; empty where it said nothing."""
    for entry in reversed(entries):
        if entry.entry_type is EntryType.ASSISTANT:
            blocks = entry.payload["content"]
            return "".join(block.get("text", "") for block in blocks if block.get("type") == "text")
    return ""


def _stored_call(call: ToolUse, result: StoredEntry | None, source: str) -> Item:
    if result is None:
        return begun(call, "", source)
    extra = result.extra
    outcome = Outcome(
        content=result.payload["content"],
        is_error=result.payload["is_error"],
        changes=convert(extra.get("changes", []), list[Change]),
        exit_code=extra.get("exitCode"),
    )
    return ended(
        call,
        extra.get("cwd", ""),
        outcome,
        declined=bool(extra.get("declined")),
        duration_ms=extra.get("durationMs", 0),
        source=source,
    )


def _text(payload: dict[str, Any]) -> str:
    return "".join(block["text"] for block in payload["content"] if block["type"] == "text")
