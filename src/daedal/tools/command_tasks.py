"""What is a command in the background, seen as a task? One of this run, or one that an earlier run left on purpose."""

import asyncio

from daedal.sandbox import Background, Entry, Excerpt, Roll, is_running, read_output, stop_command
from daedal.tools.errors import TRUNCATED
from daedal.tools.tasks import TaskStatus

OUTPUT_BYTES_MAX = 1_048_576
STOPPED = "stopped"
FIRST_LOOK_S, LAST_LOOK_S = 0.02, 0.5


class CommandTask:
    """A command that ends with the thread."""

    def __init__(self, entry: Entry, background: Background, roll: Roll) -> None:
        self.id = entry.id
        self.kind = entry.kind
        self.description = entry.command
        self._entry = entry
        self._background = background
        self._roll = roll
        self._told = 0

    @property
    def exit_code(self) -> int | None:
        return self._background.exit_code

    @property
    def status(self) -> TaskStatus:
        return _status(self._background.exit_code, self._background.ending)

    def output(self) -> str:
        excerpt = self._background.read(self._told, OUTPUT_BYTES_MAX)
        self._told = excerpt.end
        return shown(excerpt, self._entry.output)

    async def wait(self) -> None:
        await self._background.wait()

    async def stop(self) -> None:
        await self._background.end(STOPPED)

    async def close(self) -> None:
        await self._background.end()
        self._background.forget()
        self._roll.remove(self.id)


class KeptCommand:
    """A command that this run does not look after, known by its entry on the roll.

    It has an attendant of its own, or it lost its owner in a crash.
    """

    def __init__(self, entry: Entry, folder: str) -> None:
        self.id = entry.id
        self.kind = entry.kind
        self.description = entry.command
        self._entry = entry
        self._folder = folder
        self._told = 0

    @property
    def exit_code(self) -> int | None:
        return self._look().exit_code

    @property
    def status(self) -> TaskStatus:
        entry = self._look()
        if entry.exit_code is None and (entry.ended is not None or not is_running(entry)):
            return TaskStatus.KILLED
        return _status(entry.exit_code, entry.ending)

    def output(self) -> str:
        excerpt = read_output(self._entry.output, self._told, OUTPUT_BYTES_MAX)
        self._told = excerpt.end
        return shown(excerpt, self._entry.output)

    async def wait(self) -> None:
        pause_s = FIRST_LOOK_S
        while self.status is TaskStatus.RUNNING:
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 1.5, LAST_LOOK_S)

    async def stop(self) -> None:
        await stop_command(self._folder, self._look())

    async def close(self) -> None:
        """It stays."""

    def _look(self) -> Entry:
        self._entry = Roll(self._folder).get(self.id) or self._entry
        return self._entry


def shown(excerpt: Excerpt, path: str) -> str:
    text = excerpt.data.decode("utf-8", "replace")
    if not excerpt.skipped:
        return text
    return f"{TRUNCATED} {excerpt.skipped} bytes before this are left out; what is kept of them is in {path}\n{text}"


def _status(exit_code: int | None, ending: str) -> TaskStatus:
    if exit_code is None:
        return TaskStatus.RUNNING
    if ending:
        return TaskStatus.KILLED
    return TaskStatus.COMPLETED if exit_code == 0 else TaskStatus.FAILED
