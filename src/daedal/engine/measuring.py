"""How full was a thread when it was left? What the provider last counted stands on the record, with what it was for."""

from collections.abc import Sequence

from daedal.engine.pieces import Piece
from daedal.engine.thread import LoadedThread
from daedal.protocol.model import Usage
from daedal.protocol.records import EntryType, StoredEntry


def put_back(thread: LoadedThread, pieces: Sequence[Piece], entries: Sequence[StoredEntry]) -> None:
    """Appends what was said, and knows again how much of it was counted: it is folded when it would have been."""
    sequence, tokens = _counted(entries)
    asked_size = None
    for piece in pieces:
        if asked_size is None and piece.first >= sequence:
            asked_size = thread.dialogue.size
        thread.append(piece.message)
    if tokens:
        thread.last = Usage(input_tokens=tokens)
        thread.asked_size = thread.dialogue.size if asked_size is None else asked_size


def _counted(entries: Sequence[StoredEntry]) -> tuple[int, int]:
    """The newest count, and the row that it came with: a reply, or a fold."""
    for entry in reversed(entries):
        if entry.entry_type is EntryType.ASSISTANT and "promptTokens" in entry.extra:
            return entry.sequence, entry.extra["promptTokens"]
        if entry.entry_type is EntryType.COLLAPSE_COMMIT:
            return entry.sequence, entry.payload.get("tokens_after", 0)
    return 0, 0
