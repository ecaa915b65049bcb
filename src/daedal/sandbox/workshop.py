"""How do the commands of one spawner run, which of their children are left, and how does it all end?"""

import os
import time
from collections.abc import Callable

from daedal.protocol.seams import Finish, Job
from daedal.sandbox.background import BackgroundCommand
from daedal.sandbox.command import Command, launch
from daedal.sandbox.ending import end, kill
from daedal.sandbox.errors import SpawnFailed
from daedal.sandbox.family import Family
from daedal.sandbox.orphans import adopted, become_reaper, bury_unclaimed, started
from daedal.sandbox.pipes import Capture, Pipe, Taker, Tap, open_pipes
from daedal.sandbox.processes import Process, look, mark_of


class Workshop:
    """Everything that a spawner has started and still has to look after."""

    def __init__(self) -> None:
        self._mark = f"{os.getpid()}-{os.urandom(4).hex()}"
        self._count = 0
        self._first_started: int | None = None
        self._running: set[Command] = set()
        self._backgrounds: set[BackgroundCommand] = set()
        self._lingering: set[Pipe] = set()
        self._known: dict[int, int] = {}
        """Pid and start of orphans of commands that ended by themselves; `close` ends them."""

    async def run(self, job: Job) -> Finish:
        stdout = Capture(job.output_bytes_max)
        stderr = Capture(job.output_bytes_max)
        return await self._finish(self._start_piped(job, stdout, stderr), job, stdout, stderr)

    async def feed(self, job: Job, take: Callable[[bytes], bool]) -> Finish:
        tap = Tap(take)
        stderr = Capture(job.output_bytes_max)
        command = self._start_piped(job, tap, stderr)
        tap.on_enough = command.leave
        finish = await self._finish(command, job, Capture(0), stderr)
        if tap.error is not None:
            raise tap.error
        return finish

    def start(self, job: Job, stdout_path: str) -> BackgroundCommand:
        try:
            output = os.open(stdout_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise SpawnFailed(f"cannot write {stdout_path}: {error.strerror}") from error
        try:
            background = BackgroundCommand(self._start(job, output, output), stdout_path, job.timeout_s)
        finally:
            os.close(output)
        self._backgrounds.add(background)
        background.when_done(self._backgrounds.discard)
        return background

    async def close(self) -> None:
        """Ends everything that was ever started here and still runs."""
        await end(self._family())
        for background in list(self._backgrounds):
            await background.end()
        for pipe in list(self._lingering):
            pipe.close()

    def kill_now(self) -> None:
        """The same without grace and without the event loop; any thread may call it."""
        kill(self._family())

    def _family(self) -> Family:
        """Everything that was ever started here."""
        running = frozenset(command.pid for command in list(self._running))
        return Family(
            f"{self._mark}.",
            sessions=running,
            known=self._known,
            # Where another spawner's commands run, an orphan without a mark could be theirs.
            strangers_since=self._first_started if started <= running else None,
        )

    async def _finish(self, command: Command, job: Job, stdout: Capture, stderr: Capture) -> Finish:
        timed_out = await command.attend(job.timeout_s)
        return Finish(
            exit_code=command.exit_code,
            stdout=stdout.value(),
            stderr=stderr.value(),
            stdout_truncated=stdout.truncated,
            stderr_truncated=stderr.truncated,
            timed_out=timed_out,
        )

    def _start_piped(self, job: Job, stdout: Taker, stderr: Taker) -> Command:
        out, out_end, err, err_end = open_pipes()
        try:
            command = self._start(job, out_end, err_end)
        except SpawnFailed:
            os.close(out)
            os.close(err)
            raise
        finally:
            os.close(out_end)
            os.close(err_end)
        command.pipes = [Pipe(out, stdout), Pipe(err, stderr)]
        return command

    def _start(self, job: Job, stdout: int, stderr: int) -> Command:
        become_reaper()
        self._count += 1
        mark = f"{self._mark}.{self._count}"
        command = Command(launch(job, mark, stdout=stdout, stderr=stderr), mark, self._settled)
        self._running.add(command)
        if self._first_started is None:
            first = look(command.pid)
            self._first_started = None if first is None else first.started
        return command

    def _settled(self, command: Command) -> None:
        self._running.discard(command)
        for pipe in command.pipes:
            if pipe.is_open:
                self._lingering.add(pipe)
                pipe.linger(self._lingering.discard)
        orphans = adopted()
        dead = [orphan for orphan in orphans if orphan.is_dead]
        bury_unclaimed(dead, lambda orphan: self._is_ours(orphan, command), time.monotonic())
        self._known = {
            orphan.pid: orphan.started for orphan in orphans if not orphan.is_dead and self._is_ours(orphan, command)
        }

    def _is_ours(self, orphan: Process, command: Command) -> bool:
        if orphan.session == command.pid or self._known.get(orphan.pid) == orphan.started:
            return True
        return f"/{self._mark}." in (mark_of(orphan.pid) or "")
