"""How will a thread look once it is folded? The row that says so, and a dialogue to go on with; nothing counts yet."""

from typing import Any

from msgspec import Struct

from daedal.engine.fold_plan import BYTES_PER_TOKEN, Plan, block_weight
from daedal.engine.fold_state import FoldState
from daedal.engine.fold_view import NOTE, refolded
from daedal.engine.pieces import Piece, PieceKind
from daedal.engine.thread import LoadedThread, offered
from daedal.protocol.model import Brief, Usage
from daedal.protocol.seams import Dialogue, Sendable

FULL_SHARE = 0.85
ROOM_SHARE = 0.75
"""A fold that leaves more of the threshold in use than the first share brings too little. Then the oldest digests are
left out, until no more than the second share is."""


class Draft(Struct, frozen=True, kw_only=True):
    payload: dict[str, Any]
    dialogue: Sendable
    state: FoldState
    tokens: int


def drafted(thread: LoadedThread, planned: Plan, state: FoldState, payload: dict[str, Any], *, ratio: float) -> Draft:
    """`payload` is what is known of the fold so far; `ratio` is the share of the window that it should stay below."""
    payload = payload | {
        "tail_from": planned.tail_from,
        "folded_rows": planned.folded_rows,
        "pinned": planned.pinned,
        "block_bytes_max": planned.block_bytes_max,
        "digests_left_out": 0,
    }
    folded, dialogue = _laid_out(thread, planned, payload)
    tokens, spare = _tokens(thread, dialogue), thread.provider.card.context_window * ratio
    if spare and tokens > FULL_SHARE * spare:
        payload["digests_left_out"] = _digests_for(planned, tokens - ROOM_SHARE * spare)
        folded, dialogue = _laid_out(thread, planned, payload)
        tokens = _tokens(thread, dialogue)
    payload |= {"tokens_before": thread.last.prompt_tokens, "tokens_after": tokens}
    left = FoldState(
        through=state.through,
        pieces=folded,
        entries=[entry for entry in state.entries if entry.sequence >= planned.tail_from],
        facts=[fact for fact in planned.facts if fact.sequence < planned.tail_from],
    )
    return Draft(payload=payload, dialogue=dialogue, state=left, tokens=tokens)


def take_up(thread: LoadedThread, draft: Draft) -> None:
    """From now on the thread is what the draft says."""
    thread.dialogue, thread.fold = draft.dialogue, draft.state
    thread.asks_next = draft.state.pieces[-1].message.role == "user"
    thread.last, thread.asked_size = Usage(input_tokens=draft.tokens), draft.dialogue.size


def _laid_out(thread: LoadedThread, planned: Plan, payload: dict[str, Any]) -> tuple[list[Piece], Sendable]:
    folded = refolded(planned.pieces, payload)
    tools = offered(thread.toolbox, thread.loaded)
    dialogue = thread.provider.open(Brief(system=thread.system, tools=tools, place=thread.terms.place))
    assert isinstance(dialogue, Sendable), "a provider's dialogues are all of a kind"
    for piece in folded:
        dialogue.append(piece.message)
    return folded, dialogue


def _tokens(thread: LoadedThread, dialogue: Dialogue) -> int:
    """About how many it has, by what the provider counted for what it was sent last."""
    if thread.last.prompt_tokens and thread.asked_size:
        return int(dialogue.size * thread.last.prompt_tokens / thread.asked_size)
    return dialogue.size // BYTES_PER_TOKEN


def _digests_for(planned: Plan, tokens: float) -> int:
    """How many of the oldest digests must go for so many tokens. What is pinned in them stays."""
    count = 0
    for piece in planned.pieces:
        if piece.kind is not PieceKind.DIGEST or tokens <= 0:
            continue
        count += 1
        if piece.message.content[0] != NOTE.content[0]:  # One that is left out already brings nothing.
            tokens -= block_weight(piece.message.content[0]) / BYTES_PER_TOKEN
    return count
