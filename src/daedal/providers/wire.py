"""What does a dialogue need to know about a vendor's format? How to write a request and how to read a reply.

Below is `transport`, which moves bytes; above is `dialogue`, which grows the conversation and retries. A wire
does neither: it is pure, and one object serves all dialogues of a provider.
"""

from typing import Protocol, cast

import msgspec

from daedal.protocol.content import Kept, Message
from daedal.protocol.model import (
    BlockKept,
    Brief,
    CallRequested,
    Chunk,
    Finished,
    ReasoningDelta,
    TextDelta,
)

ANTHROPIC = "anthropic"
"""The wire whose blocks are kept as they came, by name."""


class Reply:
    """What of a reply is ready to be told. Adjacent pieces of text become one chunk, however many events they took."""

    def __init__(self) -> None:
        self._chunks: list[Chunk] = []
        self._pieces: list[str] = []
        self._thinking = False
        """Whether the pieces are reasoning."""
        self._blocks = 0
        self._in_text = False
        self.calls = 0

    def text(self, piece: str) -> None:
        if not piece:
            return
        if self._thinking:
            self._join()
            self._thinking = False
        if not self._in_text:
            self._in_text = True
            self._blocks += 1
        self._pieces.append(piece)

    def reasoning(self, piece: str) -> None:
        if not piece:
            return
        if not self._thinking:
            self._join()
            self._thinking = True
        self._pieces.append(piece)

    def call(self, call_id: str, name: str, arguments: str) -> None:
        self._block(CallRequested(call_id, name, arguments or "{}"))
        self.calls += 1

    def keep(self, block: bytes, wire: str) -> None:
        """Keeps a vendor's block, with its place among the blocks as the chunks show them."""
        self._block(BlockKept(Kept(index=self._blocks, block=msgspec.Raw(block), wire=wire)))

    def _block(self, chunk: Chunk) -> None:
        self._join()
        self._in_text = False
        self._blocks += 1
        self._chunks.append(chunk)

    def _join(self) -> None:
        if self._pieces:
            joined = "".join(self._pieces)
            self._chunks.append(ReasoningDelta(joined) if self._thinking else TextDelta(joined))
            self._pieces.clear()

    def take(self) -> list[Chunk]:
        """All chunks that are ready, once."""
        self._join()
        chunks, self._chunks = self._chunks, []
        return chunks


class Reader(Protocol):
    """Reads the events of one reply."""

    @property
    def complete(self) -> bool:
        """The reply is whole, though bookkeeping (usage) may follow."""
        ...

    @property
    def ended(self) -> bool:
        """Nothing more will follow."""
        ...

    def read(self, payload: bytes, reply: Reply) -> None:
        """Raises Failure for an error event, or for one that makes no sense."""
        ...

    def finish(self, reply: Reply) -> Finished: ...


class Wire(Protocol):
    """Writes requests as `opening`, messages with commas between, `closing`."""

    @property
    def path(self) -> str: ...

    @property
    def headers(self) -> dict[str, str]: ...

    def opening(self, brief: Brief) -> bytes:
        """The same bytes for every request of a dialogue, until other tools are offered."""
        ...

    def message(self, message: Message) -> bytes:
        """One message as elements of the list; empty where the wire has nothing to say about it."""
        ...

    def as_last(self, element: bytes) -> bytes:
        """The last message of a request, as it looks only while it is the last."""
        ...

    def closing(self, output_tokens_max: int | None) -> bytes: ...

    def reader(self) -> Reader: ...


def to_json(value: object) -> bytes:
    """JSON, also of text that no encoding allows (half a surrogate pair out of a broken file name)."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return msgspec.json.encode(_encodable(msgspec.to_builtins(value)))


def _encodable(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_encodable(key): _encodable(each) for key, each in cast("dict[object, object]", value).items()}
    if isinstance(value, list):
        return [_encodable(each) for each in cast("list[object]", value)]
    return value


def in_order(message: Message, wire: str) -> list[object]:
    """The blocks of a message with the vendor's kept ones (as `msgspec.Raw`) back in their places."""
    kept = {each.index: each.block for each in message.kept if each.wire == wire}
    ordinary = list(message.content)
    blocks: list[object] = []
    while kept or ordinary:
        place = len(blocks)
        if place in kept:
            blocks.append(kept.pop(place))
        elif ordinary:
            blocks.append(ordinary.pop(0))
        else:  # there are fewer blocks than when it was kept: what remains keeps its order
            blocks.append(kept.pop(min(kept)))
    return blocks
