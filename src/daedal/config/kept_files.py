"""What lies in a folder of skills or agents? A repository may hold any number of files, and links to anywhere."""

import os
from collections.abc import Iterator
from itertools import islice

from daedal.config.frontmatter import Malformed
from daedal.config.kept_folders import KeptFolder
from daedal.config.steering import Findings
from daedal.permissions import inside
from daedal.protocol.catalogue import say

ENTRIES_MAX = 5_000
"""Looked at in one folder, at all levels together."""
FILES_MAX = 500
"""Read of one folder."""
DEPTH_MAX = 4


def fence_of(folder: KeptFolder) -> str | None:
    """What a file in it must lie in. Raises Malformed where the folder itself is a way out of the project."""
    if folder.project is None:
        return None
    real = os.path.realpath(folder.path)
    if not inside(real, folder.project):
        raise Malformed(say("config.command.leads_out"))
    return real


def files_in(folder: KeptFolder, name: str, findings: Findings) -> Iterator[str]:
    """The file of that name in each folder within."""
    for entry in _entries(folder.path, ENTRIES_MAX, findings):
        path = os.path.join(entry.path, name)
        if _is_folder(entry) and os.path.lexists(path):
            yield path


def files_below(folder: KeptFolder, ending: str, fence: str | None, findings: Findings) -> Iterator[str]:
    """All with that ending, level by level."""
    levels, left = [(folder.path, 1)], ENTRIES_MAX
    seen = {os.path.realpath(folder.path)}
    for path, depth in levels:
        found = _entries(path, left, findings)
        left -= len(found)
        for entry in found:
            if not _is_folder(entry):
                if entry.name.endswith(ending):
                    yield entry.path
                continue
            real = os.path.realpath(entry.path)
            if fence is not None and not inside(real, fence):
                findings.leave_out(entry.path, say("config.command.leads_out"))
            elif real not in seen and depth < DEPTH_MAX:
                # Links can lead in circles.
                seen.add(real)
                levels.append((entry.path, depth + 1))


def some_of(paths: Iterator[str], folder: KeptFolder, findings: Findings) -> Iterator[str]:
    """As many as are read of one folder."""
    yield from islice(paths, FILES_MAX)
    if next(paths, None) is not None:
        findings.leave_out(folder.path, say("config.kept.too_many", limit=FILES_MAX))


def _entries(path: str, limit: int, findings: Findings) -> list[os.DirEntry[str]]:
    """By name, without hidden ones. None where there are more than anybody looks through: some would be chance."""
    try:
        with os.scandir(path) as scanned:
            found = list(islice(scanned, limit + 1))
    except OSError as error:
        findings.leave_out(path, error.strerror or error)
        return []
    if len(found) > limit:
        findings.leave_out(path, say("config.kept.too_many", limit=ENTRIES_MAX))
        return []
    return sorted((entry for entry in found if not entry.name.startswith(".")), key=lambda entry: entry.name)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
