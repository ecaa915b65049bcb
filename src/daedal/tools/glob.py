"""How does the model find files by name?"""

import os
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.sandbox import inside, resolve
from daedal.tools.errors import Refused
from daedal.tools.ranking import Ranking
from daedal.tools.ripgrep import Place, Records, Searcher, readable, shortcoming
from daedal.tools.tool import BuiltinTool, place, written

RESULTS_MAX = 100
WILDCARDS = frozenset("*?[]{}\\")


class GlobInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pattern: str
    path: str | None = None


class Glob(BuiltinTool[GlobInput]):
    def __init__(self, spec: ToolSpec, searcher: Searcher) -> None:
        super().__init__(spec, GlobInput)
        self._searcher = searcher

    def names(self, arguments: Mapping[str, Any]) -> list[str]:
        folder = "".join(written(arguments, "path")) or "."
        pattern = "".join(written(arguments, "pattern"))
        return [os.path.join(os.path.expanduser(folder), fixed_part(pattern)[0])]

    async def act(self, call: GlobInput, bench: Bench) -> Outcome:
        if not call.pattern or "\0" in call.pattern:
            raise Refused("`pattern` must be a glob pattern such as `**/*.py`.")
        folder = place(call.path or ".", bench)
        if not os.path.isdir(folder):
            problem = "is not a directory" if os.path.lexists(folder) else "does not exist"
            raise Refused(f"Directory {problem}: {folder}. Note: your current working directory is {bench.cwd}.")
        fixed, pattern = fixed_part(call.pattern)
        base = resolve(fixed, folder)
        if not os.path.isdir(base):
            return Outcome(content="No files found")
        return replace(await self._find(pattern, base, resolve(bench.cwd, "/")), touched=[base])

    async def _find(self, pattern: str, base: str, cwd: str) -> Outcome:
        where = Place(cwd=base, targets=[])  # ripgrep ties patterns to the folder it runs in
        shown_base = os.fsencode(os.path.relpath(base, cwd) if inside(base, (cwd,)) else base)
        oldest = Ranking[tuple[int, bytes]](RESULTS_MAX)
        records = Records(b"\0")

        def take(chunk: bytes) -> bool:
            for path in records.split(chunk):
                stat = where.stat(path)
                if stat is not None:
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
