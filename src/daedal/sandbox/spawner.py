"""How does every process start? Through here, with a cleaned environment, a cap on its output and a certain end.

Above: tools, hooks and whoever else needs a command. Below: the workshop, which is loaded with the first command.
"""

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Protocol

from daedal.protocol.seams import Finish, Job
from daedal.sandbox.environment import child_environment

if TYPE_CHECKING:
    from daedal.protocol.confinement import Confinement
    from daedal.sandbox.confined import ConfinedSpawner


class Background(Protocol):
    """A command whose output goes to a file. The file's last line tells how it ended."""

    @property
    def pid(self) -> int: ...

    @property
    def exit_code(self) -> int | None:
        """None while it runs."""
        ...

    async def wait(self) -> int:
        """The exit code, once there is one. Cancelling the wait does not touch the command."""
        ...

    async def end(self) -> None:
        """Ends it with everything it started, also where it has exited itself but left children."""
        ...


class _Workshop(Protocol):
    async def run(self, job: Job) -> Finish: ...
    async def feed(self, job: Job, take: Callable[[bytes], bool]) -> Finish: ...
    def start(self, job: Job, stdout_path: str) -> Background: ...
    async def close(self) -> None: ...
    def kill_now(self) -> None: ...


_working: list["ProcessSpawner"] = []
"""Those of this process that have started something and are not closed."""


def kill_everything() -> None:
    """What any spawner of this process has started, for a process that is about to leave without another word."""
    for spawner in _working:
        spawner.kill_now()


class ProcessSpawner:
    """The `Spawner` seam on this machine, plus what tools need of it: output piece by piece, and the background."""

    def __init__(self, credential_names: Collection[str]) -> None:
        self._credential_names = frozenset(credential_names)
        self._workshop: _Workshop | None = None
        self._walls: set[ConfinedSpawner] = set()

    def within(self, confinement: "Confinement") -> "ConfinedSpawner":
        """The same within walls. Whoever asks for it closes it; what is left is closed with this one."""
        if self not in _working:
            _working.append(self)
        from daedal.sandbox.confined import ConfinedSpawner

        walls = ConfinedSpawner(confinement, self)
        self._walls.add(walls)
        return walls

    def forget(self, walls: "ConfinedSpawner") -> None:
        self._walls.discard(walls)

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        return child_environment(self._credential_names, extra)

    async def run(self, job: Job) -> Finish:
        """Raises SpawnFailed where nothing could be started."""
        return await self._open().run(job)

    async def feed(self, job: Job, take: Callable[[bytes], bool]) -> Finish:
        """Runs it and hands over its stdout piece by piece, until `take` answers False: then it is ended at once."""
        return await self._open().feed(job, take)

    def start(self, job: Job, stdout_path: str) -> Background:
        """Starts it in the background, both streams into that file. Raises SpawnFailed."""
        return self._open().start(job, stdout_path)

    async def close(self) -> None:
        """Ends everything that was ever started here and still runs."""
        for walls in list(self._walls):
            await walls.close()
        if self._workshop is not None:
            await self._workshop.close()
        if self in _working:
            _working.remove(self)

    def kill_now(self) -> None:
        """The same without grace and without the event loop; any thread may call it."""
        for walls in list(self._walls):
            walls.kill_now()
        if self._workshop is not None:
            self._workshop.kill_now()

    def _open(self) -> _Workshop:
        if self._workshop is None:
            from daedal.sandbox.open_ground import OpenGround
            from daedal.sandbox.workshop import Workshop

            self._workshop = Workshop(OpenGround())
        if self not in _working:
            _working.append(self)
        return self._workshop
