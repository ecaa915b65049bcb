"""How does a prompt look once it was sent? As it was typed, after the composer's own mark."""

from typing import Any

from daedal.protocol.items import UserMessage
from daedal.tui.terminal.visible import visible
from daedal.tui.terminal.widths import Row, wrap

LINES_MAX = 30


def rows(body: UserMessage, columns: int) -> list[Row]:
    lines = visible("\n".join(map(_said, body.content))).split("\n")
    hidden = len(lines) - LINES_MAX
    if hidden > 1:
        lines = [*lines[: LINES_MAX - 5], f"… {hidden + 5}", *lines[-5:]]
    found: list[Row] = []
    for line in lines:
        found += wrap([("user", line)], columns, first=[("", "  ")])
    if found:
        found[0] = [("accent", "› "), *found[0][1:]]
    return found


def _said(part: Any) -> str:
    for name in ("text", "name", "path"):
        if value := getattr(part, name, None):
            return str(value) if name == "text" else f"[{value}]"
    return ""
