"""How is ripgrep run, and what does its end mean?"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from daedal.protocol.seams import Finish, Job
from daedal.sandbox import ProcessSpawner, Walls, inside, search_program
from daedal.tools.errors import Refused
from daedal.tools.sizes import size

SEARCH_TIMEOUT_S = 60.0
HEAP_KIB_MAX = 1_048_576
"""What ripgrep may take: in a folder it holds a whole line in memory, however long that is."""
BOUNDED = f'ulimit -c 0; ulimit -d {HEAP_KIB_MAX} 2>/dev/null; exec "$@"'
CRASHES = (132, 134, 135, 139)
"""Ended by a signal that nobody sends: it gave up for want of memory, or a file shrank while it was looked through."""
WONDERING = ("rg: No files were searched,", "Running with --debug will show why")
"""Its two lines for somebody who sits at a terminal and finds nothing: no failure, though it ends as one."""

SPECIAL = re.compile("[*?\\[\\]{}!\\\\\udc80-\udcff]")
SHARED_OPTIONS = ("--no-config", "--hidden", "--glob", "!.git/")
"""The repository's own innards are never of interest, unless a search starts inside them."""


class Place(Struct, frozen=True, kw_only=True):
    """Where ripgrep runs and what it is told to search, so that its paths come out as the model should see them."""

    cwd: str
    targets: list[str]
    closed: list[str]
    """What lies below and is not to be seen. Links need no thought: ripgrep follows none."""

    def shows(self, path: bytes) -> bool:
        """Whether a path that came out may be seen, however it came to be there."""
        return not self.closed or not inside(os.path.normpath(os.path.join(self.cwd, os.fsdecode(path))), self.closed)

    def stat(self, path: bytes) -> os.stat_result | None:
        try:
            return os.stat(os.path.join(os.fsencode(self.cwd), path), follow_symlinks=False)
        except OSError:
            return None  # it went away meanwhile


class Ground(Protocol):
    """Where a search can run: freely, or within walls."""

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]: ...

    async def feed(self, job: Job, take: Callable[[bytes], bool]) -> Finish: ...


class OpenGround:
    """Without walls. A search is no command: it puts nothing in anybody's way."""

    def __init__(self, spawner: ProcessSpawner) -> None:
        self._spawner = spawner

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        return self._spawner.environment(extra)

    async def feed(self, job: Job, take: Callable[[bytes], bool]) -> Finish:
        return await self._spawner.feed(job, take, is_search=True)


class Searcher:
    """Runs ripgrep, past the files that no tool may open: a search of the folder above would read them too."""

    def __init__(self, ground: Callable[[], Ground], walls: Walls, hidden: Sequence[str]) -> None:
        self._ground = ground
        self._walls = walls
        self._hidden = hidden

    def place_in(self, folder: str) -> Place:
        """Paths come out relative to the folder, and patterns are tied to it."""
        hidden = [path for path in self._hidden if inside(path, (folder,))]
        return Place(cwd=folder, targets=[], closed=list({*hidden, *self._walls.closed_below(folder)}))

    def place_of(self, base: str, cwd: str, *, is_folder: bool) -> Place:
        """Paths come out relative below the working directory, absolute elsewhere."""
        if base == cwd:
            return self.place_in(cwd)
        if inside(base, (cwd,)):
            return replace(self.place_in(cwd), targets=[os.path.relpath(base, cwd)])
        return replace(self.place_in(base if is_folder else os.path.dirname(base)), targets=[base])

    async def run(self, options: list[str], place: Place, take: Callable[[bytes], bool]) -> Finish:
        """Hands over what it prints until `take` has enough."""
        # Of two patterns that fit, the later one counts: what is closed comes last.
        program = ["/bin/sh", "-c", BOUNDED, "rg", search_program()]
        argv = [*program, *options, *SHARED_OPTIONS, *_passed_over(place), "--", *place.targets]
        ground = self._ground()
        environment = ground.environment()
        job = Job(argv=argv, cwd=place.cwd, env=environment, timeout_s=SEARCH_TIMEOUT_S, output_bytes_max=4096)
        return await ground.feed(job, take)


def _passed_over(place: Place) -> list[str]:
    below = [os.path.relpath(path, place.cwd) for path in place.closed]
    # A leading slash ties a pattern to the folder ripgrep runs in.
    return [part for path in below for part in ("--glob", f"!/{SPECIAL.sub(_escaped, path)}")]


def _escaped(found: re.Match[str]) -> str:
    # A byte that is no character cannot stand in a pattern, but any byte can be stood for.
    return "?" if "\udc80" <= found[0] <= "\udcff" else "\\" + found[0]


def shortcoming(finish: Finish, *, found: bool) -> str:
    """What to tell beside the results, if anything. Raises Refused where there are none because it failed."""
    if finish.timed_out:
        return f"\n(the search was stopped after {SEARCH_TIMEOUT_S:g} s; results are incomplete)"
    complaint = _complaint(finish.stderr)
    if finish.exit_code in CRASHES:
        return _broken_off(complaint or "", found=found)
    if finish.exit_code != 2:
        return ""
    if complaint is None:
        return "\n(no file was searched: there is none, or all are ignored or filtered out)"
    if not found:
        raise Refused(f"ripgrep failed: {complaint}")
    return f"\n(some files could not be searched: {complaint.splitlines()[0] if complaint else 'unknown reason'})"


def _complaint(stderr: bytes) -> str | None:
    """What went wrong; None where ripgrep wonders only why there was nothing to search."""
    told = stderr.decode("utf-8", "replace").strip()
    kept = [line for line in told.splitlines() if not line.startswith(WONDERING)]
    return "\n".join(kept) if kept or not told else None


def _broken_off(complaint: str, *, found: bool) -> str:
    if "memory allocation" in complaint:
        why = f"a file there has a line too long for the {size(HEAP_KIB_MAX * 1024)} that a search may take"
    else:
        why = "ripgrep crashed"
    told = f"the search broke off, because {why}. Leave large files out with `glob`, or search them one by one"
    if not found:
        raise Refused(f"{told[0].upper()}{told[1:]}.")
    return f"\n({told}; results are incomplete)"


def readable(path: bytes) -> str:
    return path.decode("utf-8", "replace")


class Records:
    """Cuts a stream of chunks at a separator; what is not complete yet waits for the next chunk."""

    def __init__(self, separator: bytes) -> None:
        self._separator = separator
        self._rest = b""

    def split(self, chunk: bytes) -> list[bytes]:
        pieces = (self._rest + chunk).split(self._separator)
        self._rest = pieces.pop()
        return pieces
