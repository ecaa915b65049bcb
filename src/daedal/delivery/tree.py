"""What does the project's content look like right now? A digest of every file, and one of them all.

Left out are Daedal's own files, git's, and by-products of tools: a test run that writes a cache has changed nothing.
"""

import os
import stat
from collections.abc import Iterable, Mapping
from hashlib import sha256
from threading import Lock

from msgspec import Struct

from daedal.config import read_ordinary

BY_PRODUCTS = frozenset(
    {
        ".git", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".tox", ".nox", ".venv",
        "venv", "node_modules", ".coverage", ".nyc_output", ".cache", ".DS_Store",
    }
)  # fmt: skip
IF_IGNORED = frozenset(
    {"build", "dist", "target", "out", "coverage", "htmlcov", ".next", ".nuxt", "vendor", "tmp", "logs"}
)
"""Left out where the project's own .gitignore names them; some projects keep sources under such a name."""
FILE_BYTES_MAX = 64 * 1024 * 1024
FILES_MAX = 200_000


class Content(Struct, frozen=True):
    files: dict[str, str]
    """Digest by path."""
    digest: str
    newest_ms: float = 0.0
    """When a file was changed last."""


class Tree:
    """Looks at one project again and again; what did not change on disk is not read again."""

    def __init__(self, project: str) -> None:
        self._project = project
        self._known: dict[str, tuple[tuple[int, ...], str]] = {}
        self._lock = Lock()
        """It remembers what it saw; two looks at once would mix that up."""

    def look(self) -> Content:
        """Blocks for as long as the disk needs."""
        with self._lock:
            return self._look()

    def digests(self, paths: Iterable[str]) -> dict[str, str]:
        """Of these files alone, as far as they are there."""
        found: dict[str, str] = {}
        with self._lock:
            for path in paths:
                try:
                    found[path] = self._known_digest(path, os.lstat(os.path.join(self._project, path)), self._known)
                except OSError:
                    continue
        return found

    def _look(self) -> Content:
        left_out = BY_PRODUCTS | self._ignored()
        known, files, newest_ns = self._known, dict[str, str](), 0
        self._known = {}
        for path, status in _walk(self._project, left_out):
            newest_ns = max(newest_ns, status.st_ctime_ns)
            files[path] = self._known_digest(path, status, known)
        whole = sha256()
        for path in sorted(files):
            whole.update(f"{path}\0{files[path]}\n".encode("utf-8", "surrogateescape"))
        return Content(files, whole.hexdigest(), newest_ns / 1e6)

    def _known_digest(self, path: str, status: os.stat_result, known: Mapping[str, tuple[tuple[int, ...], str]]) -> str:
        mark = (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino, status.st_mode)
        before = known.get(path)
        digest = before[1] if before and before[0] == mark else self._digest(path, status)
        self._known[path] = (mark, digest)
        return digest

    def _digest(self, path: str, status: os.stat_result) -> str:
        full = os.path.join(self._project, path)
        try:
            if stat.S_ISLNK(status.st_mode):
                return sha256(b"link\0" + os.fsencode(os.readlink(full))).hexdigest()
            if not stat.S_ISREG(status.st_mode):
                return "special"
            if status.st_size > FILE_BYTES_MAX:
                return f"{status.st_size}-{status.st_mtime_ns}"
            data = read_ordinary(full, bytes_max=FILE_BYTES_MAX).data
        except OSError:
            return "unreadable"
        # Whether a file can be run is part of what it does.
        return sha256((b"x\0" if status.st_mode & 0o100 else b"-\0") + data).hexdigest()

    def _ignored(self) -> frozenset[str]:
        try:
            data = read_ordinary(os.path.join(self._project, ".gitignore"), bytes_max=1_048_576).data
        except OSError:
            return frozenset()
        named = {line.strip().strip("/") for line in data.decode("utf-8", "replace").splitlines()}
        return IF_IGNORED & named


def _walk(project: str, left_out: frozenset[str]) -> list[tuple[str, os.stat_result]]:
    found: list[tuple[str, os.stat_result]] = []
    folders = [""]
    while folders and len(found) < FILES_MAX:
        folder = folders.pop()
        try:
            with os.scandir(os.path.join(project, folder)) as entries:
                for entry in entries:
                    if entry.name in left_out or (not folder and entry.name.startswith(".daedal")):
                        continue
                    path = os.path.join(folder, entry.name)
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(path)
                    else:
                        found.append((path, entry.stat(follow_symlinks=False)))
        except OSError:
            continue  # Gone, or closed to us, while we looked.
    return found
