"""How do the rows of a transcript become the messages a model sees? The same way live and after a crash."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Raw, convert
from msgspec.json import encode

from daedal.engine.pieces import Piece, PieceKind
from daedal.protocol.content import Block, Image, Kept, Message, Picture, Role, Text, ToolResult, ToolUse
from daedal.protocol.records import EntryType, StoredEntry

RESULT_TYPES = (EntryType.TOOL_RESULT, EntryType.ATTACHMENT)
IMAGE = "image"
"""The type of an attachment that the person showed with the words after it."""
_SAID = (EntryType.USER, EntryType.ASSISTANT, EntryType.COLLAPSE_COMMIT)


def messages(entries: Iterable[StoredEntry]) -> list[Message]:
    return [piece.message for piece in pieces(entries)]


def pieces(entries: Iterable[StoredEntry], earlier: Sequence[Piece] = ()) -> list[Piece]:
    """Results of one step, and the instructions that came with them, make one message; all others stand alone.

    `earlier` is what came of the rows before them.
    """
    out = list(earlier)
    gathered: list[Block] = []
    began = 0
    own_calls: dict[str, ToolUse] = {}
    pictures: list[Image] = []
    for entry in entries:
        if (picture := picture_of(entry)) is not None:
            pictures.append(picture.image)
            continue
        if entry.entry_type is EntryType.TOOL_USE:
            own_calls[entry.payload["id"]] = convert({"type": "tool_use", **entry.payload}, ToolUse)
            continue
        call = None
        if entry.entry_type in RESULT_TYPES:
            call = own_calls.pop(entry.payload.get("tool_use_id", ""), None)
            if call is None or _asked_for(call.id, out):
                began = began if gathered else entry.sequence
                gathered.append(result_block(entry.entry_type, entry.payload, entry.extra))
                continue
        elif entry.entry_type not in _SAID:
            continue
        if gathered:
            out.append(_piece(Message(Role.USER, gathered), PieceKind.RESULTS, began))
            gathered = []
        if entry.entry_type is EntryType.COLLAPSE_COMMIT:
            from daedal.engine.fold_view import refolded

            out = refolded(out, entry.payload)
        elif call is not None:
            out.append(_piece(by_the_user(call, entry.payload["content"]), PieceKind.BY_HAND, entry.sequence))
        else:
            is_user = entry.entry_type is EntryType.USER
            out.append(_said(entry, pictures if is_user else []))
            pictures = [] if is_user else pictures
    if gathered:
        out.append(_piece(Message(Role.USER, gathered), PieceKind.RESULTS, began))
    return out


def _piece(message: Message, kind: PieceKind, first: int) -> Piece:
    return Piece(message=message, kind=kind, first=first)


def _said(entry: StoredEntry, images: list[Image]) -> Piece:
    is_user = entry.entry_type is EntryType.USER
    blocks = convert(entry.payload["content"], list[Block])
    kept = [thaw(frozen) for frozen in entry.extra.get("kept", [])]
    message = Message(Role.USER if is_user else Role.ASSISTANT, blocks, kept=kept, images=images)
    return _piece(message, PieceKind.USER if is_user else PieceKind.REPLY, entry.sequence)


def picture_of(entry: StoredEntry) -> Picture | None:
    """The image that was shown, where the entry is one."""
    if entry.entry_type is not EntryType.ATTACHMENT or entry.payload["attachment"].get("type") != IMAGE:
        return None
    attachment = entry.payload["attachment"]
    return Picture(Image(attachment["mediaType"], attachment["data"]), attachment.get("name") or "")


def _asked_for(call_id: str, out: list[Piece]) -> bool:
    """Whether the model's last message has this call; a call of the user's own is in no message."""
    last = next((piece.message for piece in reversed(out) if piece.kind is PieceKind.REPLY), None)
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
    return {"index": kept.index, "wire": kept.wire, "block": bytes(kept.block).decode(), "by": kept.by}


def thaw(frozen: dict[str, Any]) -> Kept:
    return Kept(frozen["index"], Raw(frozen["block"].encode()), frozen["wire"], frozen.get("by", ""))


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
