"""Does a transcript entry have the shape of Appendix C? Checked when it is written and again when it is read back.

The discriminator `_t` exists only in the stored JSON, always first; rooms see payloads without it. A row without `_t`,
as an operator may write it, is read by its `entry_type`.
"""

from typing import Any

import msgspec
from msgspec import Raw, Struct

from daedal.protocol.catalogue import say
from daedal.protocol.content import Block
from daedal.protocol.errors import LedgerError
from daedal.protocol.records import Entry, EntryType

JSON_TROUBLE = (TypeError, ValueError, OverflowError, RecursionError)
"""What the encoder raises for something that is no JSON; broken surrogates are a ValueError."""


class _Said(Struct):
    uuid: str
    content: list[Block]


class _Used(Struct):
    id: str
    name: str
    input: dict[str, Raw]


class _Resulted(Struct):
    tool_use_id: str
    content: str
    is_error: bool


class _System(Struct):
    subtype: str


class _Progress(Struct):
    data: dict[str, Raw]


class _Attachment(Struct):
    attachment: dict[str, Raw]


class _Opaque(Struct):
    """An object, and nothing more is said about it."""


_NAMED: dict[str, type[Struct]] = {
    EntryType.USER: _Said,
    EntryType.ASSISTANT: _Said,
    EntryType.TOOL_USE: _Used,
    EntryType.TOOL_RESULT: _Resulted,
    EntryType.SYSTEM: _System,
    EntryType.PROGRESS: _Progress,
    EntryType.ATTACHMENT: _Attachment,
}
_OPAQUE = msgspec.json.Decoder(_Opaque)
_SHAPES = {str(kind): msgspec.json.Decoder(_NAMED[kind]) if kind in _NAMED else _OPAQUE for kind in EntryType}
_OBJECT = msgspec.json.Decoder(dict[str, Any])
_encode = msgspec.json.Encoder().encode


def to_json(value: Any, session_id: str) -> str:
    """Compact JSON text of what a record carries."""
    try:
        return _encode(value).decode()
    except JSON_TROUBLE as error:
        raise LedgerError(say("ledger.not_json", session=session_id, detail=error)) from error


def to_object(text: str | bytes) -> dict[str, Any]:
    """The object in a JSON column. Raises msgspec.DecodeError, TypeError or ValueError."""
    return _OBJECT.decode(text)


def payload_json(entry: Entry, session_id: str) -> str:
    """What is stored for an entry, checked."""
    shape = _SHAPES.get(entry.entry_type)
    if shape is None:
        raise LedgerError(say("ledger.entry_type", entry_type=entry.entry_type))
    text = to_json({"_t": entry.entry_type, **entry.payload}, session_id)
    try:
        if "_t" in entry.payload:
            raise ValueError("_t")
        shape.decode(text)
    except ValueError as error:
        raise LedgerError(
            say("ledger.payload", entry_type=entry.entry_type, session=session_id, detail=error)
        ) from error
    return text


def payload_of(entry_type: str, text: str | bytes) -> dict[str, Any]:
    """The payload in a stored row, checked. Raises ValueError or TypeError when the row is damaged."""
    shape = _SHAPES.get(entry_type)
    if shape is None:
        raise ValueError(say("ledger.entry_type", entry_type=entry_type))
    shape.decode(text)
    payload = to_object(text)
    if payload.pop("_t", entry_type) != entry_type:
        raise ValueError("_t")
    return payload
