"""Can a file be opened, and what stands in the way? Never blocks: pipes and devices are recognised before opening."""

import os
import stat

from msgspec import Struct

from daedal.sandbox import Spot, reach
from daedal.tools.errors import Refused
from daedal.tools.sizes import size

LOAD_BYTES_MAX = 33_554_432
"""A file that is changed is held in memory with what it was before, and both are written to the disk at one go."""

CHUNK_BYTES = 1_048_576
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
        with reach(path) as spot:
            try:
                return open_ordinary(spot)
            except FileNotFoundError as error:
                raise Refused(f"{_missing(path, cwd)}{_similar(spot)}") from error
    except FileNotFoundError as error:
        raise Refused(f"{_missing(path, cwd)} Its folder {os.path.dirname(path)} does not exist either.") from error
    except NotADirectoryError as error:
        raise Refused(f"{_missing(path, cwd)} {error.filename} is not a directory.") from error


def load(path: str) -> Loaded | None:
    """The whole file, or None where there is none yet. Raises Refused where it can be no file to change."""
    try:
        with reach(path) as spot:
            descriptor, found = open_ordinary(spot)
    except FileNotFoundError:
        return None
    except NotADirectoryError as error:
        raise Refused(f"{path} cannot exist, because one of the folders in it is a file.") from error
    try:
        # Files in /proc do not tell their size, some of them have no end, and some are read in whole pieces only.
        is_small = found.st_size <= LOAD_BYTES_MAX
        content = read_up_to(descriptor, LOAD_BYTES_MAX + CHUNK_BYTES, expected=found.st_size) if is_small else b""
    finally:
        os.close(descriptor)
    length = max(found.st_size, len(content))
    if length > LOAD_BYTES_MAX:
        raise Refused(
            f"{path} has {size(length)}, above the {size(LOAD_BYTES_MAX)} that can be changed with this tool, because"
            " the old content must be kept. Use a command instead."
        )
    return Loaded(content, found)


def read_up_to(descriptor: int, count: int, *, expected: int = 0) -> bytes:
    """What comes next in the file, to its end or to so many bytes. What is expected comes at once, without a copy."""
    parts: list[bytes] = []
    while count > 0 and (part := os.read(descriptor, min(count, max(CHUNK_BYTES, expected)))):
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def open_ordinary(spot: Spot, flags: int = os.O_RDONLY) -> tuple[int, os.stat_result]:
    """A descriptor of an ordinary file. Raises Refused for anything else: opening a device may already do something."""
    refuse_unless_ordinary(spot.path, spot.stat())
    descriptor = spot.open(flags)
    try:
        found = os.fstat(descriptor)
        refuse_unless_ordinary(spot.path, found)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor, found


def refuse_unless_ordinary(path: str, found: os.stat_result) -> None:
    mode = found.st_mode
    if stat.S_ISREG(mode):
        return
    if stat.S_ISDIR(mode):
        raise Refused(f"{path} is a directory, not a file. List it with Glob or `ls`.")
    kinds = {stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket"}
    raise Refused(f"{path} is {kinds.get(stat.S_IFMT(mode), 'a device')}, not an ordinary file.")


def is_folder(path: str) -> bool:
    """Raises Refused for what is neither a folder nor an ordinary file: a search would wait at a pipe."""
    try:
        with reach(path) as spot:
            found = spot.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    if stat.S_ISDIR(found.st_mode):
        return True
    refuse_unless_ordinary(path, found)
    return False


def _missing(path: str, cwd: str) -> str:
    return f"File does not exist: {path}." + (f" Note: your current working directory is {cwd}." if cwd else "")


def _similar(spot: Spot) -> str:
    try:
        neighbours = spot.neighbours(NEIGHBOURS_MAX)
    except OSError:
        return ""  # a folder that can be passed through, but not listed
    import difflib  # only somebody who mistyped a name pays for it

    name = os.path.basename(spot.path)
    close = difflib.get_close_matches(name.lower(), {entry.lower() for entry in neighbours}, n=3)
    similar = [entry for entry in neighbours if entry.lower() in close]
    return f" Did you mean {', '.join(sorted(similar))}?" if similar else ""
