"""How does a change of a file become old and new text? Hunk by hunk, as the record has it.

The whole file is not told twice: an editor has it open, and shows the piece where it belongs.
"""

import os
import re

from acp.helpers import tool_diff_content
from acp.schema import FileEditToolCallContent
from msgspec import Struct

from daedal.protocol.approvals import ApprovalRequest
from daedal.protocol.items import Change

_HEADER = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@")


class Hunk(Struct, frozen=True):
    line: int
    """Where it stands in the new file, counted from 1."""
    old: str
    new: str


def hunks(diff: str) -> list[Hunk]:
    """What `diff -u` writes, taken apart again. Anything else in it is left out."""
    found: list[Hunk] = []
    line, old, new = 0, list[str](), list[str]()
    sides: tuple[list[str], ...] = ()
    for row in _rows(diff):
        if header := _HEADER.match(row):
            if line:
                found.append(Hunk(line, "".join(old), "".join(new)))
            line, old, new, sides = max(int(header[1]), 1), [], [], ()
        elif line and row[0] in " -+":
            sides = {" ": (old, new), "-": (old,), "+": (new,)}[row[0]]
            for side in sides:
                side.append(row[1:])
        elif row.startswith("\\"):
            for side in sides:
                side[-1] = side[-1].removesuffix("\n")
    if line:
        found.append(Hunk(line, "".join(old), "".join(new)))
    return found


def _rows(text: str) -> list[str]:
    """By line feeds alone: a form feed may stand within a line."""
    return [f"{row}\n" for row in text.split("\n")] if text else []


def diff_contents(change: Change, folder: str) -> list[FileEditToolCallContent]:
    """Empty where nothing is known of the file's text: it is not text, or not changed yet."""
    path = os.path.join(folder, change.path)
    if change.kind.get("type") == "add":
        return [tool_diff_content(path, change.diff)]
    return [tool_diff_content(path, hunk.new, hunk.old) for hunk in hunks(change.diff)]


def preview(asked: ApprovalRequest) -> list[FileEditToolCallContent]:
    """What a call would change, for whoever is asked about it; as the engine says, else as the call itself does."""
    if asked.changes:
        return [shown for change in asked.changes for shown in diff_contents(change, asked.cwd)]
    path, old, new = (asked.arguments.get(name) for name in ("file_path", "old_string", "new_string"))
    if asked.tool == "Edit" and isinstance(path, str) and isinstance(old, str) and isinstance(new, str):
        return [tool_diff_content(os.path.join(asked.cwd, path), new, old)]
    return []
