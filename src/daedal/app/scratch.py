"""Where does output go that nobody keeps? A folder of this process, made when first needed and removed with it."""

import os


def temporary_folder() -> str:
    """The system's temporary folder, symlink-free. (`tempfile` would do, but costs more to import than all of this.)"""
    return os.path.realpath(os.environ.get("TMPDIR") or "/tmp")  # noqa: S108


class Scratch:
    def __init__(self) -> None:
        self._folder = ""

    def folder(self) -> str:
        if not self._folder:
            from tempfile import mkdtemp

            self._folder = mkdtemp(prefix="daedal-", dir=temporary_folder())
        return self._folder

    def close(self) -> None:
        if self._folder:
            from shutil import rmtree

            rmtree(self._folder, ignore_errors=True)
