"""Who works on this project? One run at a time; the second one says who holds it."""

import errno
import fcntl
import os
import time
from collections.abc import Generator
from contextlib import contextmanager

import msgspec
from msgspec import Struct

from daedal.delivery.errors import Held
from daedal.protocol.catalogue import say

HOLDER_BYTES_MAX = 4_096
ATTEMPTS = 20
PAUSE_S = 0.025
"""Whoever only looks has it for an instant, and leaves no name."""


class Holder(Struct, frozen=True, kw_only=True):
    pid: int
    command: str
    since: str
    host: str = ""


@contextmanager
def held(folder: str, command: str) -> Generator[None]:
    """Raises Held. The system lets go by itself of what a killed process held."""
    os.makedirs(folder, exist_ok=True)
    number = os.open(os.path.join(folder, "lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
    try:
        _take(number)
        holder = Holder(
            pid=os.getpid(), command=command, since=time.strftime("%Y-%m-%d %H:%M:%S"), host=os.uname().nodename
        )
        os.ftruncate(number, 0)
        os.pwrite(number, msgspec.json.encode(holder), 0)
        try:
            yield
        finally:
            os.ftruncate(number, 0)
    finally:
        os.close(number)


def _take(number: int) -> None:
    for attempt in range(ATTEMPTS):
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EACCES):
                raise
            data = os.pread(number, HOLDER_BYTES_MAX, 0)
            if data or attempt == ATTEMPTS - 1:
                raise Held(_sentence(data)) from error
            time.sleep(PAUSE_S)


def holder_of(folder: str) -> Holder | None:
    """Who is at work right now; None where nobody is."""
    try:
        number = os.open(os.path.join(folder, "lock"), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(number, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return None
    except OSError:
        return _holder(os.pread(number, HOLDER_BYTES_MAX, 0))
    finally:
        os.close(number)


def _holder(data: bytes) -> Holder | None:
    try:
        return msgspec.json.decode(data, type=Holder)
    except msgspec.DecodeError:
        return None


def _sentence(data: bytes) -> str:
    holder = _holder(data)
    if holder is None:
        return say("delivery.held_by_somebody")
    return say("delivery.held", command=holder.command, pid=holder.pid, since=holder.since, host=holder.host)
