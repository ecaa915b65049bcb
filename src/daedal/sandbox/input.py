"""What does a process read from its standard input? A file without a name, so nobody has to feed it while it runs."""

import os
import sys

from daedal.sandbox.errors import SpawnFailed


def open_input(content: bytes | None) -> int:
    """A descriptor from which `content` is read, once and from its start; None is nothing at all. Raises SpawnFailed.

    A pipe would have to be filled while the process drains it, and would break where the process does not care to.
    """
    try:
        if not content:
            return os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
        descriptor = _unnamed_file()
        try:
            _fill(descriptor, content)
        except OSError:
            os.close(descriptor)
            raise
        return descriptor
    except OSError as error:
        raise SpawnFailed(f"cannot hand over the input of a command: {error.strerror}") from error


def _fill(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.lseek(descriptor, 0, os.SEEK_SET)


def _unnamed_file() -> int:
    if sys.platform == "linux":
        return os.memfd_create("daedal-input")
    import tempfile

    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
