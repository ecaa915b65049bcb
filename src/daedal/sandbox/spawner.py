"""How does every process start? Through here, with a cleaned environment, a cap on its output and a certain end.

Above: tools, hooks and whoever else needs a command. Below: the workshop, which is loaded with the first command.
"""

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from daedal.protocol.seams import Finish, Job
from daedal.sandbox.environment import child_environment

if TYPE_CHECKING:
    from daedal.protocol.confinement import Confinement
    from daedal.sandbox.confined import ConfinedSpawner
    from daedal.sandbox.open_ground import OpenGround
    from daedal.sandbox.presence import Presence
    from daedal.sandbox.spool import Excerpt


class Background(Protocol):
    """A command whose output goes to a file. The file tells in a line of its own how it ended."""

    @property
    def pid(self) -> int: ...

    @property
    def exit_code(self) -> int | None:
        """None while it runs."""
        ...

    @property
    def ending(self) -> str:
        """How it ended, where it did not simply exit."""
        ...

    async def wait(self) -> int:
        """The exit code, once there is one. Cancelling the wait does not touch the command."""
        ...

    def when_done(self, callback: Callable[[Any], object]) -> None:
        """Calls back with it, once it has exited."""
        ...

    def read(self, since: int, bytes_max: int) -> "Excerpt":
        """What it has printed after the position, the newest of it where that is too much."""
        ...

    async def end(self, why: str = ...) -> None:
        """Ends it with everything it started, also where it has exited itself but left children."""
        ...

    def forget(self) -> None:
        """Nobody is going to read it here any more; the file stays."""
        ...


class _Workshop(Protocol):
    async def run(self, job: Job, watch: Callable[[int, bytes], object] | None = None) -> Finish: ...
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

    def __init__(self, credential_names: Collection[str], *, notes: str | None = None) -> None:
        """`notes` is a folder in which it is noted that commands run, for whoever comes after a crash."""
        self.notes = notes
        self.has_run = False
        """Whether any command was started here, also one within walls. Our own searches are none."""
        self._presence: Presence | None = None
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

    def tell(self) -> None:
        """A command starts within walls."""
        self.has_run = True

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        return child_environment(self._credential_names, extra)

    async def run(self, job: Job, watch: Callable[[int, bytes], object] | None = None) -> Finish:
        """Raises SpawnFailed where nothing could be started. `watch` gets the stream (1 or 2) and what it prints."""
        self.has_run = True
        return await self._open().run(job, watch)

    async def feed(self, job: Job, take: Callable[[bytes], bool], *, is_search: bool = False) -> Finish:
        """Runs it and hands over its stdout piece by piece, until `take` answers False: then it is ended at once.

        `is_search` where it is a program of ours that changes nothing.
        """
        self.has_run = self.has_run or not is_search
        return await self._open().feed(job, take)

    def start(self, job: Job, stdout_path: str) -> Background:
        """Starts it in the background, both streams into that new file, which is kept short. Raises SpawnFailed."""
        self.has_run = True
        return self._open().start(job, stdout_path)

    async def close(self) -> None:
        """Ends everything that was ever started here and still runs."""
        for walls in list(self._walls):
            await walls.close()
        if self._workshop is not None:
            await self._workshop.close()
        if self._presence is not None:
            self._presence.withdraw()
        if self in _working:
            _working.remove(self)

    def ground(self) -> "OpenGround":
        """Where commands start that no jail holds."""
        from daedal.sandbox.open_ground import OpenGround

        if self._presence is None and self.notes is not None:
            from daedal.sandbox.presence import Presence

            self._presence = Presence(self.notes)
        return OpenGround(self._presence)

    def kill_now(self) -> None:
        """The same without grace and without the event loop; any thread may call it."""
        for walls in list(self._walls):
            walls.kill_now()
        if self._workshop is not None:
            self._workshop.kill_now()

    def _open(self) -> _Workshop:
        if self._workshop is None:
            from daedal.sandbox.workshop import Workshop

            self._workshop = Workshop(self.ground())
        if self not in _working:
            _working.append(self)
        return self._workshop
