"""What still runs of a Daedal that is gone? Found by the traces it left, and named so that a person can end it.

Only where the process behind a trace is gone are the machine's processes searched for the marks of its commands.
"""

import os
import time
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from daedal.protocol.catalogue import say
from daedal.sandbox.presence import NOTE, Note, contents
from daedal.sandbox.processes import Process, everyone, mark_of, namespace_of

if TYPE_CHECKING:
    from daedal.sandbox.roll import Entry

RUNNING = ".task"

COMMAND_SHOWN = 80

DYING_S = 0.5
"""A jail ends with whoever holds it, but not in the same instant."""


class LeftBehind(Struct, frozen=True, kw_only=True):
    """A command whose owner is gone."""

    id: str
    """A background command's own; any other is called by its mark."""
    command: str
    pids: list[int]
    session: str = ""
    """Empty where nobody noted it."""
    since: float | None = None

    @property
    def sentence(self) -> str:
        """What a person is told about it."""
        flat = " ".join(self.command.split())
        shown = flat if len(flat) <= COMMAND_SHOWN else f"{flat[: COMMAND_SHOWN - 1]}…"
        return say("sandbox.left_behind", id=self.id, command=shown or self.id)


def found(folder: str, names: list[str]) -> list[LeftBehind]:
    """Among the traces of these names."""
    return _Search(folder, names).found()


class _Search:
    def __init__(self, folder: str, names: list[str]) -> None:
        self._folder = folder
        known = _entries(folder, [name.removesuffix(RUNNING) for name in names if name.endswith(RUNNING)])
        self._all_tasks = {entry.id for entry in known}
        self._tasks = [entry for entry in known if not entry.owner.is_alive()]
        notes = {name: note for name in names if (note := _note(os.path.join(folder, name))) is not None}
        self._notes = {name: note for name, note in notes.items() if not note.owner.is_alive()}

    def found(self) -> list[LeftBehind]:
        if not self._tasks and not self._notes:
            return []
        deadline = time.monotonic() + DYING_S
        while any(map(_is_walled, found := self._look())) and time.monotonic() < deadline:
            time.sleep(0.02)
        self._clear({left.id for left in found})
        return found

    def _look(self) -> list[LeftBehind]:
        marked = _marked()
        tasks = [
            LeftBehind(id=entry.id, command=entry.command, pids=pids, session=entry.session, since=entry.since)
            for entry in self._tasks
            if (pids := [pid for pid, mark in marked.items() if entry.id in mark])
        ]
        signatures = {note.signature for note in self._notes.values()}
        commands: dict[str, list[int]] = {}
        for pid, mark in marked.items():
            name = next((part for part in mark if part.rpartition("-")[0] in signatures), None)
            if name is not None and not self._all_tasks.intersection(mark):
                commands.setdefault(name, []).append(pid)
        return [*tasks, *(LeftBehind(id=name, command=_shown(min(pids)), pids=pids) for name, pids in commands.items())]

    def _clear(self, running: set[str]) -> None:
        for entry in self._tasks:
            if entry.id not in running:
                self._bury(entry.id)
        if not running:
            for name in self._notes:
                try:
                    os.unlink(os.path.join(self._folder, name))
                except OSError:
                    pass  # somebody else was quicker

    def _bury(self, identity: str) -> None:
        """What ended with its session is forgotten; of what should have outlived it the output is still there."""
        from daedal.sandbox.roll import Roll, closed

        roll = Roll(self._folder)
        entry = roll.get(identity)
        if entry is None or not entry.detached:
            roll.remove(identity)
        elif not entry.owner.is_alive():  # it may have come to life meanwhile: its attendant has just begun
            roll.put(closed(entry, ending="ended with its attendant, which was killed"))


def _is_walled(left: LeftBehind) -> bool:
    """Whether it runs in a namespace of its own, as in a jail."""
    return any(namespace_of(pid) not in ("", namespace_of(os.getpid())) for pid in left.pids)


def _marked() -> dict[int, list[str]]:
    """The parts of the mark of every living process that has one."""
    us = os.getpid()
    living = [process for process in everyone().values() if not process.is_dead and process.pid != us]
    return {process.pid: parts for process in living if (parts := _parts(process))}


def _parts(process: Process) -> list[str]:
    return [part for part in (mark_of(process.pid) or "").split("/") if part]


def _entries(folder: str, identities: list[str]) -> "list[Entry]":
    if not identities:
        return []
    from daedal.sandbox.roll import Roll

    roll = Roll(folder)
    return [entry for entry in map(roll.get, identities) if entry is not None]


def _note(path: str) -> Note | None:
    if not path.endswith(NOTE):
        return None
    try:
        note = msgspec.json.decode(contents(path), type=Note)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return note if note.signature and note.owner.pid > 0 else None


def _shown(pid: int) -> str:
    """A process's command line, as one would type it."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb", buffering=0) as file:
            return file.read(4096).rstrip(b"\0").replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return ""
