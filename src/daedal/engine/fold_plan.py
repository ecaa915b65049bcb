"""What is folded, and what stays? The newest steps stay whole, user turns and earlier digests stay, the rest is work.

A call and its results are on the same side of the boundary: results without their call would be orphans.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.json import encode

from daedal.engine.fold_facts import user_facts, work_facts
from daedal.engine.fold_marks import Fact
from daedal.engine.fold_view import is_kept, parted
from daedal.engine.pieces import Piece, PieceKind
from daedal.protocol.content import Block, Text, ToolResult, ToolUse
from daedal.protocol.records import StoredEntry

BYTES_PER_TOKEN = 4
"""Where nobody has counted."""
BLOCK_FRAME_BYTES = 40
"""What a wire puts around a text; twice as much around what has an id."""
WINDOW_ASSUMED = 100_000
"""Tokens, where nobody has said; only a person folds such a thread."""
TAIL_SHARE = 0.2
TAIL_SHARE_TIGHT = 0.1
"""Where the model has just refused what it was given."""
BLOCK_BYTES_MAX = 16_000
BLOCK_SHARE = 0.125
"""The pin budget: a part of a user turn up to this size is kept, as long as it is no larger share of the window."""
PIN_SHARE = 0.05
"""So much of the window the denials of one fold may take, and the failed approaches as well."""
SUMMARY_BYTES_MAX = 16_000
SUMMARY_SHARE = 0.05
GAIN_SHARE = 0.1
"""An automatic fold is worth its price when it is about so much of the window. That also keeps folds apart."""
STEP_SHARE = 0.4
"""A last step that is larger is folded as well: with it, nothing would fit."""


class Keeping(Struct, frozen=True):
    """How much of the newest work stays as it is."""

    tail_share: float
    bytes_max: int = 0
    """What the model has just refused, where it has: less than that fits it, whatever its window is said to be."""


class Plan(Struct, frozen=True, kw_only=True):
    pieces: list[Piece]
    """All that the dialogue is made of now."""
    tail_from: int
    pinned: list[Fact]
    """What this fold pins of the work that it folds."""
    facts: list[Fact]
    """Everything that must be in the next request, also from earlier folds."""
    material: list[Piece]
    """What the summary is about, user turns among it."""
    folded_rows: int
    """Since the fold before it."""
    folded_bytes: int
    block_bytes_max: int
    summary_bytes_max: int
    window_bytes: int

    @property
    def is_worth_it(self) -> bool:
        return self.folded_bytes >= GAIN_SHARE * self.window_bytes


def plan(
    pieces: list[Piece], entries: Sequence[StoredEntry], known: Sequence[Fact], *, window: int, kept: Keeping
) -> Plan:
    """`entries` are the rows since the last fold, `known` the facts from before them."""
    window_bytes = (window or WINDOW_ASSUMED) * BYTES_PER_TOKEN
    block_bytes_max = int(min(BLOCK_BYTES_MAX, BLOCK_SHARE * window_bytes))
    fitting = min(window_bytes, kept.bytes_max or window_bytes)
    at = _tail_at(pieces, tail_bytes=int(kept.tail_share * fitting), step_bytes_max=int(STEP_SHARE * fitting))
    tail_from = pieces[at].first if at < len(pieces) else entries[-1].sequence + 1
    head, _ = parted(pieces, tail_from)
    since = max((piece.first + 1 for piece in pieces if piece.kind is PieceKind.DIGEST), default=0)
    folded = [entry for entry in entries if since <= entry.sequence < tail_from]
    pinned = work_facts(folded, known, bytes_max=block_bytes_max, of_a_kind=int(PIN_SHARE * window_bytes))
    said = [fact for fact in [*known, *user_facts(entries)] if _is_expected(fact, block_bytes_max)]
    return Plan(
        pieces=pieces,
        tail_from=tail_from,
        pinned=pinned,
        facts=[*said, *pinned],
        material=head[_after_digests(head) :],
        folded_rows=len(folded),
        folded_bytes=sum(_folded_bytes(piece, block_bytes_max) for piece in head),
        block_bytes_max=block_bytes_max,
        summary_bytes_max=int(min(SUMMARY_BYTES_MAX, SUMMARY_SHARE * window_bytes)),
        window_bytes=window_bytes,
    )


def _is_expected(fact: Fact, block_bytes_max: int) -> bool:
    return fact.kind != "user_turn" or is_kept(Text(fact.text), block_bytes_max)


def _tail_at(pieces: Sequence[Piece], *, tail_bytes: int, step_bytes_max: int) -> int:
    """Where the tail begins; behind the end where there is none."""
    first = _after_digests(pieces)
    at, left = len(pieces), tail_bytes
    while at > first and (left := left - weight(pieces[at - 1])) >= 0:
        at -= 1
    if at < len(pieces) and pieces[at].kind is not PieceKind.RESULTS:
        return at
    return _aligned(pieces, at, first, step_bytes_max) if tail_bytes else at


def _aligned(pieces: Sequence[Piece], at: int, first: int, step_bytes_max: int) -> int:
    """Back to the call that the first results answer, unless the step is too large to be kept."""
    start = min(at, len(pieces) - 1)
    while start > first and pieces[start].kind is PieceKind.RESULTS:
        start -= 1
    if start >= first and sum(weight(piece) for piece in pieces[start : at + 1]) <= step_bytes_max:
        return start
    while at < len(pieces) and pieces[at].kind is PieceKind.RESULTS:
        at += 1
    return at


def _after_digests(pieces: Sequence[Piece]) -> int:
    return max((at + 1 for at, piece in enumerate(pieces) if piece.kind is PieceKind.DIGEST), default=0)


def weight(piece: Piece) -> int:
    """About how many bytes it adds to a request."""
    kept = sum(len(bytes(each.block)) for each in piece.message.kept)
    shown = sum(len(image.data) for image in piece.message.images)
    return kept + shown + sum(block_weight(block) for block in piece.message.content)


def block_weight(block: Block) -> int:
    match block:
        case Text(text):
            return BLOCK_FRAME_BYTES + len(text.encode("utf-8", "replace"))
        case ToolUse():
            return 2 * BLOCK_FRAME_BYTES + len(encode(block.input)) + len(block.name)
        case ToolResult():
            shown = sum(len(image.data) for image in block.images)
            return 2 * BLOCK_FRAME_BYTES + len(block.content.encode("utf-8", "replace")) + shown


def _folded_bytes(piece: Piece, block_bytes_max: int) -> int:
    if piece.kind is PieceKind.DIGEST:
        return 0
    if piece.kind is PieceKind.USER:
        large = sum(block_weight(block) for block in piece.message.content if not is_kept(block, block_bytes_max))
        return large + sum(len(image.data) for image in piece.message.images)
    return weight(piece)
