"""What came of a call of Claude's, in our words?"""

import re
from typing import Any, cast

from claude_agent_sdk import ToolResultBlock

from daedal.protocol.items import Change, PlanStep
from daedal.protocol.seams import Outcome

EXITED = re.compile(r"^Exit code (\d+)$", re.MULTILINE)
STEPS = {"pending": "pending", "in_progress": "inProgress", "completed": "completed"}

Json = dict[str, Any]


def outcome_of(name: str, given: Json, block: ToolResultBlock, details: Any) -> Outcome:
    """`details` is the structured form, where Claude has one."""
    told = cast("Json", details) if isinstance(details, dict) else {}
    text, is_error = _text(block.content), bool(block.is_error)
    if is_error:
        found = EXITED.search(text) if name == "Bash" else None
        return Outcome(content=text, is_error=True, exit_code=int(found[1]) if found else None)
    match name:
        case "Bash":
            return Outcome(content=text, exit_code=None if told.get("interrupted") else 0)
        case "Edit" | "Write" | "NotebookEdit":
            return Outcome(content=text, changes=_changes(given, told))
        case "TodoWrite":
            return Outcome(content=text, todos=steps_of(given))
        case _:
            return Outcome(content=text)


def steps_of(given: Json) -> list[PlanStep]:
    todos = given.get("todos")
    return [
        PlanStep(
            step=str(todo.get("content", "")),
            status=STEPS.get(str(todo.get("status")), "pending"),
            active_form=str(todo.get("activeForm", "")),
        )
        for todo in (cast("list[Json]", todos) if isinstance(todos, list) else [])
    ]


def _changes(given: Json, told: Json) -> list[Change]:
    path = str(told.get("filePath") or given.get("file_path") or given.get("notebook_path") or "")
    if told.get("type") == "create":
        return [Change(path=path, kind={"type": "add"}, diff=str(given.get("content", "")))]
    hunks = cast("list[Json]", told.get("structuredPatch") or [])
    return [Change(path=path, kind={"type": "update"}, diff="".join(map(_hunk, hunks)))]


def _hunk(hunk: Json) -> str:
    head = f"@@ -{hunk['oldStart']},{hunk['oldLines']} +{hunk['newStart']},{hunk['newLines']} @@"
    return "\n".join([head, *cast("list[str]", hunk["lines"])]) + "\n"


def _text(content: str | list[Json] | None) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(str(part.get("text", f"[{part.get('type')}]")) for part in content)
