"""What do Ctrl-C, SIGTERM and SIGHUP do? The first asks the run to stop and keep its record, a second leaves at once.

A thread hears them, because the main one may be stuck where no Python runs: in a pipe that nobody reads, in a database
that somebody else has locked. Until there is somebody to ask, nothing has begun yet, and the first one leaves too.
"""

import asyncio
import os
import select
import signal
import threading
from collections.abc import Callable
from typing import NoReturn

from daedal.cli.exit_codes import ExitCode
from daedal.cli.streams import silence
from daedal.sandbox import kill_everything

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
NUDGE = signal.SIGURG
"""Does nothing but end a system call that the main thread is stuck in, so that Python makes it again."""

PATIENCE_S = 1.0
"""How long a reader of our output may keep us waiting once we were told to stop."""


class Signals:
    """Listens from its making until the process ends."""

    def __init__(self) -> None:
        self._stop: Callable[[], None] | None = None
        self._is_stopping = False
        self.is_lent = False
        """Another program has the terminal: Ctrl-C is meant for it."""
        self.has_cut_output = False
        """Whether something that was said went nowhere, since nobody read it."""
        self._ear, mouth = os.pipe()
        os.set_blocking(mouth, False)
        signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
        for number in (*STOPPING, NUDGE):
            # Whoever starts us with nohup wants us to outlive the terminal.
            if number is not signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, _heard)
        threading.Thread(target=self._listen, name="daedal-signals", daemon=True).start()

    def ask(self, stop: Callable[[], object]) -> None:
        """From now on the first signal calls `stop`, in the event loop that this is called in."""
        loop = asyncio.get_running_loop()
        self._stop = lambda: _in_loop(loop, stop)

    def _listen(self) -> None:
        while True:
            if not self._is_stopping or select.select([self._ear], [], [], PATIENCE_S)[0]:
                number = os.read(self._ear, 1)[0]
                if number in STOPPING and not (self.is_lent and number == signal.SIGINT):
                    self._told()
            else:
                self._pass_by_stuck_readers()

    def _told(self) -> None:
        if self._is_stopping or self._stop is None:
            leave()
        self._is_stopping = True
        self._stop()

    def _pass_by_stuck_readers(self) -> None:
        """Frees the main thread where it waits at a full pipe or a paused terminal."""
        stuck = [number for number in (1, 2) if not select.select([], [number], [], 0)[1]]
        main = threading.main_thread().ident
        if stuck and main is not None:
            self.has_cut_output = True
            for number in stuck:
                silence(number)
            signal.pthread_kill(main, NUDGE)


def leave() -> NoReturn:
    """At once, as a crash would, but with nothing left running. What was recorded is whole at every instant."""
    try:
        kill_everything()
    finally:
        os._exit(ExitCode.INTERRUPTED)


def _heard(number: int, frame: object) -> None:
    """Python itself writes the number to the pipe that the thread reads; a handler must only be there."""
    del number, frame


def _in_loop(loop: asyncio.AbstractEventLoop, stop: Callable[[], object]) -> None:
    try:
        loop.call_soon_threadsafe(stop)
    except RuntimeError:
        pass  # The loop has just been closed: the run is over anyway.
