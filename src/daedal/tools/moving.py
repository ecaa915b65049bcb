"""What is in a thing that is about to be moved? Looked at folder by folder, never through a link, and within bounds."""

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager

from msgspec import Struct

from daedal.sandbox import reach
from daedal.tools.errors import Refused
from daedal.tools.files import refuse_unless_ordinary
from daedal.tools.sizes import size

ENTRIES_MAX = 500
KEPT_BYTES_MAX = 104_857_600
"""Each of them is kept before the move, on disk."""

_FOLDER = os.O_DIRECTORY | getattr(os, "O_PATH", os.O_RDONLY)


class Entry(Struct, frozen=True):
    below: str
    """Where it lies, from the top: empty for the top itself, else with a slash in front."""
    mode: int
    inode: int
    modified_ns: int
    size: int


@contextmanager
def folder_of(path: str) -> Generator[int]:
    """A descriptor of the folder in which a resolved path has its last name."""
    with reach(os.path.dirname(path)) as spot:
        descriptor = spot.open(_FOLDER)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def survey(path: str) -> list[Entry]:
    """The top, and below it everything, sorted. Raises Refused where that is too much or not of a kind to be kept."""
    entries: list[Entry] = []
    name = os.path.basename(path)
    with folder_of(path) as folder:
        entries.append(_entry("", path, os.stat(name, dir_fd=folder, follow_symlinks=False)))
        if stat.S_ISDIR(entries[0].mode):
            for root, folders, files, descriptor in os.fwalk(name, dir_fd=folder, onerror=_raise):
                for each in (*folders, *files):
                    below = f"{root[len(name) :]}/{each}"
                    found = os.stat(each, dir_fd=descriptor, follow_symlinks=False)
                    entries.append(_entry(below, path + below, found))
                    _refuse_too_much(path, entries)
    return sorted(entries, key=lambda entry: entry.below)


def link_target(path: str) -> bytes:
    with folder_of(path) as folder:
        return os.fsencode(os.readlink(os.path.basename(path), dir_fd=folder))


def changed(path: str) -> Refused:
    return Refused(f"{path} was changed by somebody else just now, and not moved. Look at it, then repeat the call.")


def _entry(below: str, path: str, found: os.stat_result) -> Entry:
    if not stat.S_ISDIR(found.st_mode) and not stat.S_ISLNK(found.st_mode):
        refuse_unless_ordinary(path, found)
    return Entry(below, found.st_mode, found.st_ino, found.st_mtime_ns, found.st_size)


def _refuse_too_much(path: str, entries: list[Entry]) -> None:
    is_much = sum(entry.size for entry in entries if stat.S_ISREG(entry.mode)) > KEPT_BYTES_MAX
    if len(entries) > ENTRIES_MAX or is_much:
        raise Refused(
            f"{path} holds more than {ENTRIES_MAX} entries or {size(KEPT_BYTES_MAX)}, too much to be kept so that the"
            " move could be undone. Move it with a command (`mv`), or in parts."
        )


def _raise(error: OSError) -> None:
    raise error
