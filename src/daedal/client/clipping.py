"""How much of one item is kept? Of words and output the end, of patches the beginning; what is larger is left out."""

import msgspec
from msgspec.structs import replace

from daedal.protocol.items import (
    AgentMessage,
    CommandExecution,
    FileChange,
    ImageInput,
    Item,
    Reasoning,
    ToolCall,
    UserInput,
    UserMessage,
)

WORDS_MAX = 1024 * 1024
"""Characters of a message."""
OUTPUT_MAX = 64 * 1024
"""Characters of what a command printed, of a patch to one file, and of a call with its result."""
PARTS_MAX = 1_000
"""Files in a change, and parts of a message."""


def tail(output: str) -> str:
    return output[-OUTPUT_MAX:]


def clipped(item: Item) -> Item:
    match item:
        case AgentMessage() if len(item.text) > WORDS_MAX:
            return replace(item, text=item.text[-WORDS_MAX:])
        case UserMessage():
            return replace(item, content=[_given(part) for part in item.content[:PARTS_MAX]])
        case Reasoning():
            summary, content = item.summary[-PARTS_MAX:], item.content[-PARTS_MAX:]
            return replace(item, summary=list(map(tail, summary)), content=list(map(tail, content)))
        case CommandExecution(aggregated_output=str() as output) if len(output) > OUTPUT_MAX:
            return replace(item, aggregated_output=tail(output))
        case FileChange():
            changes = [replace(change, diff=change.diff[:OUTPUT_MAX]) for change in item.changes[:PARTS_MAX]]
            return replace(item, changes=changes)
        case ToolCall() if len(repr(item)) > OUTPUT_MAX:
            return _small(item)
        case _:
            return item


def _given(part: msgspec.Struct) -> msgspec.Struct:
    match part:
        case UserInput() if len(part.text) > WORDS_MAX:
            return replace(part, text=part.text[:WORDS_MAX])
        case ImageInput():
            return replace(part, url="")
        case _:
            return part


def _small(item: ToolCall) -> ToolCall:
    """Without whatever is too large of it, the result first."""
    item = replace(item, content_items=None)
    if len(repr(item.arguments)) <= OUTPUT_MAX:
        return item
    short = {key: value for key, value in item.arguments.items() if len(repr(value)) <= 200}
    return replace(item, arguments=short if len(repr(short)) <= OUTPUT_MAX else {})
