"""How does a process start on the machine itself, and what is left of it when it has ended?"""

import os
import subprocess
import time
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING

from daedal.protocol.seams import Job
from daedal.sandbox.command import Body
from daedal.sandbox.ending import end, kill
from daedal.sandbox.environment import MARK, signature
from daedal.sandbox.errors import SpawnFailed
from daedal.sandbox.exits import ExitWatch
from daedal.sandbox.family import Family
from daedal.sandbox.input import open_input
from daedal.sandbox.orphans import adopted, become_reaper, bury_unclaimed, started
from daedal.sandbox.processes import Process, look, mark_of

if TYPE_CHECKING:
    from daedal.sandbox.presence import Presence

_numbers = count(1)
"""Tells one ground of this process from another."""


class OpenGround:
    """The `Launcher` without walls."""

    def __init__(self, presence: "Presence | None" = None) -> None:
        self._mark = f"{signature()}-{next(_numbers)}"
        self._presence = presence
        self._count = 0
        self._first_started: int | None = None
        self._running: set[int] = set()
        self._known: dict[int, int] = {}
        """Pid and start of orphans of commands that ended by themselves; `close` ends them."""

    def launch(self, job: Job, *, stdout: int, stderr: int) -> "HostBody":
        become_reaper()
        if self._presence is not None:
            self._presence.tell()
        self._count += 1
        mark = f"{self._mark}.{self._count}"
        body = HostBody(_popen(job, mark, stdout=stdout, stderr=stderr), mark)
        self._running.add(body.pid)
        if self._first_started is None:
            first = look(body.pid)
            self._first_started = None if first is None else first.started
        return body

    def settled(self, body: Body) -> None:
        self._running.discard(body.pid)
        orphans = adopted()
        dead = [orphan for orphan in orphans if orphan.is_dead]
        bury_unclaimed(dead, lambda orphan: self._is_ours(orphan, body.pid), time.monotonic())
        self._known = {
            orphan.pid: orphan.started for orphan in orphans if not orphan.is_dead and self._is_ours(orphan, body.pid)
        }

    async def close(self) -> None:
        await end(self._family())

    def kill_now(self) -> None:
        kill(self._family())

    def _family(self) -> Family:
        """Everything that was ever started here."""
        running = frozenset(self._running)
        return Family(
            f"{self._mark}.",
            sessions=running,
            known=self._known,
            # Where another spawner's commands run, an orphan without a mark could be theirs.
            strangers_since=self._first_started if started <= running else None,
        )

    def _is_ours(self, orphan: Process, pid: int) -> bool:
        if orphan.session == pid or self._known.get(orphan.pid) == orphan.started:
            return True
        return f"/{self._mark}." in (mark_of(orphan.pid) or "")


class HostBody:
    """A child process of ours."""

    def __init__(self, popen: subprocess.Popen[bytes], mark: str) -> None:
        self.pid = popen.pid
        self._popen = popen
        self._mark = mark
        self._watch: ExitWatch | None = None
        started.add(popen.pid)

    def watch(self, on_exit: Callable[[], None]) -> None:
        self._watch = ExitWatch(self._popen, on_exit)

    async def end(self) -> None:
        self._unwatch()
        await end(self._family())

    def settle(self) -> int:
        self._unwatch()
        if self._popen.poll() is None:
            self._popen.returncode = -9  # killed, but it hangs in the kernel; init will wait for it
        started.discard(self.pid)
        return self._popen.returncode

    def _unwatch(self) -> None:
        if self._watch is not None:
            self._watch.stop()

    def _family(self) -> Family:
        if self._popen.returncode is not None:  # waited for: its number may mean another process by now
            return Family(f"{self._mark}/")
        # While other commands run, an orphan without a mark could be theirs: it is left for the spawner's close.
        first = look(self.pid) if started == {self.pid} else None
        return Family(
            f"{self._mark}/",
            sessions=frozenset((self.pid,)),
            strangers_since=None if first is None else first.started,
        )


def _popen(job: Job, mark: str, *, stdout: int, stderr: int) -> subprocess.Popen[bytes]:
    """Starts the process in a session of its own. Raises SpawnFailed."""
    stdin = open_input(job.stdin)
    try:
        return subprocess.Popen(
            job.argv,
            cwd=job.cwd,
            env={**job.env, MARK: f"{job.env.get(MARK, '')}/{mark}"},
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
            pass_fds=job.pass_fds,
        )
    except ValueError as error:  # a NUL byte, or text that cannot be encoded
        raise SpawnFailed(f"cannot start {job.argv[0]!r}: {error}") from error
    except OSError as error:
        if not os.path.isdir(job.cwd):
            raise SpawnFailed(f"cannot start a command in {job.cwd}: there is no such folder") from error
        raise SpawnFailed(f"cannot start {job.argv[0]}: {error.strerror or error}") from error
    finally:
        os.close(stdin)
