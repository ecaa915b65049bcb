"""How does the model end what runs in the background?"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.tools.errors import Refused
from daedal.tools.tasks import Tasks, TaskStatus
from daedal.tools.tool import BuiltinTool


class TaskStopInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    task_id: str | None = None
    shell_id: str | None = None
    """The older name of the same."""


class TaskStop(BuiltinTool[TaskStopInput]):
    def __init__(self, spec: ToolSpec, tasks: Tasks) -> None:
        super().__init__(spec, TaskStopInput)
        self._tasks = tasks

    def names(self, arguments: Mapping[str, Any]) -> list[str]:  # noqa: ARG002 - a task is no path
        return []

    def is_confined(self, arguments: Mapping[str, Any], cwd: str) -> bool:  # noqa: ARG002 - whatever it names
        """It ends nothing but what this thread was allowed to start."""
        return True

    async def act(self, call: TaskStopInput, bench: Bench) -> Outcome:
        identity = call.task_id or call.shell_id
        if not identity:
            raise Refused("InputValidationError: TaskStop failed due to the following issue: missing key `task_id`.")
        task = self._tasks.find(identity, bench.thread_id)
        was_running = task.status is TaskStatus.RUNNING
        await task.stop()
        message = (
            f"Successfully stopped task: {task.id} ({task.description})"
            if was_running
            else f"Task {task.id} had ended before; nothing that it started runs any more"
        )
        told = {"message": message, "task_id": task.id, "task_type": task.kind, "command": task.description}
        return Outcome(content=msgspec.json.encode(told).decode())
