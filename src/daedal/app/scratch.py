"""Where does output go that nobody keeps? A folder of this process, made when first needed and removed with it.

Whoever makes one also removes those of processes that were killed.
"""

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

            from daedal.app.sweeping import PREFIX, sign, sweep
            from daedal.config import tasks_path

            place, tasks = temporary_folder(), tasks_path()
            sweep(place, tasks)
            self._folder = mkdtemp(prefix=PREFIX, dir=place)
            sign(self._folder, tasks)
        return self._folder

    def close(self) -> None:
        if self._folder:
            from shutil import rmtree

            rmtree(self._folder, ignore_errors=True)
