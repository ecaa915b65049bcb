"""Where does a benchmark work? A folder of its own that is gone afterwards.

Not in the system's temporary folder, which is memory on some machines, where a commit would cost nothing, and in which
Codex declines to set up its home.
"""

import os
import py_compile
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOTES = "".join(f"{number:02}: the quick brown fox jumps over the lazy dog by the river\n" for number in range(1, 11))


class Scratch:
    """The project that contestants work in, and their homes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.project = folder / "project"
        self.project.mkdir()
        self.notes = self.project / "notes.txt"
        self.notes.write_text(NOTES)
        self.floor = folder / "floor.pyc"
        # The others are byte-compiled as well; as a plain script the floor would be compiled at every start.
        py_compile.compile(str(ROOT / "bench" / "floor.py"), cfile=str(self.floor), doraise=True)

    def home(self, name: str) -> Path:
        """A home by that name, made at first use."""
        home = self.folder / f"home-{name}"
        home.mkdir(exist_ok=True)
        return home

    def fresh_home(self, name: str) -> Path:
        shutil.rmtree(self.folder / f"home-{name}", ignore_errors=True)
        return self.home(name)


@contextmanager
def scratch() -> Generator[Scratch, None, None]:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    cache.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="daedal-bench-", dir=cache))
    try:
        yield Scratch(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
