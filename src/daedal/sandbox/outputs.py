"""Is the file that a command prints to still the one that was made for it? Read and removed here by its name.

It lies where commands may write, so anything may stand in its place: a link, a pipe, a second name of another file.
"""

import os
import stat

from daedal.sandbox.opening import reach
from daedal.sandbox.spool import Excerpt, read_spool

OUTPUT = ".output"
"""How the file is called after the command's id."""


def read_output(path: str, since: int, bytes_max: int) -> Excerpt:
    """What was printed after the position, the newest of it where that is too much. Raises OSError."""
    with reach(os.path.abspath(path)) as spot:
        descriptor = spot.open(os.O_RDONLY)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_nlink != 1:
            raise PermissionError(1, "something else was put in its place", path)
        return read_spool(descriptor, since, bytes_max)
    finally:
        os.close(descriptor)


def remove_output(path: str, name: str) -> None:
    """With its folder, where that was made for it alone. Nothing happens where it is called otherwise."""
    folder, called = os.path.split(os.path.abspath(path))
    if called != name:
        return
    try:
        with reach(os.path.join(folder, name)) as spot:
            spot.remove_beside(name)
        with reach(folder) as spot:
            spot.remove_folder()
    except OSError:
        pass  # the system has cleaned up before us, or more lies there
