"""What are a turn's items by now? Begun, grown by deltas, done; within a bound, beyond which the oldest are dropped."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from daedal.client.clipping import clipped, tail
from daedal.protocol.items import AgentMessage, CommandExecution, FileChange, Item, Reasoning, ToolCall

CHARACTERS_MAX = 4 * 1024 * 1024
"""Of all items of a turn."""
IDS_MAX = 10_000
"""So many finished items are remembered by name, so that whatever still comes about them is known to be late."""
PIECES_MAX = 256


class Growth(Struct, frozen=True, kw_only=True, rename="camel"):
    """A delta of any kind."""

    thread_id: str
    turn_id: str
    item_id: str
    delta: str
    part: Literal["text", "output", "content", "summary", "plan"] = "text"
    index: int = 0


class GatheredItems:
    """Of one turn. The first end of an item counts; what comes about it later changes nothing."""

    def __init__(self) -> None:
        self._items: dict[str, Item] = {}
        self._sizes: dict[str, int] = {}
        self._size = 0
        self._pieces: dict[str, list[Growth]] = {}
        self._done: dict[str, None] = {}
        self.dropped = 0
        """How many there were besides."""

    def all(self) -> dict[str, Item]:
        """By id, as they began."""
        for item_id in list(self._pieces):
            self._merge(item_id)
        return dict(self._items)

    def is_done(self, item_id: str) -> bool:
        return item_id in self._done

    def begin(self, item: Item) -> None:
        """A second beginning, as after a connection was lost, brings the text so far. It never takes any away."""
        if item.id in self._done:
            return
        self._merge(item.id)
        known = self._items.get(item.id)
        if known is None or not _words(known).startswith(_words(item)):
            self._put(clipped(item))

    def end(self, item: Item) -> bool:
        """Whether that is news."""
        if item.id in self._done:
            return False
        self._done[item.id] = None
        if len(self._done) > IDS_MAX:
            del self._done[next(iter(self._done))]
        self._pieces.pop(item.id, None)
        self._put(clipped(item))
        return True

    def grow(self, growth: Growth) -> None:
        if growth.item_id in self._done:
            return
        pieces = self._pieces.setdefault(growth.item_id, [])
        pieces.append(growth)
        if len(pieces) >= PIECES_MAX:
            self._merge(growth.item_id)

    def drop_all(self) -> None:
        """Whatever comes from now on is not kept either."""
        self.dropped += len(self._items)
        self._items.clear()
        self._sizes.clear()
        self._pieces.clear()
        self._size = 0

    def _merge(self, item_id: str) -> None:
        pieces = self._pieces.pop(item_id, None)
        if pieces is None:
            return
        item = self._items.get(item_id) or _begun(pieces[0])
        if item is not None:
            for (part, index), delta in _joined(pieces).items():
                item = _grown(item, part, index, delta)
            self._put(clipped(item))

    def _put(self, item: Item) -> None:
        size = len(repr(item))
        self._size += size - self._sizes.get(item.id, 0)
        self._items[item.id] = item
        self._sizes[item.id] = size
        while self._size > CHARACTERS_MAX and len(self._items) > 1:
            oldest = next((one for one in self._items if one in self._done), next(iter(self._items)))
            del self._items[oldest]
            self._pieces.pop(oldest, None)
            self._size -= self._sizes.pop(oldest)
            self.dropped += 1


def _joined(pieces: list[Growth]) -> dict[tuple[str, int], str]:
    parts: dict[tuple[str, int], list[str]] = {}
    for piece in pieces:
        parts.setdefault((piece.part, piece.index), []).append(piece.delta)
    return {key: "".join(deltas) for key, deltas in parts.items()}


def _begun(first: Growth) -> Item | None:
    """An item whose beginning was missed. Of a command nothing is known then, not even which it is."""
    match first.part:
        case "text":
            return AgentMessage(id=first.item_id, text="")
        case "content" | "summary":
            return Reasoning(id=first.item_id, summary=[], content=[])
        case _:
            return None


def _grown(item: Item, part: str, index: int, delta: str) -> Item:
    match item, part:
        case AgentMessage(), "text":
            return replace(item, text=item.text + delta)
        case CommandExecution(), "output":
            return replace(item, aggregated_output=tail((item.aggregated_output or "") + delta))
        case Reasoning(), "content":
            return replace(item, content=_at(item.content, index, delta))
        case Reasoning(), "summary":
            return replace(item, summary=_at(item.summary, index, delta))
        case ToolCall(), "plan":
            return replace(item, arguments={**item.arguments, "plan": f"{item.arguments.get('plan', '')}{delta}"})
        case _:
            return item


INDEX_MAX = 1_000


def _at(parts: list[str], index: int, delta: str) -> list[str]:
    if not 0 <= index < INDEX_MAX:
        return parts
    longer = [*parts, *[""] * (index + 1 - len(parts))]
    longer[index] += delta
    return longer


def _words(item: Item) -> str:
    """What grows of it."""
    match item:
        case AgentMessage():
            return item.text
        case Reasoning():
            return "\0".join([*item.summary, "", *item.content])
        case CommandExecution():
            return item.aggregated_output or ""
        case FileChange():
            return repr(item.changes)
        case ToolCall():
            return str(item.arguments.get("plan", ""))
        case _:
            return ""
