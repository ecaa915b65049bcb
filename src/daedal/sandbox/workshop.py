"""How do the commands of one spawner run, and how does it all end? Where they run is the launcher's business."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from daedal.protocol.seams import Finish, Job
from daedal.sandbox.command import Command, Launcher
from daedal.sandbox.errors import SpawnFailed
from daedal.sandbox.pipes import Capture, Pipe, Taker, Tap, Watch, open_pipe, open_pipes, watched

if TYPE_CHECKING:
    from daedal.sandbox.background import BackgroundCommand
    from daedal.sandbox.spool import Spool


class Workshop:
    """Everything that a spawner has started and still has to look after."""

    def __init__(self, launcher: Launcher) -> None:
        self._launcher = launcher
        self._backgrounds: set[BackgroundCommand] = set()
        self._lingering: set[Pipe] = set()

    async def run(self, job: Job, watch: Watch | None = None) -> Finish:
        stdout = Capture(job.output_bytes_max)
        stderr = Capture(job.output_bytes_max)
        takers = (stdout, stderr) if watch is None else (watched(stdout, watch, 1), watched(stderr, watch, 2))
        return await self._finish(self._start_piped(job, *takers), job, stdout, stderr)

    async def feed(
        self, job: Job, take: Callable[[bytes], bool], take_errors: Callable[[bytes], bool] | None = None
    ) -> Finish:
        taps = [Tap(take), *([Tap(take_errors)] if take_errors is not None else [])]
        stderr = Capture(job.output_bytes_max)
        command = self._start_piped(job, taps[0], stderr if take_errors is None else taps[1])
        for tap in taps:
            tap.on_enough = command.leave
        finish = await self._finish(command, job, Capture(0), stderr)
        for tap in taps:
            if tap.error is not None:
                raise tap.error
        return finish

    def start(self, job: Job, stdout_path: str) -> "BackgroundCommand":
        from daedal.sandbox.background import BackgroundCommand
        from daedal.sandbox.spool import Spool

        spool = Spool(stdout_path)
        try:
            background = BackgroundCommand(self._start_spooled(job, spool), spool, job.timeout_s)
        except SpawnFailed:
            spool.close()
            raise
        self._backgrounds.add(background)
        background.when_done(self._backgrounds.discard)
        return background

    async def close(self) -> None:
        """Ends everything that was ever started here and still runs."""
        await self._launcher.close()
        for background in list(self._backgrounds):
            await background.end()
        for pipe in list(self._lingering):
            pipe.close()

    def kill_now(self) -> None:
        """The same without grace and without the event loop; any thread may call it."""
        self._launcher.kill_now()

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

    def _start_spooled(self, job: Job, spool: "Spool") -> Command:
        """With both streams in one pipe, so that they stay in order."""
        reading, writing = open_pipe()
        try:
            command = self._start(job, writing, writing)
        except SpawnFailed:
            os.close(reading)
            raise
        finally:
            os.close(writing)
        command.pipes = [Pipe(reading, spool, is_unhurried=True)]
        return command

    def _start(self, job: Job, stdout: int, stderr: int) -> Command:
        return Command(self._launcher.launch(job, stdout=stdout, stderr=stderr), self._settled)

    def _settled(self, command: Command) -> None:
        for pipe in command.pipes:
            if pipe.is_open:
                self._lingering.add(pipe)
                pipe.linger(self._lingering.discard)
        self._launcher.settled(command.body)
