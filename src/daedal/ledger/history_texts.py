"""What of a transcript entry can be searched? What was said, what was asked of a tool, and what came of it."""

from collections.abc import Iterator
from typing import Any, cast

from daedal.ledger.payloads import to_object
from daedal.protocol.records import EntryType

TEXT_CHARACTERS_MAX = 32_000
"""Of one entry. Tools cap their results at about this; what was attached to a prompt may be longer."""
KINDS = (EntryType.USER, EntryType.ASSISTANT, EntryType.TOOL_USE, EntryType.TOOL_RESULT)
"""Other entries are bookkeeping, or files that can be read where they are."""
_VALUES_MAX = 1_000


def text_of(kind: str, payload_json: bytes, extra_json: bytes = b"") -> str:
    """The entry's text; empty where it has none, or is damaged: one bad row must not hide the others."""
    try:
        payload = to_object(payload_json)
        match kind:
            case EntryType.USER | EntryType.ASSISTANT:
                parts = [block["text"] for block in payload["content"] if block.get("type") == "text"]
                text = "\n".join([*_shown(extra_json), *parts])
            case EntryType.TOOL_USE:
                text = "\n".join([payload["name"], *_values(payload["input"])])
            case EntryType.TOOL_RESULT:
                text = payload["content"]
            case _:
                return ""
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return ""
    return text[:TEXT_CHARACTERS_MAX].encode("utf-8", "replace").decode() if isinstance(text, str) else ""


def _shown(extra_json: bytes) -> list[str]:
    """What a person typed, where the model was given something else for it."""
    if b'"shown"' not in extra_json:
        return []
    shown = to_object(extra_json).get("shown")
    return [shown] if isinstance(shown, str) else []


def _values(given: Any) -> Iterator[str]:
    """Every text and number in a call's input, in order; not its keys, which are the same in every call."""
    left, count = [given], 0
    while left and count < _VALUES_MAX:
        value, count = left.pop(), count + 1
        if isinstance(value, dict):
            left += reversed(list(cast("dict[str, Any]", value).values()))
        elif isinstance(value, list):
            left += reversed(cast("list[Any]", value))
        elif isinstance(value, str | int | float) and not isinstance(value, bool):
            yield str(value)
