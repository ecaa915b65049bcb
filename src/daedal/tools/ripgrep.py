"""How is ripgrep run, and what does its end mean?"""

import os
import re
from collections.abc import Callable, Sequence

from msgspec import Struct

from daedal.protocol.seams import Finish, Job
from daedal.sandbox import ProcessSpawner, inside, search_program
from daedal.tools.errors import Refused

SEARCH_TIMEOUT_S = 60.0
SPECIAL = re.compile(r"[*?\[\]{}!\\]")
SHARED_OPTIONS = ("--no-config", "--hidden", "--glob", "!.git/")
"""The repository's own innards are never of interest, unless a search starts inside them."""


class Place(Struct, frozen=True, kw_only=True):
    """Where ripgrep runs and what it is told to search, so that its paths come out as the model should see them."""

    cwd: str
    targets: list[str]

    def stat(self, path: bytes) -> os.stat_result | None:
        try:
            return os.stat(os.path.join(os.fsencode(self.cwd), path))
        except OSError:
            return None  # it went away meanwhile


def place_of(base: str, cwd: str) -> Place:
    """Paths come out relative below the working directory, absolute elsewhere."""
    if base == cwd:
        return Place(cwd=cwd, targets=[])
    if inside(base, (cwd,)):
        return Place(cwd=cwd, targets=[os.path.relpath(base, cwd)])
    return Place(cwd=base if os.path.isdir(base) else os.path.dirname(base), targets=[base])


class Searcher:
    """Runs ripgrep, past the files that no tool may open: a search of the folder above would read them too."""

    def __init__(self, spawner: ProcessSpawner, hidden: Sequence[str]) -> None:
        self._spawner = spawner
        self._hidden = hidden

    async def run(self, options: list[str], place: Place, take: Callable[[bytes], bool]) -> Finish:
        """Hands over what it prints until `take` has enough."""
        argv = [search_program(), *options, *SHARED_OPTIONS, *self._passed_over(place), "--", *place.targets]
        environment = self._spawner.environment()
        job = Job(argv=argv, cwd=place.cwd, env=environment, timeout_s=SEARCH_TIMEOUT_S, output_bytes_max=4096)
        return await self._spawner.feed(job, take)

    def _passed_over(self, place: Place) -> list[str]:
        cwd = os.path.realpath(place.cwd)
        below = [os.path.relpath(path, cwd) for path in self._hidden if inside(path, (cwd,))]
        # A leading slash ties a pattern to the folder ripgrep runs in.
        return [part for path in below for part in ("--glob", f"!/{SPECIAL.sub(_escaped, path)}")]


def _escaped(found: re.Match[str]) -> str:
    return "\\" + found[0]


def shortcoming(finish: Finish, *, found: bool) -> str:
    """What to tell beside the results, if anything. Raises Refused where there are none because it failed."""
    if finish.timed_out:
        return f"\n(the search was stopped after {SEARCH_TIMEOUT_S:g} s; results are incomplete)"
    if finish.exit_code != 2:
        return ""
    complaint = finish.stderr.decode("utf-8", "replace").strip()
    if not found:
        raise Refused(f"ripgrep failed: {complaint}")
    return f"\n(some files could not be searched: {complaint.splitlines()[0] if complaint else 'unknown reason'})"


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
