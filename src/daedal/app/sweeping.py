"""Which scratch folders were left by a Daedal that was killed? Asked when one is made, so that starting costs nothing.

The temporary folder is everybody's, so a folder says in itself whose it was. It goes when that process is gone and no
command on the roll has its output there; what cannot be made out stays.
"""

import os
import stat
from collections.abc import Iterator
from itertools import islice

import msgspec
from msgspec import Struct

from daedal.sandbox import Roll, ourselves

PREFIX = "daedal-"
NOTE = ".owner"
NOTE_BYTES_MAX = 65_536
LOOKED_AT_MAX = 10_000


class _Note(Struct, frozen=True):
    owner: msgspec.Raw
    tasks: str
    """The folder of the roll that its commands were on: who has another home does not know of them."""


def sign(folder: str, tasks: str) -> None:
    """Says whose it is. Where that cannot be written, the folder is merely never swept."""
    note = _Note(msgspec.Raw(msgspec.json.encode(ourselves())), tasks)
    try:
        with open(os.path.join(folder, NOTE), "xb") as file:
            file.write(msgspec.json.encode(note))
    except OSError:
        return


def sweep(place: str, tasks: str) -> None:
    left = list(_left(place, tasks))
    if not left:
        return
    from shutil import rmtree

    in_use = {os.path.dirname(entry.output) for entry in Roll(tasks).entries()}
    for folder in left:
        if folder not in in_use:
            rmtree(folder, ignore_errors=True)


def _left(place: str, tasks: str) -> Iterator[str]:
    try:
        with os.scandir(place) as entries:
            names = [entry.name for entry in islice(entries, LOOKED_AT_MAX) if entry.name.startswith(PREFIX)]
    except OSError:
        return
    yield from (folder for name in names if _is_left(folder := os.path.join(place, name), tasks))


def _is_left(folder: str, tasks: str) -> bool:
    """Whether a process of this user made it that had the same roll, and is gone."""
    try:
        found = os.stat(folder, follow_symlinks=False)
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            return False
        # A command may have put anything there, also something that waits for ever.
        descriptor = os.open(os.path.join(folder, NOTE), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            note = msgspec.json.decode(os.read(descriptor, NOTE_BYTES_MAX), type=_Note)
        finally:
            os.close(descriptor)
        return note.tasks == tasks and not msgspec.json.decode(note.owner, type=type(ourselves())).is_alive()
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return False
