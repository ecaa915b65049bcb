"""How does a file get new content, so that at every instant it has either the old or the new one?

The new content goes to a file beside it, to the disk, and then takes the name. Where that would break more than
it protects (several hard links, a folder we may not write to, somebody else's file) it is written in place.
"""

import errno
import os

from daedal.tools.errors import Refused
from daedal.tools.files import Loaded

KEPT_ATTRIBUTES = ("user.", "system.posix_acl_access")


def replace_file(path: str, content: bytes, before: Loaded | None) -> os.stat_result:
    """Writes the file, durably, and returns how it is now. Raises Refused where it changed since `before`."""
    _refuse_if_changed(path, before)
    parent = os.path.dirname(path)
    if before is None:
        os.makedirs(parent, exist_ok=True)
    elif before.stat.st_nlink > 1:
        return _write_in_place(path, content, before)
    beside = os.path.join(parent, f".daedal-{os.urandom(6).hex()}.tmp")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    except OSError as error:
        if before is None or error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise
        return _write_in_place(path, content, before)
    try:
        with os.fdopen(descriptor, "wb", buffering=0) as file:
            if before is not None and not _take_after(file.fileno(), path, before):
                return _write_in_place(path, content, before)
            _write_all(file.fileno(), content)
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        if os.path.lexists(beside):
            os.unlink(beside)
    _sync_folder(parent)
    return os.stat(path)


def _refuse_if_changed(path: str, before: Loaded | None) -> None:
    """Between reading the old content and now the pre-image was stored, and somebody may have been quicker."""
    try:
        now = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        is_same = before is None
    else:
        is_same = before is not None and _identity(now) == _identity(before.stat)
    if not is_same:
        raise Refused(f"{path} was changed by somebody else just now. Read it again, then repeat the change.")


def _identity(stat: os.stat_result) -> tuple[int, int, int]:
    return stat.st_ino, stat.st_mtime_ns, stat.st_size


def _take_after(descriptor: int, path: str, before: Loaded) -> bool:
    """Gives the new file owner, mode and attributes of the old; False where it cannot be given them."""
    new = os.fstat(descriptor)
    try:
        if (new.st_uid, new.st_gid) != (before.stat.st_uid, before.stat.st_gid):
            os.fchown(descriptor, before.stat.st_uid, before.stat.st_gid)
        os.fchmod(descriptor, before.mode)
        if hasattr(os, "listxattr"):
            for name in os.listxattr(path):
                if name.startswith(KEPT_ATTRIBUTES):
                    os.setxattr(descriptor, name, os.getxattr(path, name))
    except PermissionError:
        return False
    except OSError as error:
        return error.errno == errno.ENOTSUP
    return True


def _write_in_place(path: str, content: bytes, before: Loaded) -> os.stat_result:
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
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


def _sync_folder(folder: str) -> None:
    """The new name is in the folder, so the folder has to reach the disk too."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError:
        pass  # some file systems cannot sync a folder; the content itself is safe
    finally:
        os.close(descriptor)
