"""How does a file get new content, so that at every instant it has either the old or the new one?

The new content goes to a file beside it, to the disk, and then takes the name, all in one folder that is held open.
Where that would break more than it protects (several hard links, a folder we may not write to, somebody else's file)
it is written in place.
"""

import errno
import os
from collections.abc import Callable

from daedal.sandbox import Spot, reach
from daedal.tools.errors import Refused
from daedal.tools.files import Loaded, open_ordinary

KEPT_ATTRIBUTES = ("user.", "system.posix_acl_access")


def replace_file(path: str, content: bytes, before: Loaded | None, may_make: Callable[[str], bool]) -> os.stat_result:
    """Writes the file, durably, and returns how it is now. Missing folders are made where `may_make` agrees.

    Raises Refused where it changed since `before`.
    """
    try:
        spot = reach(path, may_make=may_make if before is None else None)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise _changed(path) from error
    with spot:
        _refuse_if_changed(spot, before)
        if before is not None and before.stat.st_nlink > 1:
            return _write_in_place(spot, content, before)
        beside = f".daedal-{os.urandom(6).hex()}.tmp"
        try:
            descriptor = spot.create_beside(beside)
        except OSError as error:
            if before is None or error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
                raise
            return _write_in_place(spot, content, before)
        try:
            return _put(spot, descriptor, beside, content, before)
        finally:
            os.close(descriptor)
            spot.remove_beside(beside)


def _put(spot: Spot, descriptor: int, beside: str, content: bytes, before: Loaded | None) -> os.stat_result:
    if before is not None and not _take_after(descriptor, spot, before):
        return _write_in_place(spot, content, before)
    _write_all(descriptor, content)
    os.fsync(descriptor)
    spot.take_from(beside)
    spot.sync()
    return os.fstat(descriptor)


def _refuse_if_changed(spot: Spot, before: Loaded | None) -> None:
    """Between reading the old content and now the pre-image was stored, and somebody may have been quicker."""
    try:
        now = spot.stat()
    except FileNotFoundError:
        is_same = before is None
    else:
        is_same = before is not None and _identity(now) == _identity(before.stat)
    if not is_same:
        raise _changed(spot.path)


def _changed(path: str) -> Refused:
    return Refused(f"{path} was changed by somebody else just now. Read it again, then repeat the change.")


def _identity(stat: os.stat_result) -> tuple[int, int, int, int]:
    return stat.st_dev, stat.st_ino, stat.st_mtime_ns, stat.st_size


def _open_same(spot: Spot, flags: int, before: Loaded) -> int:
    """A descriptor of the very file that was read before."""
    descriptor, now = open_ordinary(spot, flags)
    if _identity(now) != _identity(before.stat):
        os.close(descriptor)
        raise _changed(spot.path)
    return descriptor


def _take_after(descriptor: int, spot: Spot, before: Loaded) -> bool:
    """Gives the new file owner, mode and attributes of the old; False where it cannot be given them."""
    new = os.fstat(descriptor)
    try:
        if (new.st_uid, new.st_gid) != (before.stat.st_uid, before.stat.st_gid):
            os.fchown(descriptor, before.stat.st_uid, before.stat.st_gid)
        os.fchmod(descriptor, before.mode)
        if hasattr(os, "listxattr"):
            _copy_attributes(descriptor, spot, before)
    except PermissionError:
        return False
    except OSError as error:
        return error.errno == errno.ENOTSUP
    return True


def _copy_attributes(descriptor: int, spot: Spot, before: Loaded) -> None:
    old = _open_same(spot, os.O_RDONLY, before)
    try:
        for name in os.listxattr(old):
            if name.startswith(KEPT_ATTRIBUTES):
                os.setxattr(descriptor, name, os.getxattr(old, name))
    finally:
        os.close(old)


def _write_in_place(spot: Spot, content: bytes, before: Loaded) -> os.stat_result:
    descriptor = _open_same(spot, os.O_WRONLY, before)
    try:
        try:
            _write_all(descriptor, content)
        except OSError:
            os.lseek(descriptor, 0, os.SEEK_SET)
            _write_all(descriptor, before.content)
            raise
        os.ftruncate(descriptor, len(content))
        os.fsync(descriptor)
        return os.fstat(descriptor)
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
