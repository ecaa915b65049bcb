"""What fills the model's window? A hundred squares for all of it, and a line for each part."""

from daedal.protocol.catalogue import say
from daedal.protocol.folding import ContextPart, ContextReadParams, ContextReadResponse
from daedal.tui.face import Face
from daedal.tui.panel import Panel
from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row, padded, width

SIDE = 10
LOOKS = {
    "systemPrompt": ("accent", "▣"),
    "tools": ("token-number", "▤"),
    "instructions": ("token-keyword", "▥"),
    "userTurns": ("user", "▦"),
    "digests": ("code", "▧"),
    "pinned": ("bad", "▨"),
    "replies": ("good", "■"),
    "toolCalls": ("token-name", "▩"),
    "toolResults": ("warn", "◼"),
    "free": ("quiet", "□"),
}
"""Each differs in its shape too: not every terminal has colours, nor every person."""
OTHER = ("", "▢")


async def run(face: Face, arguments: str) -> None:
    del arguments
    context = await face.call("thread/context/read", ContextReadParams(thread_id=face.view.thread_id))
    face.tell(Panel(drawn(context), wraps=False))


def drawn(context: ContextReadResponse) -> list[Row]:
    whole = context.context_window or context.used_tokens or 1
    squares = _squares(context.parts, whole)
    grid = [squares[at : at + SIDE] for at in range(0, len(squares), SIDE)]
    beside = [*_head(context, whole), *(_line(part, whole, _names(context)) for part in context.parts), *_foot(context)]
    height = max(len(grid), len(beside))
    rows: list[Row] = [[("heading", say("tui.context.title"))]]
    for number in range(height):
        left: Row = list(grid[number]) if number < len(grid) else [("", "  " * SIDE)]
        rows.append([("", "  "), *left, ("", "  "), *(beside[number] if number < len(beside) else [])])
    return rows


def _squares(parts: list[ContextPart], whole: int) -> Row:
    """One for each hundredth; a part that is there at all has at least one, as far as there is room."""
    count = SIDE * SIDE
    used = [part for part in parts if part.kind != "free" and part.tokens > 0]
    squares: Row = []
    for part in used:
        squares += [_look(part, end=" ")] * max(round(count * part.tokens / whole), 1)
    style, sign = LOOKS["free"]
    squares += [(style, f"{sign} ")] * max(count - len(squares), 0)
    return squares[:count]


def _look(part: ContextPart, end: str = "") -> tuple[str, str]:
    style, sign = LOOKS.get(part.kind, OTHER)
    return style, f"{sign}{end}"


def _names(context: ContextReadResponse) -> int:
    return max((width(_name(part)) for part in context.parts), default=0)


def _name(part: ContextPart) -> str:
    return say(f"tui.context.part_{part.kind}") if part.kind in LOOKS else flat(part.kind, 20)


def _head(context: ContextReadResponse, whole: int) -> list[Row]:
    about = "~" if context.is_estimate else ""
    used = say("tui.context.used", used=f"{about}{context.used_tokens:,}")
    if context.context_window:
        percent = round(100 * context.used_tokens / whole)
        used = say("tui.context.used_of", used=f"{about}{context.used_tokens:,}", window=f"{whole:,}", percent=percent)
    return [[("heading", flat(context.model or "-", 40))], [("", used)]]


def _line(part: ContextPart, whole: int, names: int) -> Row:
    style, sign = _look(part)
    count = say("tui.context.count", count=part.count) if part.count else ""
    share = f"{100 * part.tokens / whole:.1f}%"
    return [
        (style, f"{sign} "),
        ("", padded(_name(part), names)),
        ("", f"{part.tokens:>10,}"),
        ("quiet", f"{share:>7}  {count}"),
    ]


def _foot(context: ContextReadResponse) -> list[Row]:
    rows: list[Row] = []
    if context.cached_tokens is not None:
        rows.append([("quiet", say("tui.context.cached", tokens=f"{context.cached_tokens:,}"))])
    if context.threshold_tokens is not None:
        rows.append([("quiet", say("tui.context.folds_at", tokens=f"{context.threshold_tokens:,}"))])
    if context.folds:
        rows.append([("quiet", say("tui.context.folded", count=context.folds))])
    return rows
