"""Does a session still get anywhere? Ended where it repeats the same call, or calls and calls without any progress."""

from collections import Counter
from hashlib import sha256

import msgspec

from daedal.protocol.items import CommandExecution, FileChange, ItemStatus, ToolCall

REPEATS_MAX = 8
"""The same call with the same result, with nothing changed in between."""
IDLE_CALLS_MAX = 150
"""Calls since anything was changed: a file, or a deliverable."""
SHOWN = 100
REFUSAL_SHOWN = 200


class Watch:
    """Of one session."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()
        self._idle = 0
        self.failures: list[str] = []
        """Commands that failed and calls that were refused, the last ones: for the next session, if it helps."""

    def progressed(self) -> None:
        self._seen.clear()
        self._idle = 0

    def saw(self, item: CommandExecution | FileChange | ToolCall) -> str:
        """Why the session should be ended now; empty where it goes on."""
        if isinstance(item, FileChange) and item.status is ItemStatus.COMPLETED:
            self.progressed()
            return ""
        name, wanted, result = _told(item)
        if isinstance(item, CommandExecution) and item.exit_code:
            self.failures = [*self.failures[-2:], f"`{item.command[:SHOWN]}` ended with exit code {item.exit_code}"]
        if isinstance(item, ToolCall) and item.success is False:
            self.failures = [*self.failures[-2:], f"{name} {wanted[:SHOWN]} was refused: {_said(item)[:REFUSAL_SHOWN]}"]
        self._idle += 1
        key = sha256(msgspec.json.encode([name, wanted, result])).hexdigest()
        self._seen[key] += 1
        if self._seen[key] >= REPEATS_MAX:
            return f"it made the same call {REPEATS_MAX} times with the same result: {name} {wanted[:SHOWN]}"
        if self._idle >= IDLE_CALLS_MAX:
            return f"it made {IDLE_CALLS_MAX} calls without changing a file or a deliverable"
        return ""


def _said(item: ToolCall) -> str:
    texts = [str(part.get("text", "")) for part in item.content_items or []]
    return " ".join(" ".join(texts).split()) or item.reason or ""


def _told(item: CommandExecution | FileChange | ToolCall) -> tuple[str, str, str]:
    match item:
        case CommandExecution():
            return "Bash", item.command, f"{item.exit_code} {item.status} {item.aggregated_output}"
        case FileChange():
            return item.tool, ", ".join(change.path for change in item.changes), f"{item.status} {item.reason}"
        case ToolCall():
            result = msgspec.json.encode(item.content_items).decode() + f" {item.status} {item.reason}"
            return item.tool, msgspec.json.encode(item.arguments).decode(), result
