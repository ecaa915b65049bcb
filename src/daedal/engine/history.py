"""How do the rows of a transcript become the messages a model sees? The same way live and after a crash."""

from collections.abc import Iterable
from typing import Any

from msgspec import Raw, convert
from msgspec.json import encode

from daedal.protocol.content import Block, Image, Kept, Message, Role, Text, ToolResult, ToolUse
from daedal.protocol.records import EntryType, StoredEntry

RESULT_TYPES = (EntryType.TOOL_RESULT, EntryType.ATTACHMENT)


def messages(entries: Iterable[StoredEntry]) -> list[Message]:
    """Results of one step, and the instructions that came with them, make one message; all others stand alone."""
    out: list[Message] = []
    gathered: list[Block] = []
    own_calls: dict[str, ToolUse] = {}
    for entry in entries:
        if entry.entry_type is EntryType.TOOL_USE:
            own_calls[entry.payload["id"]] = convert({"type": "tool_use", **entry.payload}, ToolUse)
            continue
        if entry.entry_type in RESULT_TYPES:
            call = own_calls.pop(entry.payload.get("tool_use_id", ""), None)
            if call is not None and not _asked_for(call.id, out):
                if gathered:
                    out.append(Message(Role.USER, gathered))
                    gathered = []
                out.append(by_the_user(call, entry.payload["content"]))
            else:
                gathered.append(result_block(entry.entry_type, entry.payload, entry.extra))
            continue
        if entry.entry_type is EntryType.COLLAPSE_COMMIT:
            out, gathered, own_calls = [folded(entry.payload["summary"])], [], {}
        if entry.entry_type not in (EntryType.USER, EntryType.ASSISTANT):
            continue
        if gathered:
            out.append(Message(Role.USER, gathered))
            gathered = []
        role = Role.USER if entry.entry_type is EntryType.USER else Role.ASSISTANT
        blocks = convert(entry.payload["content"], list[Block])
        out.append(Message(role, blocks, kept=[thaw(frozen) for frozen in entry.extra.get("kept", [])]))
    if gathered:
        out.append(Message(Role.USER, gathered))
    return out


def folded(summary: str) -> Message:
    """What stands for everything that was said before it."""
    return Message(Role.USER, [Text(f"This is your summary of our conversation so far:\n\n{summary}")])


def _asked_for(call_id: str, out: list[Message]) -> bool:
    """Whether the model's last message has this call; a call of the user's own is in no message."""
    last = next((message for message in reversed(out) if message.role is Role.ASSISTANT), None)
    return last is not None and any(isinstance(block, ToolUse) and block.id == call_id for block in last.content)


def by_the_user(call: ToolUse, content: str) -> Message:
    """A tool call that the user made, told to the model as such."""
    arguments = encode(call.input).decode()
    return Message(Role.USER, [Text(f"I ran {call.name} {arguments} myself. Its result:\n{content}")])


def result_block(entry_type: EntryType, payload: dict[str, Any], extra: dict[str, Any]) -> Block:
    if entry_type is EntryType.ATTACHMENT:
        return Text(payload["attachment"]["text"])
    images = convert(extra.get("images", []), list[Image])
    return ToolResult(payload["tool_use_id"], payload["content"], payload["is_error"], images)


def freeze(kept: Kept) -> dict[str, Any]:
    """A kept block for the record, as text, so that its bytes come back exactly."""
    return {"index": kept.index, "wire": kept.wire, "block": bytes(kept.block).decode()}


def thaw(frozen: dict[str, Any]) -> Kept:
    return Kept(frozen["index"], Raw(frozen["block"].encode()), frozen["wire"])


def open_calls(entries: Iterable[StoredEntry]) -> list[ToolUse]:
    """Calls that were announced and have no result: effects of unknown outcome after a crash."""
    announced: dict[str, ToolUse] = {}
    for entry in entries:
        if entry.entry_type is EntryType.TOOL_USE:
            use = convert({"type": "tool_use", **entry.payload}, ToolUse)
            announced[use.id] = use
        elif entry.entry_type is EntryType.TOOL_RESULT:
            announced.pop(entry.payload["tool_use_id"], None)
    return list(announced.values())
