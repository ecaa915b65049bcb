"""What is still to be done? The list that the model keeps, as it last wrote it down."""

from msgspec import ValidationError, convert

from daedal.protocol.catalogue import say
from daedal.protocol.items import PlanStep, ToolCall
from daedal.tui.face import Face
from daedal.tui.panel import Panel
from daedal.tui.past_turns import turns
from daedal.tui.terminal.visible import flat
from daedal.tui.terminal.widths import Row
from daedal.tui.view import Notice

MARKS = {"completed": ("quiet", "☒"), "inProgress": ("accent", "◐"), "pending": ("", "☐")}
SPELLINGS = {"in_progress": "inProgress"}
TOOL = "TodoWrite"


async def run(face: Face, arguments: str) -> None:
    del arguments
    steps = face.view.plan or await _recorded(face)
    if not steps:
        face.tell(Notice(say("tui.todos.none")))
        return
    done = sum(step.status == "completed" for step in steps)
    rows: list[Row] = [[("heading", say("tui.todos.title", done=done, count=len(steps)))]]
    for step in steps:
        style, mark = MARKS.get(str(step.status), MARKS["pending"])
        rows.append([(style, f"  {mark} {flat(step.step)}")])
    face.tell(Panel(rows, hanging=4))


async def _recorded(face: Face) -> list[PlanStep]:
    """From an earlier evening: the newest that is on the record."""
    async for turn in turns(face, newest_first=True):
        for item in reversed(turn.items):
            if isinstance(item, ToolCall) and item.tool == TOOL:
                return _steps(item.arguments.get("todos"))
    return []


def _steps(told: object) -> list[PlanStep]:
    try:
        given = convert(told, list[dict[str, str]])
    except ValidationError:
        return []
    return [
        PlanStep(step=one.get("content", ""), status=SPELLINGS.get(one.get("status", ""), one.get("status", "pending")))
        for one in given
    ]
