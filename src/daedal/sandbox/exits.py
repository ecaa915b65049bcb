"""How is it noticed that a process has exited, without a thread and without a signal handler?"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable


class ExitWatch:
    """Calls back once when the process exits: by its descriptor on Linux, where it stays unwaited, else by polling."""

    def __init__(self, popen: subprocess.Popen[bytes], on_exit: Callable[[], None]) -> None:
        self._popen = popen
        self._on_exit = on_exit
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._descriptor = _descriptor_of(popen.pid)
        if self._descriptor is None:
            self._poll(0.001)
        else:
            self._loop.add_reader(self._descriptor, self._exited)

    def stop(self) -> None:
        if self._descriptor is not None:
            self._loop.remove_reader(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = None
        if self._timer is not None:
            self._timer.cancel()

    def _exited(self) -> None:
        self.stop()
        self._on_exit()

    def _poll(self, pause_s: float) -> None:
        if self._popen.poll() is None:
            self._timer = self._loop.call_later(pause_s, self._poll, min(pause_s * 2, 0.05))
        else:
            self._loop.call_soon(self._exited)


def _descriptor_of(pid: int) -> int | None:
    if sys.platform == "linux":
        try:
            return os.pidfd_open(pid)
        except OSError:  # a kernel before 5.3, a filter that forbids it, or no descriptor left
            return None
    return None
