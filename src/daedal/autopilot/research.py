"""Where does the research strategy keep what it found out? In the project, in a folder per run that only we write.

`.daedal/autoresearch/YYYYMMDD-HHMMSS-slug/` has the objective, the journal of all turns and how the run stands. Nothing
on the way there may be a link: a project could otherwise have us write anywhere.
"""

import errno
import os
import re
import time
import unicodedata
from collections.abc import Generator
from contextlib import contextmanager

import msgspec

from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.goals import GoalStrategy, ThreadGoal

PLACE = (".daedal", "autoresearch")
SLUG_MAX = 40
SAID_MAX = 8_000
"""Characters of a turn's last words that go into the journal."""
RUNS_MAX = 100
"""So many runs of one second and one slug."""


def begin(goal: ThreadGoal, workspace: str) -> str | None:
    """Makes the folder of a new run. Raises UsageError."""
    if goal.strategy is not GoalStrategy.RESEARCH:
        return None
    base = time.strftime("%Y%m%d-%H%M%S") + "-" + slug(goal.objective)
    for number in range(1, RUNS_MAX):
        name = base if number == 1 else f"{base}-{number}"
        path = os.path.join(workspace, *PLACE, name)
        try:
            with _folder(path, is_new=True) as folder:
                _write(folder, "goal.md", _told(goal))
                _write(folder, "journal.md", "# Journal\n")
                _write(folder, "state.json", _state(goal))
            return path
        except FileExistsError:
            continue
        except OSError as error:
            raise UsageError(say("autopilot.state_unwritable", path=path, why=error.strerror or error)) from error
    raise UsageError(say("autopilot.state_unwritable", path=base, why=os.strerror(errno.EEXIST)))


class ResearchState:
    """The folder of a run that was begun."""

    def __init__(self, path: str) -> None:
        self._path = path

    def note(self, goal: ThreadGoal, turn_id: str, said: str) -> None:
        """What a turn came to. Raises OSError."""
        number = goal.continuations + (0 if goal.is_active else 1)
        words = said.strip()[:SAID_MAX] or "(nothing was said)"
        ending = f"\n\nGoal: {goal.status}" + (f" ({goal.reason})" if goal.reason else "")
        entry = f"\n## Turn {number} · {time.strftime('%Y-%m-%d %H:%M:%S')} · {turn_id}\n\n{words}{ending}\n"
        with _folder(self._path) as folder:
            _write(folder, "journal.md", entry, is_more=True)
            _write(folder, "state.json", _state(goal))


def slug(text: str) -> str:
    """The beginning of a text as a name of a folder."""
    plain = unicodedata.normalize("NFKD", text[:200]).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:SLUG_MAX].strip("-") or "goal"


@contextmanager
def _folder(path: str, *, is_new: bool = False) -> Generator[int]:
    """A descriptor of the folder, reached from the workspace without passing a link. Raises OSError."""
    workspace, *rest = _parts(path)
    opened = os.open(workspace, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for name in rest:
            if is_new:
                _make(name, opened, is_last=name == rest[-1])
            deeper = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=opened)
            os.close(opened)
            opened = deeper
        yield opened
    finally:
        os.close(opened)


def _make(name: str, parent: int, *, is_last: bool) -> None:
    try:
        os.mkdir(name, 0o755, dir_fd=parent)
    except FileExistsError:
        if is_last:
            raise


def _parts(path: str) -> tuple[str, str, str, str]:
    rest, name = os.path.split(path)
    rest, kind = os.path.split(rest)
    workspace, ours = os.path.split(rest)
    return workspace, ours, kind, name


def _write(folder: int, name: str, text: str, *, is_more: bool = False) -> None:
    """Whole or not at all, except where it grows."""
    if is_more:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
        with os.fdopen(os.open(name, flags, 0o644, dir_fd=folder), "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        return
    draft = f".{name}.{os.urandom(4).hex()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(draft, flags, 0o644, dir_fd=folder), "w", encoding="utf-8", errors="replace") as file:
        file.write(text)
    os.replace(draft, name, src_dir_fd=folder, dst_dir_fd=folder)


def _told(goal: ThreadGoal) -> str:
    check = f"\nDone when this succeeds: `{goal.check}`\n" if goal.check else ""
    return f"# Goal\n\n{goal.objective}\n{check}\nThread: {goal.thread_id}\n"


def _state(goal: ThreadGoal) -> str:
    return msgspec.json.format(msgspec.json.encode(goal), indent=2).decode() + "\n"
