"""How does the model hear from what runs in the background?"""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.tools.tasks import Task, Tasks, TaskStatus
from daedal.tools.tool import BuiltinTool

TIMEOUT_MS_MAX = 600_000


class TaskOutputInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    task_id: str
    block: bool = True
    """Wait until it is over."""
    timeout: Annotated[int, Meta(ge=0, le=TIMEOUT_MS_MAX)] = 30_000
    """In milliseconds."""


class TaskOutput(BuiltinTool[TaskOutputInput]):
    def __init__(self, spec: ToolSpec, tasks: Tasks) -> None:
        super().__init__(spec, TaskOutputInput)
        self._tasks = tasks

    def names(self, arguments: Mapping[str, Any]) -> list[str]:  # noqa: ARG002 - a task is no path
        return []

    async def act(self, call: TaskOutputInput, bench: Bench) -> Outcome:
        task = self._tasks.find(call.task_id, bench.thread_id)
        if call.block:
            try:
                async with asyncio.timeout(call.timeout / 1000):
                    await task.wait()
            except TimeoutError:
                pass  # what it has said until now is told all the same
        return Outcome(content=_told(task, is_waited_for=call.block))


def _told(task: Task, *, is_waited_for: bool) -> str:
    status = task.status
    retrieved = "success" if status is not TaskStatus.RUNNING else "timeout" if is_waited_for else "not_ready"
    try:
        output = task.output()
    except OSError as error:
        output = f"(its output cannot be read any more: {error.strerror})\n"
    tags = {"retrieval_status": retrieved, "task_id": task.id, "task_type": task.kind, "status": status}
    if status is not TaskStatus.RUNNING and task.exit_code is not None:
        tags["exit_code"] = str(task.exit_code)
    lines = [f"<{name}>{value}</{name}>" for name, value in tags.items()]
    ended = output if output.endswith("\n") or not output else f"{output}\n"
    return "\n".join([*lines, f"<output>\n{ended or '(nothing new)' + chr(10)}</output>"])
