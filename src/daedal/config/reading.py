"""How is a file read that somebody else may have prepared? Only an ordinary file, only so much of it, never waiting.

A repository can hold a FIFO where a settings file is expected; opening that would wait for ever.
"""

import errno
import os
import stat

from msgspec import Struct

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

TEXT_BYTES_MAX = 1_048_576

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


class Contents(Struct, frozen=True):
    data: bytes
    size: int
    """Of the whole file; larger than the data where that was cut off."""


def read_ordinary(path: str, *, bytes_max: int) -> Contents:
    """At most the first `bytes_max` bytes. Raises OSError, also for folders, FIFOs and devices."""
    _require_ordinary(os.stat(path))
    with os.fdopen(os.open(path, _FLAGS), "rb") as file:
        # Again: the name may have been given to something else in between.
        _require_ordinary(os.fstat(file.fileno()))
        data = file.read(bytes_max + 1)
        size = max(os.fstat(file.fileno()).st_size, len(data))
    return Contents(data[:bytes_max], size)


def read_text(path: str) -> str | None:
    """The file's text without a byte order mark; None where there is no file. Raises ConfigurationError."""
    try:
        contents = read_ordinary(path, bytes_max=TEXT_BYTES_MAX)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigurationError(say("config.unreadable", path=path, reason=error.strerror)) from error
    if contents.size > TEXT_BYTES_MAX:
        raise ConfigurationError(say("config.too_large", path=path, limit=TEXT_BYTES_MAX))
    return decoded(contents.data, path)


def decoded(data: bytes, path: str) -> str:
    """The text without a byte order mark. Raises ConfigurationError."""
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigurationError(say("config.not_utf8", path=path, line=line)) from error


def _require_ordinary(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, say("config.not_ordinary"))
