"""Which custom commands are there? `review.md` is `/review`, and `git/commit.md` is `/git:commit`.

One that is called is found by its path, without a look at the others. All are listed only for menus and for mistakes.
A repository may hold any number of files, so a listing is bounded in every direction.
"""

import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice

from msgspec import Struct

from daedal.config.command_file import CommandFile, read_command
from daedal.config.command_folders import CommandFolder
from daedal.config.frontmatter import Malformed
from daedal.config.legible import legible
from daedal.permissions import inside
from daedal.protocol.catalogue import say
from daedal.protocol.prompts import CommandInfo, CommandListResponse

ENTRIES_MAX = 5_000
"""Looked at in one commands folder, at all levels together."""
COMMANDS_MAX = 500
"""Listed of one commands folder; each is a file that is read."""
DEPTH_MAX = 8
PROBLEMS_MAX = 50

_ENDING = ".md"
_PART = re.compile(r"\w[\w.-]*")


class Found(Struct, frozen=True):
    file: CommandFile | None
    problems: list[str]
    """Files of that name that are no commands, and why."""


def find(name: str, folders: Iterable[CommandFolder]) -> Found:
    """The first of that name that is a command."""
    parts = name.split(":")
    problems: list[str] = []
    if len(parts) > DEPTH_MAX or not all(map(_PART.fullmatch, parts)):
        return Found(None, problems)
    for folder in folders:
        path = os.path.join(folder.path, *parts) + _ENDING
        if os.path.lexists(path):
            try:
                return Found(read_command(path, _fence(folder)), problems)
            except Malformed as error:
                problems.append(_problem(path, error))
    return Found(None, problems)


def listed(folders: Iterable[CommandFolder]) -> CommandListResponse:
    found: dict[str, CommandInfo] = {}
    problems: list[str] = []
    for folder in folders:
        for count, (name, path) in enumerate(_files(folder, problems)):
            if count == COMMANDS_MAX:
                problems.append(say("config.command.too_many", limit=COMMANDS_MAX, path=legible(folder.path)))
                break
            try:
                file = read_command(path, _fence(folder))
            except Malformed as error:
                problems.append(_problem(path, error))
            else:
                found.setdefault(name, _info(name, path, folder, file))
    return CommandListResponse(data=[found[name] for name in sorted(found)], problems=_shortened(problems))


def _info(name: str, path: str, folder: CommandFolder, file: CommandFile) -> CommandInfo:
    return CommandInfo(
        name=name,
        description=file.description,
        argument_hint=file.argument_hint,
        source=folder.source,
        path=legible(path),
    )


def _fence(folder: CommandFolder) -> str | None:
    """Where a file of the folder must lie. Raises Malformed where the folder itself is a way out of the project."""
    if folder.fence is None:
        return None
    real = os.path.realpath(folder.path)
    if not inside(real, folder.fence):
        raise Malformed(say("config.command.leads_out"))
    return real


def _files(folder: CommandFolder, problems: list[str]) -> Iterator[tuple[str, str]]:
    """Name and path of what could be a command, level by level. What cannot becomes a problem."""
    try:
        fence = _fence(folder)
    except Malformed as error:
        problems.append(_problem(folder.path, error))
        return
    seen = {os.path.realpath(folder.path)}
    levels: list[tuple[str, list[str]]] = [(folder.path, [])]
    left = ENTRIES_MAX
    while levels and left >= 0:
        path, parts = levels.pop(0)
        entries = _entries(path, left + 1, problems)
        for entry in sorted(entries[:left], key=lambda entry: entry.name):
            if entry.name.startswith("."):
                continue
            try:
                if _is_folder(entry):
                    levels += _deeper(entry, parts, fence, seen)
                elif entry.name.endswith(_ENDING):
                    yield ":".join(_named([*parts, entry.name.removesuffix(_ENDING)])), entry.path
            except Malformed as error:
                problems.append(_problem(entry.path, error))
        left -= len(entries)
    if left < 0:
        problems.append(say("config.command.too_many", limit=ENTRIES_MAX, path=legible(folder.path)))


def _entries(path: str, limit: int, problems: list[str]) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(path) as entries:
            return list(islice(entries, limit))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        problems.append(say("config.command.skipped", path=legible(path), reason=error.strerror))
        return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _deeper(
    entry: os.DirEntry[str], parts: list[str], fence: str | None, seen: set[str]
) -> list[tuple[str, list[str]]]:
    """The next level, unless it was seen: links can lead in circles. Raises Malformed."""
    real = os.path.realpath(entry.path)
    if fence is not None and not inside(real, fence):
        raise Malformed(say("config.command.leads_out"))
    if real in seen:
        return []
    seen.add(real)
    below = _named([*parts, entry.name])
    if len(below) >= DEPTH_MAX:
        raise Malformed(say("config.command.too_deep", limit=DEPTH_MAX))
    return [(entry.path, below)]


def _named(parts: list[str]) -> list[str]:
    if not _PART.fullmatch(parts[-1]):
        raise Malformed(say("config.command.bad_name"))
    return parts


def _problem(path: str, error: Malformed) -> str:
    return say("config.command.skipped", path=legible(path), reason=error)


def _shortened(problems: list[str]) -> list[str]:
    if len(problems) <= PROBLEMS_MAX:
        return problems
    return [*problems[:PROBLEMS_MAX], say("config.command.more_problems", count=len(problems) - PROBLEMS_MAX)]
