"""How does one process live, from its start until it and everything it started are gone or handed over?"""

import asyncio
import os
import subprocess
from collections.abc import Callable

from daedal.protocol.seams import Job
from daedal.sandbox.ending import end
from daedal.sandbox.environment import MARK
from daedal.sandbox.errors import SpawnFailed
from daedal.sandbox.exits import ExitWatch
from daedal.sandbox.family import Family
from daedal.sandbox.orphans import started
from daedal.sandbox.pipes import Pipe
from daedal.sandbox.processes import look


def launch(job: Job, mark: str, *, stdout: int, stderr: int) -> subprocess.Popen[bytes]:
    """Starts the process in a session of its own, without input. Raises SpawnFailed."""
    try:
        return subprocess.Popen(
            job.argv,
            cwd=job.cwd,
            env={**job.env, MARK: f"{job.env.get(MARK, '')}/{mark}"},
            stdin=subprocess.DEVNULL,
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


class Command:
    """A running process. Whoever makes one awaits `attend`, which returns only when its end is settled."""

    def __init__(self, popen: subprocess.Popen[bytes], mark: str, on_settled: Callable[["Command"], None]) -> None:
        self.pid = popen.pid
        self.pipes: list[Pipe] = []
        self._popen = popen
        self._mark = mark
        self._on_settled = on_settled
        self._done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._has_exited = False
        started.add(popen.pid)
        self._watch = ExitWatch(popen, self._exited)

    @property
    def exit_code(self) -> int:
        """As shells say it: 128 + N for signal N. Known once `attend` has returned."""
        code = self._popen.returncode
        return code if code >= 0 else 128 - code

    def leave(self) -> None:
        """Nobody needs the rest of it: `attend` ends it now, if it has not ended already."""
        if not self._done.done():
            self._done.set_result(None)

    async def attend(self, timeout_s: float | None) -> bool:
        """Waits for its exit; returns whether time ran out. Ended any other way, nothing of it stays behind."""
        timed_out = False
        ended_by_itself = False
        try:
            async with asyncio.timeout(timeout_s):
                await self._done
            ended_by_itself = self._has_exited
        except TimeoutError:
            timed_out = True
        finally:
            try:
                if not ended_by_itself:
                    await self.end()
            finally:
                self._settle(keep_pipes=ended_by_itself)
        return timed_out

    async def end(self) -> None:
        """Ends it with everything it started, wherever that went. A cancellation only makes it less polite."""
        self._watch.stop()
        await end(self._family())

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

    def _exited(self) -> None:
        self._has_exited = True
        self.leave()

    def _settle(self, *, keep_pipes: bool) -> None:
        """Takes what is left in the pipes and waits for the process, which by now has exited."""
        self._watch.stop()
        for pipe in self.pipes:
            pipe.drain()
            if not keep_pipes:
                pipe.close()
        if self._popen.poll() is None:
            self._popen.returncode = -9  # killed, but it hangs in the kernel; init will wait for it
        started.discard(self.pid)
        self._on_settled(self)
