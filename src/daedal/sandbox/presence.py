"""Which process is meant, also after its number went to another one? And which process of ours has started commands?

A process that starts commands without walls leaves a note, and takes it back when it closes in order. A note whose
process is gone tells that something of it may still run: see `leftovers`.
"""

import os
import stat
from functools import cache
from itertools import count

import msgspec
from msgspec import Struct

from daedal.sandbox.environment import signature
from daedal.sandbox.processes import HAS_PROC, look, namespace_of

NOTE = ".process"
NOTE_BYTES_MAX = 65_536

_numbers = count(1)
"""Tells the notes of two spawners of one process apart."""


class Place(Struct, frozen=True):
    """Where the numbers of processes count. A home folder may be shared by several machines and containers."""

    machine: str
    boot: str
    namespace: str


class Owner(Struct, frozen=True):
    """A process, for good."""

    pid: int
    started: int
    """Clock ticks since boot; 0 where nobody tells."""
    place: Place

    @property
    def is_elsewhere(self) -> bool:
        """Whether it cannot be looked at from here. What ran before this machine was booted is simply gone."""
        us = here()
        return self.place.machine != us.machine or (self.place.boot == us.boot and self.place != us)

    def is_alive(self) -> bool:
        """What runs elsewhere counts as alive."""
        if self.is_elsewhere:
            return True
        if self.place.boot != here().boot:
            return False
        if not HAS_PROC:
            return _answers(self.pid)
        found = look(self.pid)
        return found is not None and found.started == self.started and not found.is_dead


class Note(Struct, frozen=True):
    """What a process that starts commands leaves behind it."""

    owner: Owner
    signature: str
    """Begins the marks of its commands."""


@cache
def here() -> Place:
    machine = _line("/etc/machine-id") or os.uname().nodename
    return Place(machine, _line("/proc/sys/kernel/random/boot_id"), namespace_of(os.getpid()))


def ourselves() -> Owner:
    us = look(os.getpid())
    return Owner(os.getpid(), 0 if us is None else us.started, here())


class Presence:
    """The note of this process in a folder."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._path = ""

    def tell(self) -> None:
        """Once, before the first command. Where it cannot be written, commands run all the same."""
        if self._path:
            return
        self._path = os.path.join(self._folder, f"{signature()}.{next(_numbers)}{NOTE}")
        try:
            make_private(self._folder)
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        except OSError:
            return
        try:
            os.write(descriptor, msgspec.json.encode(Note(ourselves(), signature())))
        except OSError:
            pass  # a full disk: the note is empty, and nobody will believe it
        finally:
            os.close(descriptor)

    def withdraw(self) -> None:
        """Everything that was started has ended."""
        if self._path:
            try:
                os.unlink(self._path)
            except OSError:
                pass  # it could not be written either
            self._path = ""


def make_private(folder: str) -> None:
    """Raises OSError."""
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        pass


def contents(path: str) -> bytes:
    """Of a small file. Raises OSError, also where it is none."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        return os.read(descriptor, NOTE_BYTES_MAX) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
    finally:
        os.close(descriptor)


def _answers(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _line(path: str) -> str:
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            return file.readline().strip()
    except OSError:
        return ""
