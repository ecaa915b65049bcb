"""Where does a path lead: the state folder, what steers the agent, the project, the temporary folder, or outside?

By names alone. What links on the disk do to a name is not seen here; the mount that encloses an unattended run sees it.
"""

import fnmatch
import re
import unicodedata
from enum import Enum, auto
from posixpath import join, normpath

from daedal.permissions.baseline import steers
from daedal.permissions.containment import inside

STATE_FOLDER = ".daedal"
NOTE = ".daedal-note.md"
TEMPORARY = "/tmp"  # noqa: S108 - the specification names this folder; nothing is created here
_DEVICES = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/zero", "/dev/tty"})
_DESCRIPTOR = re.compile(r"/dev/fd/[0-9]+")
_CLASS = re.compile(r"\[[!^]?\[[:.=][^\]]*[:.=]\][^\]]*\]")
_SPECIAL = re.compile(r"[*?\[]")


class Zone(Enum):
    STATE = auto()
    STEERING = auto()
    NOTE = auto()
    PROJECT = auto()
    TEMPORARY = auto()
    DEVICE = auto()
    OUTSIDE = auto()


class Places:
    def __init__(self, project: str, home: str) -> None:
        self.project = _clean(project)
        self.home = _clean(home)
        self.state = _folded(join(self.project, STATE_FOLDER)).split("/")

    def absolute(self, path: str, cwd: str) -> str:
        return _clean(join(cwd, path))

    def zone(self, path: str, *, is_pattern: bool = False) -> Zone:
        """Of an absolute, clean path. A pattern that may match the state folder counts as matching it."""
        if self.in_state(path, is_pattern=is_pattern):
            return Zone.STATE
        if path in _DEVICES or _DESCRIPTOR.fullmatch(path):
            return Zone.DEVICE
        if steers(_folded(path)) or _is_git_internal(path):
            return Zone.STEERING
        if path == join(self.project, NOTE):
            return Zone.NOTE
        if inside(path, self.project):
            return Zone.PROJECT
        return Zone.TEMPORARY if inside(path, TEMPORARY) else Zone.OUTSIDE

    def in_state(self, path: str, *, is_pattern: bool = False) -> bool:
        parts = _folded(path).split("/")
        return len(parts) >= len(self.state) and _alike(parts, self.state, is_pattern=is_pattern)

    def holds_state(self, path: str, *, is_pattern: bool = False) -> bool:
        """Whether the path is the state folder, lies in it, or contains it."""
        return _alike(_folded(path).rstrip("/").split("/"), self.state, is_pattern=is_pattern)

    def names_state(self, text: str, cwd: str) -> bool:
        """Whether a word of a command line, or a path within it, leads into the state folder."""
        if any(letter.isspace() for letter in text):
            return False
        parts = {text, *re.split(r"[=:,;@]", text)}
        if text.startswith("-") and len(text) > 2:
            parts.add(text[2:])
        return any(part and self.in_state(self.absolute(part, cwd), is_pattern=True) for part in parts)


def _alike(parts: list[str], state: list[str], *, is_pattern: bool) -> bool:
    for part, name in zip(parts, state, strict=False):
        if part != name and not (is_pattern and _may_match(part, name)):
            return False
    return True


def _may_match(part: str, name: str) -> bool:
    """Whether the shell may put `name` for the pattern. A leading `*` never stands for a leading dot."""
    if not _SPECIAL.search(part) or (name.startswith(".") and part.startswith("*")):
        return False
    # Classes such as [[:alpha:]] and [^x] are written otherwise here; any letter will do for them.
    return fnmatch.fnmatchcase(name, _CLASS.sub("?", part).replace("[^", "[!"))


def _folded(path: str) -> str:
    """As the most forgiving file systems compare names: without case, marks that are not shown, or width."""
    if path.isascii():
        return path.lower()
    shown = "".join(letter for letter in path if unicodedata.category(letter) != "Cf")
    return unicodedata.normalize("NFKC", shown).casefold()


def _clean(path: str) -> str:
    path = normpath(path)
    return path[1:] if path.startswith("//") else path


def _is_git_internal(path: str) -> bool:
    """A repository's own files decide what git runs; only the list of ignored files is plain data."""
    folded = f"{_folded(path)}/"
    if folded.endswith("/head/"):
        # With a HEAD beside a config, any folder is a repository.
        return True
    return "/.git/" in folded and not folded.endswith("/.git/info/exclude/")
