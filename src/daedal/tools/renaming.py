"""How does a thing get another name without ever taking that of another thing? In one step of the kernel's."""

import ctypes
import errno
import os
import sys

RENAME_NOREPLACE = 1
RENAME_EXCL = 4
"""The same by the name that macOS has for it."""

NOT_KNOWN = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP)
"""A kernel or a file system that has no such step."""


def rename(source: str, source_folder: int, destination: str, destination_folder: int) -> None:
    """Both names in folders that are held open; links are not followed. Raises OSError, FileExistsError among them."""
    name, flags = ("renameatx_np", RENAME_EXCL) if sys.platform == "darwin" else ("renameat2", RENAME_NOREPLACE)
    call = getattr(ctypes.CDLL(None, use_errno=True), name, None)
    code = errno.ENOSYS
    if call is not None:
        if call(source_folder, os.fsencode(source), destination_folder, os.fsencode(destination), flags) == 0:
            return
        code = ctypes.get_errno()
    if code not in NOT_KNOWN:
        raise OSError(code, os.strerror(code), destination)
    if _is_there(destination, destination_folder):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), destination)
    os.rename(source, destination, src_dir_fd=source_folder, dst_dir_fd=destination_folder)


def _is_there(name: str, folder: int) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True
