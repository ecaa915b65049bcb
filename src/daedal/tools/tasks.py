"""What does a thread have running in the background, and how is it found again by its id?

A task is a command or a sub-agent: whatever goes on while the turn does other things. What an earlier run of the same
session has left running is found too.
"""

import asyncio
from collections.abc import Callable
from enum import StrEnum, auto
from typing import Protocol

from daedal.protocol.seams import LeftTask
from daedal.tools.errors import Refused

RUNNING_MAX = 32
"""More at once is a mistake of the model's, and costs the person's machine."""

REMEMBERED_MAX = 64

NAMED_MAX = 20


class TaskStatus(StrEnum):
    RUNNING = auto()
    COMPLETED = auto()
    FAILED = auto()
    KILLED = auto()


class Task(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def kind(self) -> str:
        """`local_bash` or `local_agent`."""
        ...

    @property
    def description(self) -> str:
        """The command, or what the sub-agent shall do."""
        ...

    @property
    def status(self) -> TaskStatus: ...

    @property
    def exit_code(self) -> int | None: ...

    def output(self) -> str:
        """What it has said since it was last asked, the newest of it where that is too much. Raises OSError."""
        ...

    async def wait(self) -> None:
        """Until it is over. Cancelling the wait does not touch it."""
        ...

    async def stop(self) -> None:
        """Ends it with everything it started."""
        ...

    async def close(self) -> None:
        """The thread is let go: it ends, unless it was meant to stay."""
        ...


class Tasks:
    def __init__(self) -> None:
        self._tasks: dict[str, Task] = {}
        self._recall: list[Callable[[str], list[Task]]] = []

    def recall_with(self, recall: Callable[[str], list[Task]]) -> None:
        """`recall` finds the tasks of a session that an earlier run has left."""
        self._recall.append(recall)

    def make_room(self) -> None:
        """Raises Refused where too many run already."""
        running = [task for task in self._tasks.values() if task.status is TaskStatus.RUNNING]
        if len(running) >= RUNNING_MAX:
            raise Refused(
                f"{len(running)} tasks run in the background already, and no more are started. Stop one with TaskStop,"
                f" or wait for one with TaskOutput: {_named(running)}"
            )

    async def add(self, task: Task) -> None:
        self._tasks[task.id] = task
        ended = [old for old in self._tasks.values() if old.status is not TaskStatus.RUNNING]
        for old in ended[: max(0, len(self._tasks) - REMEMBERED_MAX)]:
            await self._tasks.pop(old.id).close()

    def find(self, identity: str, session: str) -> Task:
        """Raises Refused."""
        if identity not in self._tasks:
            for task in (task for recall in self._recall for task in recall(session)):
                self._tasks.setdefault(task.id, task)
        found = self._tasks.get(identity)
        if found is None:
            known = f"The IDs are: {_named(list(self._tasks.values()))}" if self._tasks else "There are none."
            raise Refused(
                f"No task of this session has the ID {identity[:100]!r}. {known} (A task ends with the session that"
                " started it, unless the user wants to keep it.)"
            )
        return found

    async def close(self) -> list[LeftTask]:
        """All at once: some take a moment to end. Says what ran until now; what runs even then is kept."""
        tasks = list(self._tasks.values())
        running = [task for task in tasks if task.status is TaskStatus.RUNNING]
        self._tasks.clear()
        async with asyncio.TaskGroup() as group:
            for task in tasks:
                group.create_task(task.close())
        return [
            LeftTask(
                id=task.id,
                kind=task.kind,
                description=task.description,
                is_kept=task.status is TaskStatus.RUNNING,
            )
            for task in running
        ]


def _named(tasks: list[Task]) -> str:
    shown = [task.id for task in tasks[-NAMED_MAX:]]
    return ", ".join(shown) + (f" and {len(tasks) - NAMED_MAX} more" if len(tasks) > NAMED_MAX else "")
