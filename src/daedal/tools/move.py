"""How does the model give a file or a folder another name or place? Never over something else, and so that it can be
undone.

Links are moved as links: names are resolved up to the folder they stand in, and no further.
"""

import errno
import os
import stat
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from daedal.protocol.items import Change
from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome, PreImage
from daedal.sandbox import Walls, inside, reach, resolve
from daedal.tools.errors import Blocked, Refused
from daedal.tools.files import load, open_file
from daedal.tools.looking import Looking
from daedal.tools.moving import Entry, changed, folder_of, link_target, survey
from daedal.tools.previewing import ChangingTool
from daedal.tools.read_log import ReadLog
from daedal.tools.renaming import rename
from daedal.tools.sizes import amount
from daedal.tools.tool import encodable, written


class MoveInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    source_path: str
    destination_path: str


class Move(ChangingTool[MoveInput]):
    def __init__(self, spec: ToolSpec, walls: Walls, log: ReadLog) -> None:
        super().__init__(spec, MoveInput, walls)
        self._log = log

    def names(self, arguments: Mapping[str, Any]) -> list[str]:
        return written(arguments, "source_path") + written(arguments, "destination_path")

    def paths(self, arguments: Mapping[str, Any], cwd: str) -> list[str]:
        names = self.names(arguments)
        paths = _entries(names, cwd)
        for name, path in zip(names, paths, strict=False):
            self._judged.note(name, cwd, path)
        return paths

    def is_confined(self, arguments: Mapping[str, Any], cwd: str) -> bool:
        paths = _entries(self.names(arguments), cwd)
        if len(paths) != 2:
            return self.names_nothing(arguments)
        return self.walls.stand and self.walls.may_move(paths[0], paths[1]).is_allowed

    def place(self, name: str, bench: Bench) -> str:
        try:
            path = entry_of(name, bench.cwd)
        except ValueError as error:
            raise Refused(f"not a usable path: {name!r} ({error})") from error
        self.settle(name, path, bench)
        return path

    async def act(self, call: MoveInput, bench: Bench) -> Outcome:
        source, destination = self._places(call, bench)
        found = _found(source, bench)
        _refuse_what_cannot_be(call, source, destination, bench, is_folder=stat.S_ISDIR(found.st_mode))
        entries = survey(source)
        shown = Change(path=encodable(source), kind={"type": "update", "move_path": encodable(destination)}, diff="")
        if isinstance(bench, Looking):
            return Outcome(content="", changes=[shown])
        await _keep(entries, source, destination, bench)
        # From here on nothing is awaited: what was kept is what is moved.
        if survey(source) != entries:
            raise changed(source)
        self._rename(source, destination, bench)
        if self._log.has_seen(source) and (moved := load(destination) if stat.S_ISREG(found.st_mode) else None):
            self._log.note(destination, moved.stat, moved.content)
        return Outcome(
            content=f"Moved {_kind(entries)} {source} to {destination}.",
            changes=[shown],
            touched=[destination],
            cwd=destination + bench.cwd[len(source) :] if inside(bench.cwd, (source,)) else None,
        )

    def _places(self, call: MoveInput, bench: Bench) -> tuple[str, str]:
        """Outside the walls only where a person let the call out; what is closed stays closed even then."""
        source, destination = self.place(call.source_path, bench), self.place(call.destination_path, bench)
        answers = [self.walls.may_read(place) for place in (source, destination, *self.walls.closed_below(source))]
        for answer in answers:
            if not answer.is_allowed:
                raise Refused(answer.reason)
        answer = self.walls.may_move(source, destination)
        if not answer.is_allowed and not bench.is_let_out:
            raise Blocked(answer.reason, f"moving {source} to {destination}")
        return source, destination

    def _rename(self, source: str, destination: str, bench: Bench) -> None:
        def may_make(folder: str) -> bool:
            return bench.is_let_out or self.walls.may_make(folder)

        try:
            with reach(destination, may_make=may_make) as there, reach(source) as here:
                with folder_of(source) as source_folder, folder_of(destination) as destination_folder:
                    names = os.path.basename(source), os.path.basename(destination)
                    rename(names[0], source_folder, names[1], destination_folder)
                there.sync()
                here.sync()
        except FileExistsError as error:
            raise _taken(destination) from error
        except FileNotFoundError as error:
            raise changed(source) from error
        except OSError as error:
            if error.errno == errno.EXDEV:
                raise _far(source, destination) from error
            raise


def entry_of(name: str, cwd: str) -> str:
    """The absolute path of a name, in a folder without links; what has the name may be a link itself.

    Raises ValueError for what can be no path.
    """
    path = os.path.join(cwd, os.path.expanduser(name)).rstrip("/") or "/"
    folder, last = os.path.split(path)
    if last in ("", ".", ".."):
        return resolve(path, cwd)
    resolve(last, "/")  # raises for what no file system can have
    return os.path.join(resolve(folder, cwd), last)


def _entries(names: list[str], cwd: str) -> list[str]:
    try:
        return [entry_of(name, cwd) for name in names]
    except (ValueError, OSError):
        return []  # no path that anything could open; `run` says so to the model


def _found(source: str, bench: Bench) -> os.stat_result:
    try:
        with folder_of(source) as folder:
            return os.stat(os.path.basename(source) or ".", dir_fd=folder, follow_symlinks=False)
    except (FileNotFoundError, NotADirectoryError):
        os.close(open_file(source, bench.cwd)[0])  # raises, and says which names are near
        raise


def _refuse_what_cannot_be(call: MoveInput, source: str, destination: str, bench: Bench, *, is_folder: bool) -> None:
    if source == destination:
        raise Refused(f"{source} has that name and place already. Nothing was done.")
    if inside(resolve(bench.workspace, "/"), (source,)):
        raise Refused(f"{source} holds the project folder and cannot be moved. Move what is in it.")
    if inside(destination, (source,)):
        raise Refused(f"{source} cannot be moved into itself.")
    if os.path.lexists(destination):
        raise _taken(destination, os.path.basename(source) if os.path.isdir(destination) else "")
    if call.destination_path.endswith("/") and not is_folder:
        whole = os.path.join(destination, os.path.basename(source))
        raise Refused(f"destination_path is the whole new path, not a folder to move into: give {whole}")


async def _keep(entries: list[Entry], source: str, destination: str, bench: Bench) -> None:
    """What disappears at the one place, and that there was nothing at the other."""
    for entry in entries:
        path = source + entry.below
        if stat.S_ISDIR(entry.mode):
            continue
        if stat.S_ISLNK(entry.mode):
            # The mode tells that the content is where the link leads.
            await bench.keep(PreImage(path=path, content=link_target(path), mode=entry.mode))
        else:
            before = load(path)
            if before is None:
                raise changed(source)
            await bench.keep(PreImage(path=path, content=before.content, mode=before.mode))
        await bench.keep(PreImage(path=destination + entry.below, content=None))


def _kind(entries: list[Entry]) -> str:
    top = entries[0].mode
    if not stat.S_ISDIR(top):
        return "the link" if stat.S_ISLNK(top) else "the file"
    return f"the folder ({amount(sum(not stat.S_ISDIR(entry.mode) for entry in entries), 'file')})"


def _taken(destination: str, name: str = "") -> Refused:
    into = f" To move into that folder, give {os.path.join(destination, name)}" if name else ""
    return Refused(f"{destination} exists already, and a move overwrites nothing.{into or ' Choose another name'}.")


def _far(source: str, destination: str) -> Refused:
    return Refused(
        f"{source} and {destination} lie on different file systems, so this would be a copy. Copy it with a command"
        " (`cp -a`), check the copy, then remove the original."
    )
