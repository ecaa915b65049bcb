"""Which folders does the user trust, and with which content? `~/.daedal/trust.json`, for nobody else's eyes.

Several processes may change it at the same time: each takes a lock, reads, and replaces the file as a whole.
"""

import os
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager

import msgspec
from msgspec import Struct

from daedal.config.reading import read_text
from daedal.config.writing import replace_file
from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

_LOCK_WAIT_S = 5.0
_LOCK_STEP_S = 0.01


class TrustedFolder(Struct, frozen=True):
    trusted_at: str
    files: dict[str, str]
    """Path from the folder → SHA-256 of what the person saw."""


class _Contents(Struct):
    version: int = 1
    folders: dict[str, TrustedFolder] = {}


class TrustFile:
    def __init__(self, path: str) -> None:
        self._path = path

    def folders(self) -> dict[str, TrustedFolder]:
        """Raises ConfigurationError where the file says nothing sensible: then nothing is trusted."""
        return self._read().folders

    def trust(self, root: str, files: Mapping[str, str]) -> None:
        """Adds to what is trusted of the folder, so that each of its subfolders may have settings of its own."""
        with self._locked():
            contents = self._read()
            known = contents.folders.get(root)
            merged = {**(known.files if known else {}), **files}
            contents.folders[root] = TrustedFolder(time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime()), merged)
            self._write(contents)

    def revoke(self, root: str) -> bool:
        """Whether there was anything to take back."""
        with self._locked():
            contents = self._read()
            if contents.folders.pop(root, None) is None:
                return False
            self._write(contents)
            return True

    def _read(self) -> _Contents:
        text = read_text(self._path)
        try:
            return _Contents() if text is None else msgspec.json.decode(text, type=_Contents)
        except (msgspec.DecodeError, RecursionError) as error:
            raise ConfigurationError(say("config.trust.unreadable", path=self._path, reason=error)) from error

    def _write(self, contents: _Contents) -> None:
        replace_file(self._path, msgspec.json.format(msgspec.json.encode(contents)) + b"\n")

    @contextmanager
    def _locked(self) -> Generator[None]:
        import fcntl

        descriptor = self._open_lock()
        try:
            deadline = time.monotonic() + _LOCK_WAIT_S
            while True:
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() >= deadline:
                        raise ConfigurationError(say("config.trust.locked", path=self._path)) from None
                    time.sleep(_LOCK_STEP_S)
            yield
        finally:
            os.close(descriptor)

    def _open_lock(self) -> int:
        lock = self._path + ".lock"
        try:
            os.makedirs(os.path.dirname(lock), mode=0o700, exist_ok=True)
            return os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise ConfigurationError(say("config.unwritable", path=lock, reason=error.strerror)) from error
