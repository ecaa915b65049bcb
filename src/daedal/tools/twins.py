"""Is a file one that nobody may read, by another name? A hard link is no path to be judged: only the file can tell."""

import os
import stat
from collections.abc import Sequence
from itertools import islice

LOOKED_AT_MAX = 10_000
"""Files in one closed folder."""


def is_twin(path: str, closed: Sequence[str]) -> bool:
    """`closed` are files, and folders of which only what lies directly in them is known. Most files have one name."""
    try:
        found = os.stat(path, follow_symlinks=False)
    except OSError:
        return False  # whoever opens it then says why it cannot be
    if found.st_nlink == 1 or not stat.S_ISREG(found.st_mode):
        return False
    return any(_holds(place, found) for place in closed)


def _holds(place: str, found: os.stat_result) -> bool:
    try:
        status = os.stat(place)
        if not stat.S_ISDIR(status.st_mode):
            return os.path.samestat(status, found)
        if status.st_dev != found.st_dev:
            return False
        with os.scandir(place) as entries:
            return any(entry.inode() == found.st_ino for entry in islice(entries, LOOKED_AT_MAX))
    except OSError:
        return False
