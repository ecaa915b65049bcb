"""What does the model see of a folder that a prompt refers to? The names in it, depth first, without the usual noise.

Links are named and not followed, so that a listing ends and stays where it is.
"""

import os
from collections.abc import Iterator
from itertools import islice

from daedal.config.file_block import Block
from daedal.config.legible import legible
from daedal.config.tags import TRUNCATED, tagged
from daedal.protocol.catalogue import say

ENTRIES_MAX = 500
"""Shown in all."""
SCANNED_MAX = 5_000
"""Looked at in one folder."""
DEPTH_MAX = 8

NOISE = frozenset(
    {
        *(".git", ".hg", ".svn", ".jj", ".DS_Store", ".idea"),
        *("node_modules", "bower_components", ".next", ".nuxt", ".gradle", ".terraform"),
        *("__pycache__", ".venv", "venv", ".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".eggs"),
    }
)
_CUT = "…"


def folder_block(path: str, real: str) -> Block:
    """`path` is how it is called, `real` has no links in it. Raises OSError."""
    lines = list(islice(_listing(real, 0), ENTRIES_MAX + 1))
    is_cut = len(lines) > ENTRIES_MAX or any(line.endswith(_CUT) for line in lines)
    listed = "\n".join(lines[:ENTRIES_MAX])
    if not is_cut:
        return Block(tagged("folder", path, listed))
    note = f"{TRUNCATED} Not everything is listed: Glob finds the rest."
    notice = say("config.reference.folder_cut", path=legible(path), limit=ENTRIES_MAX)
    return Block(tagged("folder", path, listed, note=note), notice)


def _listing(folder: str, depth: int) -> Iterator[str]:
    indent = "  " * depth
    entries, is_cut = _entries(folder)
    for entry in entries:
        name = indent + legible(entry.name)
        if entry.is_symlink():
            yield f"{name} (link)"
        elif not entry.is_dir(follow_symlinks=False):
            yield name
        elif depth + 1 == DEPTH_MAX:
            yield f"{name}/ {_CUT}"
        else:
            yield f"{name}/"
            yield from _below(entry.path, depth + 1)
    if is_cut:
        yield indent + _CUT


def _below(folder: str, depth: int) -> Iterator[str]:
    try:
        yield from _listing(folder, depth)
    except OSError as error:
        yield f"{'  ' * depth}({error.strerror})"


def _entries(folder: str) -> tuple[list[os.DirEntry[str]], bool]:
    with os.scandir(folder) as scanned:
        found = list(islice(scanned, SCANNED_MAX + 1))
    kept = [entry for entry in found[:SCANNED_MAX] if entry.name not in NOISE]
    return sorted(kept, key=lambda entry: entry.name), len(found) > SCANNED_MAX
