"""What would happen? The command, the change or the call, as a person reads it before saying yes."""

import os
import re
import time
from typing import Any

import msgspec

from daedal.protocol.approvals import ApprovalRequest
from daedal.protocol.catalogue import say
from daedal.protocol.items import Change
from daedal.tui.cards.risks import Reading, Risk
from daedal.tui.terminal.visible import flat, visible
from daedal.tui.terminal.widths import Row, head, row_width, width, wrap

LINES_MAX = 5000
"""A card that has more to show says so before anything else."""
CHANGES = ("Write", "Edit", "MultiEdit")
PATHS = ("file_path", "notebook_path")
NEAR_S = 120
"""A deadline that is further away need not trouble anybody."""
NO_RULE = "fallback"
"""What the gate calls it when no rule speaks about the call."""
LOOKS = {"chain": "bold accent", "substitution": "bold warn"}
RISKY = "bold underline bad"
_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")


def proposal_rows(asked: ApprovalRequest) -> list[Row]:
    """The whole in one piece, for a terminal that cannot scroll a part of it."""
    columns = 100
    return [
        [("warn", "◆ "), ("heading", title(asked))],
        *what_rows(asked, columns),
        *fact_rows(asked, columns),
    ]


def title(asked: ApprovalRequest, thread_id: str = "") -> str:
    """Who wants what."""
    who = asked.principal
    if who.startswith("subagent:"):
        return say("tui.approval.title_agent", tool=flat(asked.tool, 40), name=flat(who.partition(":")[2], 40))
    if thread_id and asked.thread_id != thread_id:
        return say("tui.approval.title_agent", tool=flat(asked.tool, 40), name="")
    if who and not who.startswith("person:"):
        return say("tui.approval.title_other", tool=flat(asked.tool, 40), name=flat(who, 60))
    return say("tui.approval.title", tool=flat(asked.tool, 40))


def what_rows(asked: ApprovalRequest, columns: int) -> list[Row]:
    if asked.command is not None:
        return command_rows(asked.command, asked.cwd, columns)
    if asked.changes:
        return [row for change in asked.changes for row in change_rows(change, asked.cwd, columns)]
    arguments = asked.arguments
    if asked.tool in CHANGES and any(name in arguments for name in PATHS):
        return _told_change(arguments, asked.cwd, columns)
    return _argument_rows(arguments, columns)


def command_rows(command: str, cwd: str, columns: int) -> list[Row]:
    """Whole, with the parts marked at which an eye should stop."""
    shown = visible(command)
    spans: Row = []
    at = 0
    for risk in Reading(shown, cwd).risks:
        if risk.start >= at:
            spans += [("code", shown[at : risk.start]), (_look(risk), shown[risk.start : risk.end])]
            at = risk.end
    spans.append(("code", shown[at:]))
    lines: list[Row] = [[]]
    for style, text in spans:
        for number, part in enumerate(text.split("\n")):
            if number:
                lines.append([])
            if part:
                lines[-1].append((style, part))
    return [
        *_left_out(len(lines)),
        *(row for line in lines[:LINES_MAX] for row in broken(line, columns, [("", "  ")], [("quiet", "  ↪ ")])),
    ]


def _left_out(count: int) -> list[Row]:
    """Whoever says yes to something shall know that they have not seen all of it."""
    return [[("bad", f"  {say('tui.approval.left_out', count=count - LINES_MAX)}")]] if count > LINES_MAX else []


def _look(risk: Risk) -> str:
    return LOOKS.get(risk.kind, RISKY)


def risk_rows(asked: ApprovalRequest, columns: int) -> list[Row]:
    """The same in words, for those who see no colours."""
    if asked.command is None:
        return []
    reading = Reading(visible(asked.command), asked.cwd)
    found: dict[str, list[str]] = {}
    for risk in reading.risks:
        if risk.kind != "chain":
            found.setdefault(risk.kind, []).append(risk.what)
    told = [
        say(f"tui.approval.risk_{kind}", what=flat(", ".join(dict.fromkeys(what)), 60)) for kind, what in found.items()
    ]
    if reading.count > 1:
        told.append(say("tui.approval.risk_chain", count=reading.count))
    return wrap([("warn", " · ".join(told))], columns, first=[("warn", "! ")], rest=[("", "  ")]) if told else []


def change_rows(change: Change, cwd: str, columns: int) -> list[Row]:
    added, removed = count(change)
    moved = change.kind.get("move_path")
    is_new = change.kind.get("type") == "add"
    rows = _path_rows(
        [
            ("accent", _path(change.path, cwd)),
            *([("quiet", " → "), ("accent", _path(str(moved), cwd))] if moved else []),
            ("quiet", f" {say('tui.approval.new_file')}" if is_new else ""),
            *([("added", f" +{added}"), ("removed", f" −{removed}")] if change.diff or not moved else []),
        ],
        columns,
    )
    lines = visible(change.diff).split("\n")
    if lines and not lines[-1]:
        lines.pop()
    shown = [f"+{line}" for line in lines[:LINES_MAX]] if is_new else lines[:LINES_MAX]
    return [*_left_out(len(lines)), *rows, *_numbered(shown, columns)]


def _path(path: str, cwd: str) -> str:
    """Whole: the end of a path says more than its beginning."""
    return visible(near(path, cwd)).replace("\n", "␊")


def _path_rows(row: Row, columns: int) -> list[Row]:
    return broken(row, columns, [("", "  ")], [("quiet", "  ↪ ")])


def _numbered(lines: list[str], columns: int) -> list[Row]:
    """Each line with its number in the file it is in."""
    rows: list[Row] = []
    old = new = 1
    for line in lines:
        if header := _HUNK.match(line):
            if rows:
                rows.append([("quiet", "      ⋮")])
            old, new = int(header[1]), int(header[2])
            continue
        sign, text = line[:1], line[1:]
        style = {"+": "added", "-": "removed"}.get(sign, "")
        number = "" if sign == "\\" else str(old if sign == "-" else new)
        old, new = old + (sign in "- "), new + (sign in "+ ")
        rows += broken(
            [(style, text)], columns, [("quiet", f"{number:>5} "), (style, f"{sign or ' '} ")], [("", " " * 8)]
        )
    return rows


def count(change: Change) -> tuple[int, int]:
    """Lines added and removed."""
    lines = change.diff.split("\n")
    if change.kind.get("type") == "add":
        return len(lines) - (not lines[-1]), 0
    return sum(line.startswith("+") for line in lines), sum(line.startswith("-") for line in lines)


def _told_change(arguments: dict[str, Any], cwd: str, columns: int) -> list[Row]:
    """As the call says it, where nobody could look at the file."""
    rest = dict(arguments)
    path = next(str(rest.pop(name)) for name in PATHS if name in arguments)
    removed = str(rest.pop("old_string", ""))
    added = str(rest.pop("new_string" if "new_string" in rest else "content", ""))
    lines = [("removed", f"- {line}") for line in visible(removed).split("\n") if removed]
    lines += [("added", f"+ {line}") for line in visible(added).split("\n")]
    return [
        *_left_out(len(lines)),
        *_path_rows([("accent", _path(path, cwd))], columns),
        *_argument_rows(rest, columns),
        *(row for line in lines[:LINES_MAX] for row in broken([line], columns, [("", "  ")], [("", "    ")])),
    ]


def _argument_rows(arguments: dict[str, Any], columns: int) -> list[Row]:
    rows: list[Row] = []
    for name, value in arguments.items():
        lines = visible(_told(value)).split("\n")
        label = f"  {flat(name, 40)}  "
        rows += _left_out(len(lines))
        for number, line in enumerate(lines[:LINES_MAX]):
            first: Row = [("accent", label)] if number == 0 else [("", "    ")]
            rows += broken([("", line)], columns, first, [("", "    ")])
    return rows


def fact_rows(asked: ApprovalRequest, columns: int) -> list[Row]:
    """What to know beside: what is risky in it, where it would happen, who asks, until when."""
    walls = say("tui.approval.sandboxed" if asked.is_confined else "tui.approval.not_sandboxed")
    place: Row = [("quiet", f"{say('tui.approval.where', folder=flat(home_relative(asked.cwd)))} · ")]
    place.append(("quiet" if asked.is_confined else "warn", walls))
    rule = say("tui.approval.rule", rule=flat(asked.rule, 200), reason=flat(asked.reason, 400))
    if asked.rule == NO_RULE:
        rule = say("tui.approval.no_rule", reason=flat(asked.reason, 400))
    rows = [*risk_rows(asked, columns), *wrap(place, columns), *wrap([("quiet", rule)], columns)[:3]]
    left_s = asked.deadline_ms / 1000 - time.time()
    if 0 < left_s < NEAR_S:
        at = time.strftime("%H:%M:%S", time.localtime(asked.deadline_ms / 1000))
        rows.append([("warn", say("tui.approval.deadline", at=at))])
    return rows


def near(path: str, cwd: str) -> str:
    """From where it happens, where it is below; else as a person writes it."""
    return path.removeprefix(cwd.rstrip("/") + "/") if path.startswith(cwd) else home_relative(path)


def home_relative(path: str) -> str:
    home = os.path.expanduser("~")
    return f"~{path[len(home) :]}" if path == home or path.startswith(f"{home}/") else path


def broken(row: Row, columns: int, first: Row, rest: Row) -> list[Row]:
    """The row as several that fit, broken wherever that is: nothing is left out, not even a space."""
    rows: list[Row] = []
    current, left = list(first), columns - row_width(first)
    for style, text in row:
        at = 0
        while at < len(text):
            # Not from all the rest: a line can be a megabyte long.
            piece = head(text[at : at + columns], left)
            if not piece and left >= columns - row_width(rest):
                piece = text[at]
            if piece:
                current.append((style, piece))
                left -= width(piece)
                at += len(piece)
            if at < len(text) and head(text[at], left) == "":
                rows.append(current)
                current, left = list(rest), columns - row_width(rest)
    return [*rows, current]


def _told(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
