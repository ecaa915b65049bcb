"""How does the model search in files?"""

import os
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.sandbox import Walls, resolve
from daedal.tools.errors import TRUNCATED, Refused
from daedal.tools.file_tool import FileTool
from daedal.tools.files import is_folder
from daedal.tools.ranking import Ranking
from daedal.tools.ripgrep import Place, Records, Searcher, readable, shortcoming
from daedal.tools.sizes import amount
from daedal.tools.tool import written

HEAD_LIMIT = 250
LINE_COLUMNS_MAX = 500
OUTPUT_BYTES_MAX = 1_048_576

LISTED_MAX = 20_000
"""How many paths are listed where no limit is wanted; more would not go into the output anyway."""


Count = Annotated[int, Meta(ge=0)]


class GrepInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pattern: str
    path: str | None = None
    glob: str | None = None
    type: str | None = None
    output_mode: Literal["content", "files_with_matches", "count"] = "files_with_matches"
    after: Count | None = field(name="-A", default=None)
    before: Count | None = field(name="-B", default=None)
    around: Count | None = field(name="-C", default=None)
    context: Count | None = None
    head_limit: Count = HEAD_LIMIT
    offset: Count = 0
    numbers: bool = field(name="-n", default=True)
    ignore_case: bool = field(name="-i", default=False)
    only_matching: bool = field(name="-o", default=False)
    multiline: bool = False


class Grep(FileTool[GrepInput]):
    def __init__(self, spec: ToolSpec, walls: Walls, searcher: Searcher) -> None:
        super().__init__(spec, GrepInput, walls)
        self._searcher = searcher

    def names(self, arguments: Mapping[str, Any]) -> list[str]:
        return ["".join(written(arguments, "path")) or "."]

    async def act(self, call: GrepInput, bench: Bench) -> Outcome:
        if any("\0" in text for text in (call.pattern, call.glob or "", call.type or "")):
            raise Refused("The pattern contains a NUL byte, which no command line can.")
        base = self.place_to_search(call.path or ".", bench)
        if not os.path.exists(base):
            raise Refused(f"Path does not exist: {base}. Note: your current working directory is {bench.cwd}.")
        is_single = not is_folder(base)
        where = self._searcher.place_of(base, resolve(bench.cwd, "/"), is_folder=not is_single)
        options = _options(call)
        if call.output_mode == "content":
            outcome = await self._content(call, options, where, is_single=is_single)
        elif call.output_mode == "count":
            outcome = await self._count(call, options, where)
        else:
            outcome = await self._files(call, options, where)
        return replace(outcome, touched=[base])

    async def _files(self, call: GrepInput, options: list[str], where: Place) -> Outcome:
        newest = Ranking[tuple[int, bytes]](_kept(call))
        records = Records(b"\0")

        def take(chunk: bytes) -> bool:
            for path in records.split(chunk):
                if not where.shows(path):
                    continue
                stat = where.stat(path)
                newest.add((0 if stat is None else -stat.st_mtime_ns, path))
            return True

        finish = await self._searcher.run([*options, "--files-with-matches", "--null"], where, take)
        note = shortcoming(finish, found=newest.total > 0)
        if newest.total == 0:
            return Outcome(content=f"No files found{note}")
        paths = [readable(path) for _, path in newest.first()[call.offset :]]
        header = f"Found {amount(newest.total, 'file')}"
        if len(paths) < newest.total:
            header += f", showing {len(paths)} ({_pagination(call)})"
        return Outcome(content=_bounded([header, *paths]) + note)

    async def _count(self, call: GrepInput, options: list[str], where: Place) -> Outcome:
        by_path = Ranking[tuple[bytes, int]](_kept(call))
        records = Records(b"\n")
        matches = 0

        def take(chunk: bytes) -> bool:
            nonlocal matches
            for record in records.split(chunk):
                path, _, number = record.rpartition(b"\0")
                if not where.shows(path):
                    continue
                matches += int(number)
                by_path.add((path, int(number)))
            return True

        counting = [*options, "--count", "--with-filename", "--null"]
        finish = await self._searcher.run(counting, where, take)
        note = shortcoming(finish, found=by_path.total > 0)
        if by_path.total == 0:
            return Outcome(content=f"No matches found{note}")
        lines = [f"{readable(path)}:{number}" for path, number in by_path.first()[call.offset :]]
        total = f"Found {amount(matches, 'matching line')} in {amount(by_path.total, 'file')}"
        if len(lines) < by_path.total:
            total += f", showing {amount(len(lines), 'file')} ({_pagination(call)})"
        return Outcome(content=_bounded([*lines, total]) + note)

    async def _content(self, call: GrepInput, options: list[str], where: Place, *, is_single: bool) -> Outcome:
        window = Window(call.offset, call.head_limit)
        finish = await self._searcher.run([*options, *_content_options(call, is_single=is_single)], where, window.take)
        note = shortcoming(finish, found=window.seen > 0)
        if not window.lines:
            past = f" at offset {call.offset}: there are only {amount(window.seen, 'line')}" if window.seen else ""
            return Outcome(content=f"No matches found{past}{note}")
        text = "\n".join(readable(line) for line in window.lines)
        if window.is_cut:
            text += f"\n{TRUNCATED}"
        elif window.is_over or call.offset:
            text += f"\n[Showing results with pagination = {_pagination(call)}]"
        return Outcome(content=text + note)


class Window:
    """The lines that are shown of a search: so many after so many, and never more than fit the output."""

    def __init__(self, offset: int, limit: int) -> None:
        self._offset = offset
        self._limit = limit
        self._records = Records(b"\n")
        self._room = OUTPUT_BYTES_MAX
        self.lines: list[bytes] = []
        self.seen = 0
        self.is_over = False
        """Whether there are more lines than may be shown."""
        self.is_cut = False
        """Whether they ended because of their size, not their number."""

    def take(self, chunk: bytes) -> bool:
        if self.seen + (count := chunk.count(b"\n")) < self._offset:
            self.seen += count  # Neither these lines nor the one that is left open will be shown.
            return True
        for line in self._records.split(chunk):
            self.seen += 1
            if self.seen <= self._offset:
                continue
            self.is_cut = len(line) + 1 > self._room
            self.is_over = self.is_cut or len(self.lines) == self._limit > 0
            if self.is_over:
                return False
            self._room -= len(line) + 1
            self.lines.append(line)
        return True


def _options(call: GrepInput) -> list[str]:
    options = ["--color=never", "--regexp", call.pattern]
    if call.ignore_case:
        options.append("--ignore-case")
    if call.multiline:
        options += ("--multiline", "--multiline-dotall")
    if call.type is not None:
        options += ("--type", call.type)
    for glob in _globs(call.glob or ""):
        options += ("--glob", glob)
    return options


def _globs(text: str) -> list[str]:
    """Several patterns may be given, separated by blanks, or by commas outside braces."""
    return [glob for part in text.split() for glob in ([part] if "{" in part else part.split(",")) if glob]


def _content_options(call: GrepInput, *, is_single: bool) -> list[str]:
    # Sorted by path, although that costs some speed: pages of an unsorted search would not fit together.
    options = ["--no-heading", "--sort=path", f"--max-columns={LINE_COLUMNS_MAX}"]
    options.append("--no-filename" if is_single else "--with-filename")
    options.append("--line-number" if call.numbers else "--no-line-number")
    if call.only_matching:
        options.append("--only-matching")
    around = call.context if call.around is None else call.around
    lengths = (("--context", around), ("--after-context", call.after), ("--before-context", call.before))
    return options + [f"{option}={lines}" for option, lines in lengths if lines is not None]


def _kept(call: GrepInput) -> int:
    return call.offset + (call.head_limit or LISTED_MAX)


def _pagination(call: GrepInput) -> str:
    limit = f"limit: {call.head_limit or LISTED_MAX}"
    return f"{limit}, offset: {call.offset}" if call.offset else limit


def _bounded(lines: list[str]) -> str:
    text = "\n".join(lines)
    if len(text) * 4 <= OUTPUT_BYTES_MAX or len(encoded := text.encode()) <= OUTPUT_BYTES_MAX:
        return text
    whole, _, _ = encoded[:OUTPUT_BYTES_MAX].rpartition(b"\n")
    return f"{whole.decode('utf-8', 'replace')}\n{TRUNCATED}"
