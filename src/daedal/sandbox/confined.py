"""How does a command run within walls? Through here: the surface of the spawner, with a mechanism in between.

Bubblewrap confines everything; Landlock and sandbox-exec are what there is elsewhere. What a mechanism cannot enforce
counts as not confined: `stands` says so, and whoever asks decides. Nothing here ever runs without walls.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from daedal.protocol.confinement import Confinement
from daedal.protocol.seams import Finish, Job
from daedal.sandbox.errors import SpawnFailed

if TYPE_CHECKING:
    from daedal.sandbox.background import BackgroundCommand
    from daedal.sandbox.intruders import Intruders, Moved
    from daedal.sandbox.keeper import Keeper
    from daedal.sandbox.open_ground import OpenGround
    from daedal.sandbox.workshop import Workshop


class Mechanism(StrEnum):
    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    SANDBOX_EXEC = "sandbox-exec"


class Outside(Protocol):
    """The spawner without walls."""

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]: ...

    def forget(self, walls: "ConfinedSpawner") -> None: ...

    def tell(self) -> None:
        """A command starts within walls."""
        ...

    @property
    def notes(self) -> str | None:
        """A folder for what has to be known after a crash."""
        ...

    def ground(self) -> "OpenGround":
        """Where commands start that no jail holds."""
        ...


class ConfinedSpawner:
    def __init__(self, confinement: Confinement, outside: Outside) -> None:
        self.confinement = confinement
        self._outside = outside
        self._workshop: Workshop | None = None
        self._keeper: Keeper | None = None
        self._intruders: Intruders | None = None
        self._mechanism: Mechanism | None = None
        self._gaps: str | None = None
        """Why it cannot be relied on; empty where it can, None while nobody has looked."""

    def stands(self) -> Mechanism | None:
        """What confines commands, with nothing left open; `gaps` says what keeps it from that.

        Looks once and really tries: with bubblewrap, the jail is warm afterwards. An answer holds for good.
        """
        self._look()
        return self._mechanism if not self._gaps else None

    @property
    def mechanism(self) -> Mechanism | None:
        """What commands run in, also where it leaves something open. None: nothing runs here at all."""
        self._look()
        return self._mechanism

    @property
    def gaps(self) -> str:
        """What is left open, in half a sentence."""
        self._look()
        return self._gaps or ""

    @property
    def refusals(self) -> int:
        """How often the proxy has turned a command away up to now."""
        return 0 if self._keeper is None else self._keeper.proxy.count

    def refused_since(self, count: int) -> list[str]:
        """The hosts that the proxy turned away after the count stood there."""
        return [] if self._keeper is None else self._keeper.proxy.refused_since(count)

    def moved_aside(self) -> "list[Moved]":
        """What commands made that steers an agent or git, and that was moved aside since this was last asked."""
        return [] if self._intruders is None else self._intruders.take()

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        return self._outside.environment(extra)

    async def run(self, job: Job, watch: Callable[[int, bytes], object] | None = None) -> Finish:
        """Raises SpawnFailed where nothing could be started, or the walls fell while it ran."""
        self._outside.tell()
        return await self._open().run(self._wrapped(job), watch)

    async def feed(
        self, job: Job, take: Callable[[bytes], bool], take_errors: Callable[[bytes], bool] | None = None
    ) -> Finish:
        """Runs it and hands over its stdout piece by piece, until `take` answers False: then it is ended at once.

        With `take_errors`, its stderr too.
        """
        self._outside.tell()
        return await self._open().feed(self._wrapped(job), take, take_errors)

    def start(self, job: Job, stdout_path: str) -> "BackgroundCommand":
        """Starts it in the background, both streams into that file. Raises SpawnFailed."""
        self._outside.tell()
        return self._open().start(self._wrapped(job), stdout_path)

    async def close(self) -> None:
        """Ends everything that was ever started here and still runs, and the jail with it."""
        if self._workshop is not None:
            await self._workshop.close()
        self._outside.forget(self)

    def kill_now(self) -> None:
        """The same without grace and without the event loop; any thread may call it."""
        if self._workshop is not None:
            self._workshop.kill_now()

    def _look(self) -> None:
        if self._gaps is not None:
            return
        import sys

        if sys.platform == "darwin":
            self._mechanism, self._gaps = _seatbelt(self.confinement)
        elif sys.platform == "linux":
            try:
                self._warm_jail()
            except SpawnFailed as failure:
                self._mechanism, self._gaps = _landlock(self.confinement, str(failure))
        else:
            self._gaps = f"there is nothing on {sys.platform} that could"
        if self._keeper is None and self._mechanism is not None:
            self._watch_ground()

    def _warm_jail(self) -> None:
        from daedal.sandbox.intruders import Intruders
        from daedal.sandbox.keeper import Keeper
        from daedal.sandbox.workshop import Workshop

        intruders = Intruders(self.confinement)
        keeper = Keeper(self.confinement, intruders, self._outside.notes)
        workshop = Workshop(keeper)
        try:
            keeper.warm()
        except SpawnFailed:
            keeper.kill_now()
            raise
        self._keeper, self._workshop, self._intruders = keeper, workshop, intruders
        self._mechanism, self._gaps = Mechanism.BUBBLEWRAP, ""

    def _watch_ground(self) -> None:
        from daedal.sandbox.intruders import Intruders, Watched
        from daedal.sandbox.workshop import Workshop

        self._intruders = Intruders(self.confinement)
        self._workshop = Workshop(Watched(self._outside.ground(), self._intruders))

    def _open(self) -> "Workshop":
        self._look()
        if self._workshop is None:
            raise SpawnFailed(f"commands cannot be confined here: {self._gaps}")
        return self._workshop

    def _wrapped(self, job: Job) -> Job:
        if self._keeper is not None:
            return job
        from msgspec.structs import replace

        if self._mechanism is Mechanism.LANDLOCK:
            from daedal.sandbox.landlock import wrapped
        else:
            from daedal.sandbox.seatbelt import wrapped
        return replace(job, argv=wrapped(job.argv, self.confinement))


def _landlock(confinement: Confinement, missing: str) -> tuple[Mechanism | None, str]:
    from daedal.sandbox.landlock import gaps, version

    if version() < 1:
        return None, f"{missing}, and this kernel has no Landlock"
    return Mechanism.LANDLOCK, f"{missing}; {open_ends}" if (open_ends := gaps(confinement)) else ""


def _seatbelt(confinement: Confinement) -> tuple[Mechanism | None, str]:
    from daedal.sandbox.seatbelt import gaps, is_there

    return (Mechanism.SANDBOX_EXEC, gaps(confinement)) if is_there() else (None, "sandbox-exec is not there")
