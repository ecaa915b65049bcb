"""How does a dialogue look after a fold? What the row of the fold says, applied to what was there before it.

The same for a thread that is being driven and for one that is read back: nothing here depends on the moment.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import convert
from msgspec.structs import replace

from daedal.engine.fold_marks import DIGEST_LEFT_OUT, PASTED, SHOWN, Fact, digest_text, pinned_text
from daedal.engine.pieces import Piece, PieceKind
from daedal.protocol.content import Block, Message, Role, Text

NOTE = Message(Role.USER, [Text(DIGEST_LEFT_OUT)])


def refolded(pieces: Sequence[Piece], payload: dict[str, Any]) -> list[Piece]:
    """User turns and earlier digests stay in their places, the tail stays as it is, all other work is in the digest."""
    if "tail_from" not in payload:  # A row of an earlier version, which folded everything.
        return [_digest(payload, [], 0)]
    head, tail = parted(pieces, payload["tail_from"])
    left_out: int = payload["digests_left_out"]
    kept: list[Piece] = []
    for piece in head:
        if piece.kind is PieceKind.USER:
            kept.append(trimmed(piece, payload["block_bytes_max"]))
        elif piece.kind is PieceKind.DIGEST:
            digest = _without_summary(piece) if left_out > 0 else piece
            left_out -= 1
            if digest.message != NOTE or all(each.message != NOTE for each in kept):
                kept.append(digest)  # One note is enough for all that have nothing else to say.
    return [*kept, _digest(payload, instructions(head), payload["tail_from"] - 1), *tail]


def parted(pieces: Sequence[Piece], tail_from: int) -> tuple[list[Piece], list[Piece]]:
    """What a fold is about, and what stays as it is."""
    head = [piece for piece in pieces if piece.first < tail_from]
    return head, list(pieces[len(head) :])


def trimmed(piece: Piece, block_bytes_max: int) -> Piece:
    """A user turn with a note in place of each part that is too large to be kept."""
    content, images = piece.message.content, piece.message.images
    if not images and all(is_kept(block, block_bytes_max) for block in content):
        return piece
    blocks = [block if is_kept(block, block_bytes_max) else _note(block) for block in content]
    shown: list[Block] = [Text(SHOWN.format(images=len(images)))] if images else []
    return replace(piece, message=Message(Role.USER, [*blocks, *shown]))


def is_kept(block: Block, block_bytes_max: int) -> bool:
    return isinstance(block, Text) and len(block.text.encode("utf-8", "replace")) <= block_bytes_max


def _note(block: Block) -> Text:
    return Text(PASTED.format(characters=len(block.text) if isinstance(block, Text) else 0))


def instructions(head: Sequence[Piece]) -> list[Text]:
    """What projects say about folders that were touched: it came with results, and holds on."""
    results = (piece for piece in head if piece.kind is PieceKind.RESULTS)
    return [block for piece in results for block in piece.message.content if isinstance(block, Text)]


def _digest(payload: dict[str, Any], further: list[Text], first: int) -> Piece:
    facts = convert(payload.get("pinned", []), list[Fact])
    blocks: list[Block] = [Text(digest_text(payload["summary"]))]
    if facts:
        blocks.append(Text(pinned_text(facts)))
    return Piece(message=Message(Role.USER, [*blocks, *further]), kind=PieceKind.DIGEST, first=first)


def _without_summary(piece: Piece) -> Piece:
    """What is pinned in it stays."""
    return replace(piece, message=Message(Role.USER, [Text(DIGEST_LEFT_OUT), *piece.message.content[1:]]))
