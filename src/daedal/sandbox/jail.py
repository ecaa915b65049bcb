"""How does a jail start, how is it spoken to, and how is it noticed that it has ended?

A jail is one bubblewrap with a jailer in it (`jailer.py`), kept warm: what starts in it costs little more than outside.
What the jailer says comes from inside and is believed only about the commands of this jail.
"""

import asyncio
import os
import select
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from typing import Protocol

from daedal.protocol.confinement import Confinement
from daedal.sandbox.bubblewrap import NESTING, Opened, open_bubblewrap
from daedal.sandbox.errors import JailGone, SpawnFailed
from daedal.sandbox.input import open_input
from daedal.sandbox.mounts import View

START_S = 10.0
"""After this a jail, or a command in it, that has not started never will."""

END_S = 2.0
"""The same for one that was killed."""

MESSAGE_BYTES = 256
DESCRIPTORS_MAX = 8
DIGITS_MAX = 9


class StartRefused(Exception):
    """The command could not be started in a jail that is well."""

    def __init__(self, stage: str, error: str) -> None:
        self.stage = stage
        self.error = error


class Inmate(Protocol):
    """Who is told how a command ended."""

    def ended(self, status: int | None) -> None:
        """With its wait status; None where the jail ended under it."""
        ...


class Jail:
    """Starts in the constructor, without an event loop. Raises SpawnFailed."""

    def __init__(self, confinement: Confinement, view: View, on_death: Callable[["Jail"], None]) -> None:
        self.is_alive = False
        self.first: int | None = None
        """Process 1 of the jail, as it is called outside."""
        self._door: socket.socket | None = None
        self.port = 0
        self._inmates: dict[bytes, Inmate] = {}
        self._answers: dict[bytes, tuple[int, int] | StartRefused] = {}
        """Pid and descriptor of what was started, or why it was not."""
        self._count = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watch: int | None = None
        self._on_death = on_death
        trouble = ""
        for nesting in NESTING:
            trouble = self._start(open_bubblewrap(confinement, [*nesting, *view.arguments], view.closed_files))
            if self.is_alive:
                return
        raise SpawnFailed(f"bubblewrap cannot confine commands here: {trouble}")

    def take_door(self) -> socket.socket | None:
        """A listener in the jail's network, once: whoever accepts on it is the jail's only way out."""
        door, self._door = self._door, None
        return door

    def runs_alone(self, name: bytes) -> bool:
        return set(self._inmates) <= {name}

    def start(self, payload: bytes, descriptors: list[int], inmate: Inmate) -> tuple[bytes, int, int]:
        """Starts a command; returns its name, its pid inside and a descriptor of it. Raises SpawnFailed."""
        self._attach()
        self._count += 1
        name = b"%d" % self._count
        order = open_input(payload)
        try:
            _send(self._control, b"start " + name, [order, *descriptors])
        except OSError as error:
            self.died()
            raise JailGone("the sandbox has ended before the command could start") from error
        finally:
            os.close(order)
        self._inmates[name] = inmate
        return self._started(name)

    def pump(self, name: bytes, patience_s: float) -> None:
        """Hears the jailer until it has told how that command ended, or patience ends."""
        deadline = time.monotonic() + patience_s
        while self.is_alive and name in self._inmates and self._hear(deadline):
            pass

    def forget(self, name: bytes) -> None:
        self._inmates.pop(name, None)

    def retire(self) -> None:
        """Lets it end when the last process in it has."""
        try:
            self._attach()
            _send(self._control, b"retire ", [])
        except OSError:
            self.died()

    def kill(self) -> None:
        """Ends it with everything in it. Any thread may call it."""
        if self._watch is None:
            self._popen.kill()
            return
        try:
            # Its first process, with which the kernel ends all others. Bubblewrap waits for that one, and then leaves.
            signal.pidfd_send_signal(self._watch, signal.SIGKILL)
        except OSError:
            pass  # it has ended meanwhile

    def died(self) -> None:
        """It has ended, or cannot be understood any more, which comes to the same."""
        if not self.is_alive:
            return
        self.is_alive = False
        self.kill()
        self._close()
        inmates = list(self._inmates.values())
        self._inmates.clear()
        for inmate in inmates:
            inmate.ended(None)
        self._on_death(self)

    def _start(self, opened: Opened) -> str:
        """Returns what went wrong."""
        self._popen, self._control = opened.popen, opened.control
        self.is_alive = True
        if not self._hear(time.monotonic() + START_S) or self.first is None:
            self.died()
        return opened.last_words()

    def _started(self, name: bytes) -> tuple[bytes, int, int]:
        deadline = time.monotonic() + START_S
        while self.is_alive and name not in self._answers:
            if not self._hear(deadline):
                self.died()
        if name not in self._answers:
            raise JailGone("the sandbox has ended while the command was starting; it may have begun its work")
        answer = self._answers.pop(name)
        if isinstance(answer, tuple):
            return name, *answer
        self.forget(name)
        raise answer

    def _attach(self) -> None:
        loop = asyncio.get_running_loop()
        if self._loop is not loop and self.is_alive:
            self._loop = loop
            loop.add_reader(self._control.fileno(), self._hear_now)

    def _hear_now(self) -> None:
        self._hear(time.monotonic())

    def _hear(self, deadline: float) -> bool:
        """Takes the next message; False when there is none until the deadline, or never will be."""
        poll = select.poll()
        poll.register(self._control.fileno(), select.POLLIN)
        if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            return False
        try:
            message, descriptors, _, _ = socket.recv_fds(
                self._control, MESSAGE_BYTES, DESCRIPTORS_MAX, socket.MSG_CMSG_CLOEXEC
            )
        except OSError:
            message, descriptors = b"", []
        if not message or not self._understood(message, descriptors):
            for descriptor in descriptors:
                os.close(descriptor)
            self.died()
            return False
        return True

    def _understood(self, message: bytes, descriptors: list[int]) -> bool:
        verb, _, rest = message.partition(b" ")
        name, _, detail = rest.partition(b" ")
        number = _number(rest.rpartition(b" ")[2])
        is_awaited = name in self._inmates and name not in self._answers
        match verb, descriptors:
            case b"ready", [watch, *doors] if self.first is None and number is not None:
                return self._ready(number, watch, doors)
            case b"started", [watch] if is_awaited and number is not None:
                self._answers[name] = (number, watch)
            case b"failed", [] if is_awaited and number is not None:
                stage = detail.partition(b" ")[0].decode("ascii", "replace")
                self._answers[name] = StartRefused(stage, os.strerror(number))
            case b"ended", [] if name in self._inmates and number is not None:
                self._inmates.pop(name).ended(number)
            case _:
                return False
        return True

    def _ready(self, port: int, watch: int, doors: list[int]) -> bool:
        self.first = pid_of(watch)
        if self.first is None:
            return False
        self._watch = watch
        self.port = port
        self._door = socket.socket(fileno=doors[0]) if doors else None
        return True

    def _close(self) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.remove_reader(self._control.fileno())
        self._control.close()
        if self._door is not None:
            self._door.close()
        if self._watch is not None:
            _await_end(self._watch)
            os.close(self._watch)
            self._watch = None
        try:
            self._popen.wait(END_S)
        except subprocess.TimeoutExpired:
            self._popen.kill()  # it hangs in the kernel, and is buried with our other orphans
        self._bury_first()

    def _bury_first(self) -> None:
        """Where bubblewrap was killed before its child, we have inherited that."""
        try:
            if self.first is not None:
                os.waitpid(self.first, os.WNOHANG)
        except ChildProcessError:
            pass  # as it should be


def pid_of(watch: int) -> int | None:
    """Which process of this machine a descriptor means, or None when that has ended."""
    try:
        with open(f"/proc/self/fdinfo/{watch}", "rb", buffering=0) as file:
            lines = file.read().split(b"\n")
    except OSError:
        return None
    numbers = [int(line.split()[1]) for line in lines if line.startswith(b"Pid:")]
    return numbers[0] if numbers and numbers[0] > 0 else None


def _number(text: bytes) -> int | None:
    return int(text) if text.isdigit() and len(text) <= DIGITS_MAX else None


def _await_end(watch: int) -> None:
    """Process 1 of a namespace is gone only when all others in it are."""
    poll = select.poll()
    poll.register(watch, select.POLLIN)
    poll.poll(END_S * 1000)


def _send(control: socket.socket, message: bytes, descriptors: list[int]) -> None:
    socket.send_fds(control, [message], descriptors, socket.MSG_NOSIGNAL)
