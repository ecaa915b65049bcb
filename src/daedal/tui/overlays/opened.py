"""How does a thing look when it is opened? With its diff, its output, all of its thoughts."""

from typing import Any

from daedal.protocol.items import CommandExecution, FileChange, Reasoning, ToolCall
from daedal.tui.blocks import rows
from daedal.tui.terminal.visible import visible
from daedal.tui.terminal.widths import Row, wrap

OUTPUT_LINES_MAX = 2000
LOOKS = {"+": "added", "-": "removed", "@": "hunk"}


def opened(body: Any, columns: int) -> list[Row]:
    match body:
        case CommandExecution():
            command = [("code", line) for line in visible(body.command).split("\n")]
            return [
                *rows(body, columns)[:1],
                *_lines([[span] for span in command[1:]]),
                *_output(body.aggregated_output),
            ]
        case FileChange():
            return [*rows(body, columns), *(row for change in body.changes for row in diff_rows(change.diff))]
        case ToolCall():
            texts = [part.get("text") for part in body.content_items or []]
            return [*rows(body, columns), *_output("\n".join(text for text in texts if isinstance(text, str)))]
        case Reasoning():
            lines = visible("".join(body.content or body.summary)).split("\n")
            return [row for line in lines for row in wrap([("quiet", line)], columns)]
        case _:
            return rows(body, columns)


def diff_rows(diff: str) -> list[Row]:
    return [[("", "  "), (LOOKS.get(line[:1], ""), line)] for line in visible(diff).rstrip("\n").split("\n") if diff]


def _output(text: str | None) -> list[Row]:
    lines = visible((text or "").rstrip("\n")).split("\n") if text else []
    return _lines([[("quiet", line)] for line in lines[:OUTPUT_LINES_MAX]])


def _lines(found: list[Row]) -> list[Row]:
    return [[("quiet", "  │ "), *row] for row in found]
