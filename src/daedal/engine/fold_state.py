"""What does a fold leave for the next one? Enough that the record need not be read from the start again."""

from msgspec import Struct

from daedal.engine.fold_marks import Fact
from daedal.engine.pieces import Piece
from daedal.protocol.records import StoredEntry


class FoldState(Struct, frozen=True, kw_only=True):
    through: int
    """The last row that was read."""
    pieces: list[Piece]
    entries: list[StoredEntry]
    """The rows of the tail."""
    facts: list[Fact]
    """From before the tail."""
