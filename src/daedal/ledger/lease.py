"""Who drives a session? Whoever holds its lease: a lock on one byte of a file beside the database.

The byte's place comes from the session's id, so one file serves all sessions. The kernel gives a lock back when its
process dies, however it dies. POSIX locks have two habits that shape this file: they do not stop the process that holds
them, and closing any descriptor of the file drops all of them. So each process has one descriptor per lease file, and a
list of what it holds itself.
"""

import os
import sys
import threading

from daedal.ledger.errors import translated_os
from daedal.protocol.catalogue import say
from daedal.protocol.errors import LedgerBusy

_files: dict[str, "_LeaseFile"] = {}
# Guards `_files` and what each of them holds: leases are taken and given back from any thread.
_guard = threading.Lock()


class _LeaseFile:
    """One lease file as this process has it open."""

    def __init__(self, path: str) -> None:
        self.descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self.held: set[int] = set()


class SessionLease:
    """The right to drive one session, until it is released."""

    def __init__(self, path: str, offset: int) -> None:
        self._path = path
        self._offset = offset
        self._is_held = True

    def release(self) -> None:
        import fcntl

        with _guard:
            if not self._is_held:
                return
            self._is_held = False
            file = _files[self._path]
            file.held.discard(self._offset)
            fcntl.lockf(file.descriptor, fcntl.LOCK_UN, 1, self._offset)
            _close_if_idle(self._path)


def take_lease(database_path: str, session_id: str) -> SessionLease:
    """Raises LedgerBusy when somebody drives the session already."""
    path = database_path + "-lease"
    offset = _offset(session_id)
    with _guard:
        try:
            if path not in _files:
                _files[path] = _LeaseFile(path)
            _lock(_files[path], session_id, offset)
        except OSError as error:
            raise translated_os(error, path) from error
        finally:
            _close_if_idle(path)
    return SessionLease(path, offset)


def holder_of(database_path: str, session_id: str) -> int | None:
    """Which other process drives the session: 0 where the kernel does not say which, None where there is none."""
    path = database_path + "-lease"
    with _guard:
        if path not in _files and not os.path.exists(path):
            return None
        try:
            # The one descriptor that this process has of it: closing another would drop all that it holds.
            if path not in _files:
                _files[path] = _LeaseFile(path)
            held, pid = _asked(_files[path].descriptor, _offset(session_id))
            return max(pid, 0) if held else None
        except OSError as error:
            raise translated_os(error, path) from error
        finally:
            _close_if_idle(path)


def _lock(file: _LeaseFile, session_id: str, offset: int) -> None:
    import fcntl

    if offset in file.held:
        raise LedgerBusy(say("ledger.session_driven_here", session=session_id))
    try:
        fcntl.lockf(file.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, offset)
    except (BlockingIOError, PermissionError) as error:
        pid = _holder(file.descriptor, offset)
        sentence = "ledger.session_driven" if pid > 0 else "ledger.session_driven_unnamed"
        raise LedgerBusy(say(sentence, session=session_id, pid=pid)) from error
    file.held.add(offset)


def _close_if_idle(path: str) -> None:
    file = _files.get(path)
    if file is not None and not file.held:
        os.close(file.descriptor)
        del _files[path]


def _offset(session_id: str) -> int:
    """One of 2**62 bytes. Two sessions on one byte are less likely than a broken disk, and would only take turns."""
    try:
        # The low bits of a UUIDv7 are random. Whatever else an operator called a session is hashed.
        return int(session_id.replace("-", "")[-15:], 16)
    except ValueError:
        from zlib import crc32

        raw = session_id.encode("utf-8", "surrogatepass")
        return (crc32(raw) << 30) ^ crc32(raw[::-1], 0x9E3779B9)


def _holder(descriptor: int, offset: int) -> int:
    """The process that holds the byte; 0 or less where the kernel does not say, as across containers."""
    return _asked(descriptor, offset)[1]


def _asked(descriptor: int, offset: int) -> tuple[bool, int]:
    """Whether another process holds the byte, and which."""
    import fcntl
    import struct

    if sys.platform == "darwin":
        layout, question = "qqihh", (offset, 1, 0, fcntl.F_WRLCK, os.SEEK_SET)
        place, kind = 2, 3
    else:
        layout, question = "hhqqi4x", (fcntl.F_WRLCK, os.SEEK_SET, offset, 1, 0)
        place, kind = 4, 0
    answer = fcntl.fcntl(descriptor, fcntl.F_GETLK, struct.pack(layout, *question))
    told = struct.unpack(layout, answer)
    return told[kind] != fcntl.F_UNLCK, told[place]
