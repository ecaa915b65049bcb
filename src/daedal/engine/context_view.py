"""What fills a model's window? The parts of what would be sent next, in tokens."""

from collections import Counter
from collections.abc import Sequence

from daedal.engine.fold_plan import BYTES_PER_TOKEN, block_weight, weight
from daedal.engine.pieces import Piece, PieceKind
from daedal.engine.thread import LoadedThread, offered
from daedal.protocol.content import Block, Text, ToolUse
from daedal.protocol.folding import ContextPart, ContextReadResponse
from daedal.protocol.model import ToolSpec

_OPENED = '\n\n<instructions path="'
"""What projects say stands at the end of the system prompt."""
_KINDS = {
    PieceKind.USER: "userTurns",
    PieceKind.REPLY: "replies",
    PieceKind.RESULTS: "toolResults",
    PieceKind.BY_HAND: "toolResults",
}
_ORDER = (
    *("systemPrompt", "tools", "instructions", "userTurns", "digests", "pinned"),
    *("replies", "toolCalls", "toolResults"),
)


def context_view(thread: LoadedThread, pieces: Sequence[Piece], *, folds: int, ratio: float) -> ContextReadResponse:
    sizes, counts = _opening(thread)
    for piece in pieces:
        _add(piece, sizes, counts)
    window = thread.provider.card.context_window or None
    used, is_estimate = _used(thread, sizes.total())
    tokens = _shared_out(sizes, used)
    parts = [ContextPart(kind=kind, tokens=tokens[kind], count=counts[kind]) for kind in _ORDER if sizes[kind]]
    if window is not None:
        parts.append(ContextPart(kind="free", tokens=max(0, window - used)))
    return ContextReadResponse(
        thread_id=thread.id,
        model=thread.provider.card.wire_model,
        model_provider=thread.provider.card.provider,
        context_window=window,
        threshold_tokens=None if window is None else int(window * ratio),
        used_tokens=used,
        is_estimate=is_estimate,
        cached_tokens=thread.last.cache_read_tokens if thread.last.output_tokens else None,
        folds=folds,
        parts=parts,
    )


def _used(thread: LoadedThread, size: int) -> tuple[int, bool]:
    """What the provider counted last, and about what came since; an estimate of all of it where it has not counted."""
    if not thread.last.prompt_tokens:
        return size // BYTES_PER_TOKEN, True
    since = max(0, thread.dialogue.size - thread.asked_size) // BYTES_PER_TOKEN
    return thread.last.prompt_tokens + since, since > 0 or not thread.last.output_tokens


def _opening(thread: LoadedThread) -> tuple[Counter[str], Counter[str]]:
    base, mark, said = thread.system.partition(_OPENED)
    tools = offered(thread.toolbox, thread.loaded)
    sizes = Counter(
        systemPrompt=len(base.encode()),
        instructions=len(f"{mark}{said}".encode()),
        tools=sum(_tool_size(tool) for tool in tools),
    )
    counts = Counter(tools=len(tools), instructions=thread.system.count(_OPENED), systemPrompt=1)
    return sizes, counts


def _tool_size(tool: ToolSpec) -> int:
    return len(tool.name) + len(tool.description.encode()) + len(bytes(tool.input_schema))


def _add(piece: Piece, sizes: Counter[str], counts: Counter[str]) -> None:
    counts[_KINDS.get(piece.kind, "digests")] += 1
    sizes[_KINDS.get(piece.kind, "digests")] += weight(piece) - sum(map(block_weight, piece.message.content))
    for at, block in enumerate(piece.message.content):
        kind = _kind(piece, at, block)
        sizes[kind] += block_weight(block)
        counts[kind] += kind == "toolCalls"


def _kind(piece: Piece, at: int, block: Block) -> str:
    if piece.kind is PieceKind.DIGEST:
        # Its first part is the summary; what follows is what was pinned, and instructions.
        return "digests" if at == 0 else "instructions" if _is_instruction(block) else "pinned"
    if piece.kind is PieceKind.RESULTS and isinstance(block, Text):
        return "instructions"
    return "toolCalls" if isinstance(block, ToolUse) else _KINDS[piece.kind]


def _is_instruction(block: Block) -> bool:
    return isinstance(block, Text) and block.text.startswith(_OPENED.strip())


def _shared_out(sizes: Counter[str], tokens: int) -> Counter[str]:
    """The tokens in proportion to the sizes; together they are exactly as many."""
    whole = sizes.total()
    shares = Counter({kind: tokens * size // whole for kind, size in sizes.items()} if whole else {})
    if shares:
        largest = max(shares, key=lambda kind: shares[kind])
        shares[largest] += tokens - shares.total()
    return shares
