"""How does a command get into the background? It is noted on the roll, started, and from then on a task of its thread.

By default it ends with the thread. Where tasks are kept, it gets an attendant of its own and goes on without us.
"""

import os
import time
from collections.abc import Callable

from daedal.protocol.seams import Bench, Job
from daedal.sandbox import (
    Background,
    ConfinedSpawner,
    Entry,
    ProcessSpawner,
    Roll,
    SpawnFailed,
    detach,
    marked,
    ourselves,
)
from daedal.tools.command_tasks import CommandTask, KeptCommand
from daedal.tools.tasks import Task, Tasks

COMMAND_MAX = 2000
"""Characters of a command that are noted. It is there to be recognised, not to be run again."""


class Backgrounds:
    def __init__(
        self, spawner: ProcessSpawner, *, folder: Callable[[], str], scratch_dir: Callable[[], str], keep: bool
    ) -> None:
        """`folder` is where the roll is; `keep` lets commands outlive their thread."""
        self.tasks = Tasks()
        self.tasks.recall_with(self._kept)
        self._spawner = spawner
        self._folder = folder
        self._scratch_dir = scratch_dir
        self._is_keeping = keep

    async def start(self, command: str, job: Job, bench: Bench, walls: ConfinedSpawner | None) -> str:
        """Starts it and says so. Raises Refused or SpawnFailed."""
        self.tasks.make_room()
        identity = f"bash_{os.urandom(4).hex()}"
        entry = Entry(
            id=identity,
            session=bench.thread_id,
            command=_encodable(command[:COMMAND_MAX]),
            cwd=job.cwd,
            output=os.path.join(self._place(), f"{identity}.output"),
            since=time.time(),
            owner=ourselves(),
            detached=self._is_keeping,
        )
        pid = await (self._detach(entry, job, walls) if self._is_keeping else self._attach(entry, job, walls))
        return (
            f"Command running in background with ID: {identity} (process {pid}). Output is being written to:"
            f" {entry.output}. Its last line will tell how the command ended."
            + (" The command goes on when this session ends; TaskStop ends it." if self._is_keeping else "")
        )

    async def _attach(self, entry: Entry, job: Job, walls: ConfinedSpawner | None) -> int:
        roll = Roll(self._folder())
        roll.put(entry)
        try:
            background = (walls or self._spawner).start(_marked(job, entry.id), entry.output)
        except SpawnFailed:
            roll.remove(entry.id)
            raise
        background.when_done(lambda done: _note_end(roll, entry, done))
        await self.tasks.add(CommandTask(entry, background, roll))
        return background.pid

    async def _detach(self, entry: Entry, job: Job, walls: ConfinedSpawner | None) -> int:
        folder = self._folder()
        Roll(folder).prune()
        confinement = None if walls is None else walls.confinement
        mechanism = "" if walls is None else str(walls.mechanism)
        try:
            pid = await detach(folder, entry, job, confinement, mechanism)
        except BaseException:
            Roll(folder).forget(entry)
            raise
        await self.tasks.add(KeptCommand(entry, folder))
        return pid

    def _place(self) -> str:
        """The folder for the output. Our own is removed with us, so what stays has one of its own beside it."""
        scratch = self._scratch_dir()
        if not self._is_keeping:
            return scratch
        from tempfile import mkdtemp

        return mkdtemp(prefix="daedal-task-", dir=os.path.dirname(scratch))

    def _kept(self, session: str) -> list[Task]:
        folder = self._folder()
        return [
            KeptCommand(entry, folder)
            for entry in Roll(folder).entries()
            if entry.session == session and (entry.detached or not entry.owner.is_alive())
        ]


def _marked(job: Job, identity: str) -> Job:
    from msgspec.structs import replace

    return replace(job, env=marked(job.env, identity))


def _note_end(roll: Roll, entry: Entry, done: Background) -> None:
    """So that other processes see it has ended. Where its thread has let it go meanwhile, nobody asks any more."""
    from msgspec.structs import replace

    if roll.get(entry.id) is None:
        return
    try:
        roll.put(replace(entry, exit_code=done.exit_code, ending=done.ending))
    except SpawnFailed:
        pass  # a full disk: others see it running until the thread ends


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
