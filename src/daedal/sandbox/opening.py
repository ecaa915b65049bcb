"""How is a path opened, so that what was judged is what is opened? Folder by folder, never through a link.

A path is resolved and judged as text; meanwhile anybody may put a link in its place. So nothing is opened by its whole
path here: each folder is opened from the one before it, and whatever turns out to be a link ends the walk. What is then
done to the last name is done in a folder that is held open, wherever that folder's name may point by now.

Hard links cannot be told: a second name of a file outside is an ordinary file inside.
"""

import errno
import os
import stat
from collections.abc import Callable
from itertools import islice
from types import TracebackType

_FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_PASSING = _FOLDER | getattr(os, "O_PATH", os.O_RDONLY)
"""To go through a folder it need not be readable, where the system knows that difference."""

_FILE = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
"""A pipe that took the file's name must not make anybody wait."""

PATH_BYTES_MAX = 4096
"""What is longer could be reached folder by folder, but links in it are not seen when it is resolved."""

LINKS = "it leads through symbolic links that go in circles or were put there just now"

OUTSIDE = "the folder does not exist, and may not be made outside what may be written"


class Spot:
    """A name in a folder that is held open."""

    def __init__(self, path: str, folder: int, name: str) -> None:
        self.path = path
        self._folder = folder
        self._name = name

    def __enter__(self) -> "Spot":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._folder)

    def stat(self) -> os.stat_result:
        """Of what is there. Raises OSError, also for a link: a resolved path has none."""
        try:
            found = os.stat(self._name, dir_fd=self._folder, follow_symlinks=False)
        except OSError as error:
            raise _at(self.path, error) from error
        if stat.S_ISLNK(found.st_mode):
            raise _diverted(self.path)
        return found

    def open(self, flags: int) -> int:
        """A descriptor of what is there already."""
        try:
            return os.open(self._name, flags | _FILE, dir_fd=self._folder)
        except OSError as error:
            raise _at(self.path, error) from error

    def create(self) -> int:
        """A descriptor of a new file that only its owner may read and write."""
        try:
            return os.open(self._name, os.O_RDWR | os.O_CREAT | os.O_EXCL | _FILE, 0o600, dir_fd=self._folder)
        except OSError as error:
            raise _at(self.path, error) from error

    def create_beside(self, name: str) -> int:
        """A descriptor to write a new file of another name in the same folder with."""
        try:
            return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FILE, 0o666, dir_fd=self._folder)
        except OSError as error:
            raise _at(self.path, error) from error

    def take_from(self, name: str) -> None:
        """Gives the name to the file beside it; what had it, a link too, is replaced and not followed."""
        try:
            os.replace(name, self._name, src_dir_fd=self._folder, dst_dir_fd=self._folder)
        except OSError as error:
            raise _at(self.path, error) from error

    def remove_beside(self, name: str) -> None:
        try:
            os.unlink(name, dir_fd=self._folder)
        except FileNotFoundError:
            pass  # it has taken the name

    def remove_folder(self) -> None:
        """Raises OSError where it is not an empty folder."""
        os.rmdir(self._name, dir_fd=self._folder)

    def sync(self) -> None:
        """A new name is in the folder, so the folder has to reach the disk too."""
        try:
            folder = os.open(".", os.O_RDONLY | _FOLDER, dir_fd=self._folder)
        except OSError:
            return  # a folder that takes files without showing them
        try:
            os.fsync(folder)
        except OSError:
            pass  # some file systems cannot sync a folder; the content itself is safe
        finally:
            os.close(folder)

    def neighbours(self, count_max: int) -> list[str]:
        """Some names in the same folder."""
        folder = os.open(".", os.O_RDONLY | _FOLDER, dir_fd=self._folder)
        try:
            with os.scandir(folder) as entries:
                return [entry.name for entry in islice(entries, count_max)]
        finally:
            os.close(folder)


def reach(path: str, *, may_make: Callable[[str], bool] | None = None) -> Spot:
    """The place of a resolved path. Folders that are missing are made where `may_make` agrees to each of them.

    Raises OSError where a folder is missing, is no folder, or is a link.
    """
    if len(os.fsencode(path)) >= PATH_BYTES_MAX:
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), f"{path[:80]}…")
    if path != os.path.normpath(path) or not os.path.isabs(path):
        raise ValueError(f"only a resolved path can have been judged, not {path!r}")
    parent, name = os.path.split(path)
    return Spot(path, _enter(parent, may_make), name or ".")


def _enter(path: str, may_make: Callable[[str], bool] | None) -> int:
    folder = os.open("/", _PASSING)
    gone = ""
    try:
        for name in filter(None, path.split("/")):
            gone = f"{gone}/{name}"
            below = _step(folder, name, gone, may_make)
            os.close(folder)
            folder = below
    except BaseException:
        os.close(folder)
        raise
    return folder


def _step(folder: int, name: str, path: str, may_make: Callable[[str], bool] | None) -> int:
    try:
        return os.open(name, _PASSING, dir_fd=folder)
    except FileNotFoundError as error:
        if may_make is None:
            raise _at(path, error) from error
        if not may_make(path):
            raise PermissionError(errno.EACCES, OUTSIDE, path) from error
    except OSError as error:
        if error.errno in (errno.ENOTDIR, errno.ELOOP) and _is_link(folder, name):
            raise _diverted(path) from error
        raise _at(path, error) from error
    try:
        os.mkdir(name, dir_fd=folder)
    except FileExistsError:
        pass  # somebody was quicker; what they made is looked at in the next step
    return _step(folder, name, path, None)


def _is_link(folder: int, name: str) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return True  # it is something else every time one looks


def _diverted(path: str) -> OSError:
    return OSError(errno.ELOOP, LINKS, path)


def _at(path: str, error: OSError) -> OSError:
    """The same error with the whole path in it, not only the name."""
    if error.errno == errno.ELOOP:
        return _diverted(path)
    return OSError(error.errno, error.strerror, path)
