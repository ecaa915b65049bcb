"""Can a file be opened, and what stands in the way? Never blocks: pipes and devices are recognised before opening."""

import os
import stat
from itertools import islice

from msgspec import Struct

from daedal.tools.errors import Refused
from daedal.tools.sizes import size

LOAD_BYTES_MAX = 104_857_600
"""A file that is changed is held in memory, together with its pre-image."""

NEIGHBOURS_MAX = 2000


class Loaded(Struct, frozen=True):
    """A whole file and how it was when it was read."""

    content: bytes
    stat: os.stat_result

    @property
    def mode(self) -> int:
        return stat.S_IMODE(self.stat.st_mode)


def open_file(path: str, cwd: str) -> tuple[int, os.stat_result]:
    """A descriptor to read an ordinary file from. Raises Refused where there is none, and why."""
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise Refused(_missing(path, cwd)) from error
    _refuse_unless_ordinary(path, found)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    return descriptor, os.fstat(descriptor)


def load(path: str) -> Loaded | None:
    """The whole file, or None where there is none yet. Raises Refused where it can be no file to change."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    except NotADirectoryError as error:
        raise Refused(f"{path} cannot exist, because one of the folders in it is a file.") from error
    if found.st_size > LOAD_BYTES_MAX:
        raise Refused(
            f"{path} has {size(found.st_size)}, above the {size(LOAD_BYTES_MAX)} that can be changed with this"
            " tool, because the old content must be kept. Use a command instead."
        )
    descriptor, found = open_file(path, "")
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        return Loaded(file.read(), found)


def _refuse_unless_ordinary(path: str, found: os.stat_result) -> None:
    mode = found.st_mode
    if stat.S_ISREG(mode):
        return
    if stat.S_ISDIR(mode):
        raise Refused(f"{path} is a directory, not a file. List it with Glob or `ls`.")
    kinds = {stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket"}
    raise Refused(f"{path} is {kinds.get(stat.S_IFMT(mode), 'a device')}, not an ordinary file.")


def _missing(path: str, cwd: str) -> str:
    parent, name = os.path.split(path)
    text = f"File does not exist: {path}."
    if cwd:
        text += f" Note: your current working directory is {cwd}."
    try:
        with os.scandir(parent) as entries:
            neighbours = [entry.name for entry in islice(entries, NEIGHBOURS_MAX)]
    except NotADirectoryError:
        return f"{text} {parent} is not a directory."
    except OSError:
        return f"{text} Its folder {parent} does not exist either."
    import difflib  # only somebody who mistyped a name pays for it

    close = difflib.get_close_matches(name.lower(), {entry.lower() for entry in neighbours}, n=3)
    similar = [entry for entry in neighbours if entry.lower() in close]
    return f"{text} Did you mean {', '.join(sorted(similar))}?" if similar else text
