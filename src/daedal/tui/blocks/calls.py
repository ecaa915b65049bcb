"""How does a tool call look? One line: what, on what, how it ended; the viewer opens it."""

import os
import re
from typing import Any

from daedal.protocol.catalogue import say
from daedal.protocol.items import CommandExecution, FileChange, ItemStatus, ToolCall, was_declined
from daedal.tui.terminal.visible import flat, visible
from daedal.tui.terminal.widths import Row, cut, cut_row, width

Tool = CommandExecution | FileChange | ToolCall
SUBJECTS = (
    "file_path",
    "pattern",
    "path",
    "description",
    "skill",
    "query",
    "url",
    "task_id",
    "uri",
    "question",
    "title",
)
SHELL_LINES_MAX = 50
REASON_LINES_MAX = 4
HEAD = re.compile(r"Exit\scode\s\d+|---\sstderr\s---")
"""What the tool writes for the model: here the line itself has the code."""
SLOW_MS = 1000
"""How long something took is told only where one felt it."""


def rows(body: Tool, columns: int, *, indent: str = "") -> list[Row]:
    if isinstance(body, CommandExecution) and body.source == "userShell":
        return _by_hand(body, columns)
    mark, style = _mark(body)
    found = [line(body, columns, mark=(style, f"{indent}{mark} "), facts=_facts(body))]
    reasons: list[Row] = [
        [("quiet", cut(f"{indent}  {' ' if number else '└'} {text}", columns))]
        for number, text in enumerate(_reasons(body))
    ]
    return [*found, *reasons]


def line(body: Tool, columns: int, *, mark: tuple[str, str], facts: Row) -> Row:
    """The subject gives way where there is little room."""
    name, subject = name_of(body), subject_of(body)
    taken = width(mark[1]) + width(name) + 1 + sum(width(text) for _, text in facts)
    room = max(columns - taken - 1, 8)
    return cut_row([mark, ("bold", name), ("", f" {cut(subject, room)}" if subject else ""), *facts], columns)


def name_of(body: Tool) -> str:
    match body:
        case CommandExecution():
            return say("tui.tool_command")
        case _:
            return flat(body.tool, 40)


def subject_of(body: Tool) -> str:
    match body:
        case CommandExecution():
            return flat(body.command)
        case FileChange():
            return flat(", ".join(_near(change.path) for change in body.changes))
        case ToolCall():
            found = next((body.arguments[key] for key in SUBJECTS if key in body.arguments), "")
            return flat(_near(str(found)))


def counts(body: FileChange) -> tuple[int, int]:
    """Lines added and removed."""
    added = removed = 0
    for change in body.changes:
        lines = change.diff.split("\n")
        if change.kind.get("type") == "add":  # it shows its content
            added += len(lines) - (not lines[-1])
        else:
            added += sum(text.startswith("+") for text in lines)
            removed += sum(text.startswith("-") for text in lines)
    return added, removed


def duration(seconds: float) -> str:
    if seconds < 60:
        return say("tui.seconds", seconds=seconds if isinstance(seconds, int) else f"{seconds:.1f}")
    return say("tui.minutes", minutes=int(seconds // 60), seconds=f"{int(seconds % 60):02}")


def _near(path: str) -> str:
    """From where we are, where it is below."""
    here = os.getcwd() + os.sep
    return path.removeprefix(here)


def _mark(body: Tool) -> tuple[str, str]:
    if was_declined(body):
        return "⊘", "warn"
    return {ItemStatus.COMPLETED: ("✓", "good"), ItemStatus.IN_PROGRESS: ("…", "quiet")}.get(body.status, ("✗", "bad"))


def _facts(body: Tool) -> Row:
    facts: Row = []
    if isinstance(body, FileChange) and body.status is ItemStatus.COMPLETED:
        added, removed = counts(body)
        facts += [("added", f" +{added}"), ("removed", f" −{removed}")]
    if isinstance(body, CommandExecution) and body.exit_code:
        facts.append(("bad", say("tui.exit_code", code=body.exit_code)))
    taken = getattr(body, "duration_ms", None)
    if taken is not None and taken >= SLOW_MS:
        facts.append(("quiet", f" · {duration(taken / 1000)}"))
    return facts


def _reasons(body: Tool) -> list[str]:
    """Why it did not work, in few lines."""
    if body.status is ItemStatus.COMPLETED or body.status is ItemStatus.IN_PROGRESS:
        return []
    text: Any = body.reason
    if text is None and isinstance(body, CommandExecution):
        told = (body.aggregated_output or "").strip().split("\n")
        text = "\n".join([line for line in told if not HEAD.fullmatch(line)][-REASON_LINES_MAX:])
    lines = visible(str(text or "")).strip().split("\n")
    return [flat(part, 300) for part in lines[:REASON_LINES_MAX] if part.strip()]


def _by_hand(body: CommandExecution, columns: int) -> list[Row]:
    """The person's own command: the whole of what it said."""
    found: list[Row] = [[("accent", "! "), ("user", cut(flat(body.command), columns - 2)), *_facts(body)]]
    output = visible((body.aggregated_output or body.reason or "").rstrip("\n"))
    lines = output.split("\n") if output else []
    if len(lines) > SHELL_LINES_MAX:
        found.append([("quiet", say("tui.lines_above", count=len(lines) - SHELL_LINES_MAX))])
        lines = lines[-SHELL_LINES_MAX:]
    return [*found, *([("", text)] for text in lines)]
