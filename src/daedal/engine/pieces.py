"""What is a dialogue made of? Messages, each with what it is and where on the record it begins."""

from enum import StrEnum, auto

from msgspec import Struct

from daedal.protocol.content import Message


class PieceKind(StrEnum):
    """What a message of a dialogue is, by the rows it was made of."""

    USER = auto()
    """The person's words, or words on their behalf."""
    REPLY = auto()
    RESULTS = auto()
    BY_HAND = auto()
    """A call that the person made, with its result."""
    DIGEST = auto()
    """It stands for what was folded."""


class Piece(Struct, frozen=True, kw_only=True):
    message: Message
    kind: PieceKind
    first: int
    """The sequence of its first row."""
