"""How does the chat speak for itself? Quietly, in a sentence."""

from typing import Any

from daedal.protocol.catalogue import say
from daedal.protocol.items import ReviewEntered
from daedal.protocol.records import TurnStatus
from daedal.tui.blocks.calls import duration
from daedal.tui.terminal.visible import visible
from daedal.tui.terminal.widths import Row, wrap
from daedal.tui.view import Notice, TurnEnd

FELT_MS = 10_000
"""A turn that took longer says how long."""


def rows(body: Any, columns: int) -> list[Row]:
    match body:
        case Notice():
            return _sentence(body.text, body.style, columns)
        case TurnEnd():
            return _end(body, columns)
        case ReviewEntered():
            return _sentence(say("tui.review_begun", what=body.review), "accent", columns)
        case _:
            return _sentence(say("tui.compacted"), "quiet", columns)


def _sentence(text: str, style: str, columns: int) -> list[Row]:
    return [row for line in visible(text).split("\n") for row in wrap([(style, line)], columns)]


def _end(body: TurnEnd, columns: int) -> list[Row]:
    turn = body.turn
    if turn.status is TurnStatus.INTERRUPTED:
        return _sentence(say("tui.interrupted"), "warn", columns)
    if turn.error is not None:
        return _sentence(say("tui.failed", message=turn.error.message), "bad", columns)
    if (turn.duration_ms or 0) < FELT_MS:
        return []
    return _sentence(figures((turn.duration_ms or 0) / 1000, body.tokens, body.cost_usd), "quiet", columns)


def figures(seconds: float, tokens: int, cost_usd: float | None) -> str:
    parts = [duration(int(seconds))]
    if tokens:
        parts.append(say("tui.tokens", count=short(tokens)))
    if cost_usd:
        parts.append(f"${cost_usd:.2f}" if cost_usd >= 0.01 else f"${cost_usd:.4f}")
    return " · ".join(parts)


def short(count: int) -> str:
    if count < 1000:
        return str(count)
    return f"{count / 1000:.1f}k" if count < 100_000 else f"{count // 1000}k"
