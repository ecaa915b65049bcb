"""Which processes are there, and what does the kernel know about each? Read from /proc, where there is one."""

import os

from msgspec import Struct

from daedal.sandbox.environment import MARK

HAS_PROC = os.path.isdir("/proc/self")
"""Elsewhere (macOS) a command is its process group, and what leaves the group is out of reach."""


class Process(Struct, frozen=True):
    """One process at one instant."""

    pid: int
    state: str
    parent: int
    group: int
    session: int
    started: int
    """Clock ticks since boot. Together with the pid it names a process for good."""

    @property
    def is_dead(self) -> bool:
        """Whether only its entry is left, waiting for its parent to take notice."""
        return self.state in "ZX"


def look(pid: int) -> Process | None:
    """The process, or None when it is gone."""
    text = _contents(f"/proc/{pid}/stat")
    # The program's name stands in parentheses and may contain blanks and parentheses itself.
    fields = text[text.rfind(b")") + 1 :].split()
    if len(fields) < 20:
        return None
    return Process(pid, fields[0].decode(), int(fields[1]), int(fields[2]), int(fields[3]), int(fields[19]))


def everyone() -> dict[int, Process]:
    """All processes that can be seen."""
    seen = (look(int(name)) for name in os.listdir("/proc") if name.isdecimal())
    return {process.pid: process for process in seen if process is not None}


def mark_of(pid: int) -> str | None:
    """The command that the process's environment names. None where it names none, or may not be read."""
    prefix = MARK.encode() + b"="
    for entry in _contents(f"/proc/{pid}/environ").split(b"\0"):
        if entry.startswith(prefix):
            return entry[len(prefix) :].decode("utf-8", "replace")
    return None


def namespace_of(pid: int) -> str:
    """In which namespace its number counts; empty where nobody tells."""
    try:
        return os.readlink(f"/proc/{pid}/ns/pid")
    except OSError:
        return ""


def has_arguments(pid: int) -> bool:
    """Whether it shows a command line, as every process does unless it is in the midst of an exec."""
    return _contents(f"/proc/{pid}/cmdline") != b""


def children_of_ours() -> list[int]:
    """The pids of our children, adopted ones included: the kernel hands orphans to a reaper's main thread."""
    us = os.getpid()
    try:
        with open(f"/proc/self/task/{us}/children", "rb", buffering=0) as file:
            return [int(pid) for pid in file.read().split()]
    except OSError:  # a kernel without this file
        return [process.pid for process in everyone().values() if process.parent == us]


def _contents(path: str) -> bytes:
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except OSError:
        return b""
