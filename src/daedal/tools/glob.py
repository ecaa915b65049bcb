"""How does the model find files by name?"""

import os
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.sandbox import Walls, inside, resolve
from daedal.tools.errors import Refused
from daedal.tools.file_tool import FileTool
from daedal.tools.files import is_folder
from daedal.tools.ranking import Ranking
from daedal.tools.ripgrep import Records, Searcher, readable, shortcoming
from daedal.tools.tool import written

RESULTS_MAX = 100
WILDCARDS = frozenset("*?[]{}\\")


class GlobInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pattern: str
    path: str | None = None


class Glob(FileTool[GlobInput]):
    def __init__(self, spec: ToolSpec, walls: Walls, searcher: Searcher) -> None:
        super().__init__(spec, GlobInput, walls)
        self._searcher = searcher

    def names(self, arguments: Mapping[str, Any]) -> list[str]:
        folder = "".join(written(arguments, "path")) or "."
        return [_start(folder, "".join(written(arguments, "pattern")))]

    async def act(self, call: GlobInput, bench: Bench) -> Outcome:
        if not call.pattern or "\0" in call.pattern:
            raise Refused("`pattern` must be a glob pattern such as `**/*.py`.")
        base = self.place_to_search(_start(call.path or ".", call.pattern), bench)
        folder = resolve(call.path or ".", bench.cwd)
        if not os.path.isdir(folder):
            problem = "is not a directory" if os.path.lexists(folder) else "does not exist"
            raise Refused(f"Directory {problem}: {folder}. Note: your current working directory is {bench.cwd}.")
        if not is_folder(base):
            return Outcome(content="No files found")
        found = await self._find(fixed_part(call.pattern)[1], base, resolve(bench.cwd, "/"))
        return replace(found, touched=[base])

    async def _find(self, pattern: str, base: str, cwd: str) -> Outcome:
        where = self._searcher.place_in(base)
        shown_base = os.fsencode(os.path.relpath(base, cwd) if inside(base, (cwd,)) else base)
        oldest = Ranking[tuple[int, bytes]](RESULTS_MAX)
        records = Records(b"\0")

        def take(chunk: bytes) -> bool:
            for path in records.split(chunk):
                if where.shows(path) and (stat := where.stat(path)) is not None:
                    oldest.add((stat.st_mtime_ns, path))
            return True

        options = ["--files", "--null", "--no-ignore", "--glob", pattern]
        finish = await self._searcher.run(options, where, take)
        note = shortcoming(finish, found=oldest.total > 0)
        if oldest.total == 0:
            return Outcome(content=f"No files found{note}")
        paths = [readable(os.path.normpath(os.path.join(shown_base, path))) for _, path in oldest.first()]
        if oldest.total > RESULTS_MAX:
            note = f"\n({RESULTS_MAX} of {oldest.total} files, those changed longest ago; narrow the pattern){note}"
        return Outcome(content="\n".join(paths) + note)


def _start(folder: str, pattern: str) -> str:
    """Where the search begins."""
    if "\0" in folder + pattern:
        return "\0"  # no path at all, and nobody's home folder either
    return os.path.join(os.path.expanduser(folder), fixed_part(pattern)[0])


def fixed_part(pattern: str) -> tuple[str, str]:
    """The folder that a pattern names before its first wildcard, and the rest as ripgrep understands it.

    A pattern without a slash stays as it is and so matches at any depth; the rest of any other starts with a slash,
    which ties it to the folder.
    """
    head, slash, tail = pattern.rpartition("/")
    if not slash:
        return "", f"\\{pattern}" if pattern.startswith("!") else pattern
    folders = head.split("/")
    fixed: list[str] = []
    while folders and not WILDCARDS.intersection(folders[0]):
        fixed.append(folders.pop(0))
    folder = "/".join(fixed) or ("/" if pattern.startswith("/") and fixed else "")
    return os.path.expanduser(folder), "/" + "/".join((*folders, tail))
