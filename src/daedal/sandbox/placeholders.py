"""Which empty folders stand where nobody inside a jail may make one, and when do they go?

A jail can hold only what exists. So a folder that is missing is made for as long as a jail needs it, by whichever of
this process needs it first, and goes with the last one. It is noted before it is made: a process that was killed leaves
it behind, and the next one that starts takes it away.
"""

import os
from itertools import count

import msgspec
from msgspec import Struct

from daedal.sandbox.environment import signature
from daedal.sandbox.presence import Owner, contents, make_private, ourselves

HELD = ".held"

_numbers = count(1)
_users: dict[str, int] = {}
"""How many of this process need each folder that this process made."""


class Held(Struct, frozen=True):
    owner: Owner
    folders: list[str]


class Placeholders:
    """Those that one keeper needs. Folders that somebody filled meanwhile are theirs, and stay."""

    def __init__(self, notes: str | None) -> None:
        """`notes` is the folder in which they are noted; without one, a crash leaves them behind for good."""
        self._notes = notes
        self._note = ""
        self._held: list[str] = []

    def hold(self, folders: list[str]) -> None:
        """Makes those that are missing, and keeps those that others of this process made."""
        shared = [folder for folder in folders if folder in _users and folder not in self._held]
        missing = [folder for folder in folders if not os.path.lexists(folder)]
        if missing:
            self._write_down([*self._held, *missing])
        for folder in (*shared, *filter(_is_made, missing)):
            _users[folder] = _users.get(folder, 0) + 1
            self._held.append(folder)

    def let_go(self) -> None:
        for folder in self._held:
            _users[folder] -= 1
            if _users[folder] == 0:
                del _users[folder]
                _remove(folder)
        self._held = []
        if self._note:
            _unlink(self._note)
            self._note = ""

    def _write_down(self, folders: list[str]) -> None:
        """Where it cannot be written, the folders are made all the same."""
        if self._notes is None:
            return
        if not self._note:
            self._note = os.path.join(self._notes, f"{signature()}.{next(_numbers)}{HELD}")
        try:
            make_private(self._notes)
            descriptor = os.open(
                self._note, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600
            )
        except OSError:
            return
        with open(descriptor, "wb", buffering=0) as file:
            file.write(msgspec.json.encode(Held(ourselves(), [os.fsencode(path).hex() for path in folders])))


def clear(folder: str, names: list[str]) -> None:
    """Takes away what processes that are gone have held, by their notes of these names."""
    for name in names:
        note = os.path.join(folder, name)
        try:
            held = msgspec.json.decode(contents(note), type=Held)
            paths = [os.fsdecode(bytes.fromhex(path)) for path in held.folders]
        except (OSError, ValueError):
            continue
        if held.owner.is_alive():
            continue
        for path in paths:
            _remove(path)
        _unlink(note)


def _is_made(folder: str) -> bool:
    try:
        os.mkdir(folder)
    except OSError:
        return False
    return True


def _remove(folder: str) -> None:
    try:
        os.rmdir(folder)
    except OSError:
        pass  # somebody uses it now, so it is theirs


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass  # it could not be written either
