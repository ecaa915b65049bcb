"""In which jail does the next command start? In the warm one, as long as that is alive and its view is right."""

import asyncio
import os
from collections.abc import Callable

from daedal.protocol.confinement import Confinement
from daedal.protocol.seams import Job
from daedal.sandbox.command import Body
from daedal.sandbox.ending import end
from daedal.sandbox.environment import MARK
from daedal.sandbox.errors import JailGone, SpawnFailed
from daedal.sandbox.family import Family
from daedal.sandbox.input import open_input
from daedal.sandbox.intruders import Intruders
from daedal.sandbox.jail import Jail, StartRefused, pid_of
from daedal.sandbox.jail_environment import confined_environment
from daedal.sandbox.mounts import is_current, to_hold, view
from daedal.sandbox.placeholders import Placeholders
from daedal.sandbox.processes import look
from daedal.sandbox.proxy import Proxy

LAST_WORD_S = 1.0
"""How long the jailer may take to tell how a killed command ended."""


BUILDS_MAX = 4


class Keeper:
    """The `Launcher` that starts commands in a jail."""

    def __init__(self, confinement: Confinement, intruders: Intruders, notes: str | None = None) -> None:
        """`notes` is a folder in which it is noted what is made for the jail, for whoever comes after a crash."""
        self.proxy = Proxy(confinement.domains)
        self._intruders = intruders
        self._confinement = confinement
        self._jail: Jail | None = None
        self._retired: set[Jail] = set()
        self._placeholders = Placeholders(notes)
        self._mark = f"{os.getpid()}-{os.urandom(4).hex()}"
        self._count = 0

    def warm(self) -> Jail:
        """The jail for the next command. Raises SpawnFailed."""
        if self._jail is not None and self._jail.is_alive and is_current(self._confinement, self._seen):
            return self._jail
        if self._jail is not None:
            self._retire(self._jail)
        self._jail = self._built(BUILDS_MAX)
        return self._jail

    def _built(self, attempts: int) -> Jail:
        """A new jail. What the view names may be gone a moment later, as some program's socket: then it looks anew."""
        self._placeholders.hold(to_hold(self._confinement))
        mounted = view(self._confinement)
        try:
            jail = Jail(self._confinement, mounted, self._died)
        except SpawnFailed:
            # The arguments too: a socket stays listed while somebody has it open, also when its file is gone.
            again = view(self._confinement)
            if attempts > 1 and (again.seen, again.arguments) != (mounted.seen, mounted.arguments):
                return self._built(attempts - 1)
            raise
        self._seen = mounted.seen
        self._before = self._intruders.look(mounted.seen.covered())
        return jail

    def launch(self, job: Job, *, stdout: int, stderr: int) -> "JailedBody":
        jail = self.warm()
        door = jail.take_door()
        if door is not None:
            self.proxy.attend(jail, door)
        self._count += 1
        mark = f"{self._mark}.{self._count}"
        stdin = open_input(job.stdin)
        body = JailedBody(jail, mark)
        self._intruders.begin(body, self._before)
        environment = {
            **confined_environment(job.env, jail.port, self._confinement.domains),
            MARK: f"{job.env.get(MARK, '')}/{mark}",
        }
        try:
            order = _order(job, environment)
            body.begin(*jail.start(order, [stdin, stdout, stderr, *job.pass_fds], body))
        except StartRefused as refusal:
            if refusal.stage == "folder":
                raise SpawnFailed(f"cannot start a command in {job.cwd}: {refusal.error}, seen from inside") from None
            raise SpawnFailed(f"cannot start {job.argv[0]}: {refusal.error}") from None
        finally:
            os.close(stdin)
            if not body.pid:
                self._intruders.end(body)
        return body

    def settled(self, body: Body) -> None:
        """The jailer buries its dead, and what still lives ends with the jail."""
        self._intruders.end(body)

    async def close(self) -> None:
        self._end()
        await self.proxy.close()

    def kill_now(self) -> None:
        for jail in self._all():
            jail.kill()
        self._placeholders.let_go()

    def _end(self) -> None:
        for jail in self._all():
            jail.died()
        self._jail = None
        self._placeholders.let_go()

    def _retire(self, jail: Jail) -> None:
        self._jail = None
        if jail.is_alive:
            self._retired.add(jail)
            jail.retire()

    def _died(self, jail: Jail) -> None:
        self._retired.discard(jail)
        self.proxy.leave(jail)

    def _all(self) -> list[Jail]:
        return [*self._retired, *([self._jail] if self._jail is not None else [])]


class JailedBody:
    """A command in a jail. The jailer waits for it; we hear how it ended, and end it from outside."""

    def __init__(self, jail: Jail, mark: str) -> None:
        self.pid = 0
        self._jail = jail
        self._mark = mark
        self._name = b""
        self._watch: int | None = None
        self._status: int | None = None
        self._is_over = False
        self._is_ended_by_us = False
        self._on_exit: Callable[[], None] | None = None

    def begin(self, name: bytes, pid: int, watch: int) -> None:
        self._name, self.pid, self._watch = name, pid, watch

    def watch(self, on_exit: Callable[[], None]) -> None:
        self._on_exit = on_exit
        if self._is_over:
            asyncio.get_running_loop().call_soon(on_exit)

    def ended(self, status: int | None) -> None:
        self._status = status
        self._is_over = True
        if self._on_exit is not None:
            self._on_exit()

    async def end(self) -> None:
        self._is_ended_by_us = True
        family = self._family()
        try:
            await end(family)
        finally:
            if self._jail.is_alive and family.living():  # it forks faster than it can be stopped
                self._jail.died()

    def settle(self) -> int:
        self._jail.pump(self._name, LAST_WORD_S)
        self._jail.forget(self._name)
        if self._watch is not None:
            os.close(self._watch)
            self._watch = None
        if self._status is None:
            if not self._is_ended_by_us:
                raise JailGone("the sandbox in which the command ran has ended, and the command with it")
            return -9
        try:
            return os.waitstatus_to_exitcode(self._status)
        except ValueError:
            return -9

    def _family(self) -> Family:
        root = pid_of(self._watch) if self._watch is not None else None
        if root is None:  # it has exited: its session is told by the mark of who is left in it
            return Family(f"{self._mark}/")
        first = look(root) if self._jail.runs_alone(self._name) else None
        return Family(
            f"{self._mark}/",
            sessions=frozenset((root,)),
            strangers_since=None if first is None else first.started,
            reaper=self._jail.first,
        )


def _order(job: Job, environment: dict[str, str]) -> bytes:
    """What the jailer is to start, in the words of `jailer.become`. Raises SpawnFailed."""
    words = [*job.argv, *(f"{name}={value}" for name, value in environment.items())]
    numbers = " ".join(map(str, job.pass_fds))
    try:
        encoded = [os.fsencode(word) for word in (job.cwd, numbers, str(len(job.argv)), *words)]
    except UnicodeEncodeError as error:
        raise SpawnFailed(f"cannot start {job.argv[0]!r}: {error}") from error
    if any(b"\0" in word for word in encoded):
        raise SpawnFailed(f"cannot start {job.argv[0]!r}: embedded null byte")
    return b"\0".join(encoded)
