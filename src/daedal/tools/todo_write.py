"""How does the model keep the list of what is to be done?"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from daedal.protocol.items import PlanStep
from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.tools.sizes import amount
from daedal.tools.tool import BuiltinTool, encodable

STATUSES = {"pending": "pending", "in_progress": "inProgress", "completed": "completed"}
"""As the model says it → as faces hear it."""


class TodoInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    content: Annotated[str, Meta(min_length=1)]
    status: Literal["pending", "in_progress", "completed"]
    activeForm: Annotated[str, Meta(min_length=1)]  # noqa: N815


class TodoWriteInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    todos: list[TodoInput]


class TodoWrite(BuiltinTool[TodoWriteInput]):
    def __init__(self, spec: ToolSpec) -> None:
        super().__init__(spec, TodoWriteInput)

    def names(self, arguments: Mapping[str, Any]) -> list[str]:  # noqa: ARG002 - tasks name no paths
        return []

    async def act(self, call: TodoWriteInput, bench: Bench) -> Outcome:  # noqa: ARG002 - the thread keeps the list
        steps = [
            PlanStep(step=encodable(todo.content), status=STATUSES[todo.status], active_form=encodable(todo.activeForm))
            for todo in call.todos
        ]
        return Outcome(content=_told(call.todos), todos=steps)


def _told(todos: list[TodoInput]) -> str:
    if not todos:
        return "The list is empty now."
    done = sum(todo.status == "completed" for todo in todos)
    current = next((todo.content for todo in todos if todo.status == "in_progress"), None)
    following = next((todo.content for todo in todos if todo.status == "pending"), None)
    text = f"The list was updated: {amount(len(todos), 'task')}, {done} completed."
    if done == len(todos):
        return text
    return f"{text} Now: {current}." if current else f"{text} Next: {following}."
