"""Which instructions do the user and the project give? AGENTS.md and CLAUDE.md, read anew at each call.

Who remembers which file was already given is the engine. The project's files come with the code, so they are read
with care: only ordinary files, only so much of each, and never through a link that leads out of the project.
"""

import os

from daedal.config.home import home, project_root
from daedal.config.reading import read_ordinary
from daedal.protocol.seams import InstructionFile

FILE_BYTES_MAX = 32_768
NAMES = ("AGENTS.md", "CLAUDE.md")
_POINTER = "@AGENTS.md"
"""A CLAUDE.md that says only this is the usual way to share one file between both names."""


class FileInstructions:
    """The `Instructions` seam over the file system."""

    def initial(self, workspace: str) -> list[InstructionFile]:
        """The user's own file, then the project's from its root down to the workspace."""
        folder = os.path.realpath(workspace)
        root = project_root(folder)
        own = _read(os.path.join(home(), NAMES[0]))
        files = [own] if own else []
        for level in [root, *_levels(root, folder)]:
            files += _in_folder(level, root)
        return list({file.path: file for file in files}.values())

    def nested(self, workspace: str, touched: str) -> list[InstructionFile]:
        """Files between the workspace (exclusive) and the touched path's folder (inclusive), outermost first."""
        top = os.path.realpath(workspace)
        folder = os.path.realpath(touched)
        if not os.path.isdir(folder):
            folder = os.path.dirname(folder)
        root = project_root(top)
        return [file for level in _levels(top, folder) for file in _in_folder(level, root)]


def _levels(top: str, folder: str) -> list[str]:
    """The folders below `top` on the way to `folder`, outermost first; none where that is not inside."""
    if not _is_inside(folder, top):
        return []
    levels: list[str] = []
    while folder != top:
        levels.append(folder)
        folder = os.path.dirname(folder)
    return levels[::-1]


def _in_folder(folder: str, root: str) -> list[InstructionFile]:
    """The folder's files; what both names say alike is said once."""
    files: list[InstructionFile] = []
    for name in NAMES:
        path = os.path.join(folder, name)
        if not _is_prose(os.path.realpath(path), root):
            continue
        file = _read(path)
        if file and not any(file.text == other.text or file.text.strip() == _POINTER for other in files):
            files.append(file)
    return files


def _read(path: str) -> InstructionFile | None:
    try:
        contents = read_ordinary(path, bytes_max=FILE_BYTES_MAX)
    except OSError:
        return None
    text = contents.data.decode("utf-8", "replace").removeprefix("\ufeff")
    left_out = contents.size - len(contents.data)
    if left_out:
        # The cut may have halved a character.
        text = (
            text.rstrip("\ufffd") + f"\n[{left_out} more bytes are left out: read the file itself if you need them]\n"
        )
    return InstructionFile(path, text) if text.strip() else None


def _is_prose(target: str, root: str) -> bool:
    """Whether it may be told: a link must not turn another file, such as the user's `.env`, into instructions."""
    return _is_inside(target, root) and target.lower().endswith(".md")


def _is_inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
