"""Which of the project's own files does a command name? What they say is part of what the command does.

A command is text for a shell, so this is an educated guess that errs on the side of too many: every word that could be
a path from the project's root, whether it is there yet or not. What a named script goes on to call is not followed.
"""

import os
import re
import stat
from collections.abc import Iterator
from typing import Any, cast

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError

NAMED_MAX = 500
LOOKED_AT_MAX = 5_000
FOLDERS_MAX = 20
HASHED_BYTES_MAX = 64 * 1024 * 1024
_CHUNK_BYTES = 1024 * 1024
_ROOT = re.compile(r"\$\{?CLAUDE_PROJECT_DIR\}?|\$\{?PWD\}?|\$\(pwd\)")
_WORD = re.compile(r"[^\s;&|<>()`,=\"']+")
_QUOTED = re.compile(r"\"([^\"]+)\"|'([^']+)'")
_MARK = "\0"


def named_files(said: Any, root: str) -> list[str]:
    """Paths inside the root that commands and arguments in plain data name.

    Raises ConfigurationError where nobody could vouch for so many; with a cut-off list, decoys would hide one.
    """
    found: dict[str, None] = {}
    looked_at = 0
    for command in _commands(said):
        words = [word.replace(_MARK, root) for word in _words(command)]
        looked_at += len(words)
        if looked_at > LOOKED_AT_MAX:
            raise ConfigurationError(say("config.trust.too_many", folder=root))
        # `cd tools && ./run.sh` names tools/run.sh.
        folders = {path: None for word in words if os.path.isdir(path := _joined(root, word))}
        for path in (_joined(start, word) for start in [root, *folders][:FOLDERS_MAX] for word in words):
            if path.startswith(root.rstrip(os.sep) + os.sep) and not os.path.isdir(path):
                found[path] = None
        if len(found) > NAMED_MAX or len(folders) > FOLDERS_MAX:
            raise ConfigurationError(say("config.trust.too_many", folder=root))
    return list(found)


def _joined(start: str, word: str) -> str:
    return os.path.normpath(os.path.join(start, word))


def digest(path: str, root: str) -> str | None:
    """What a named file says, or where a link leads that leaves the project; None where there is nothing to read."""
    from hashlib import sha256

    target = os.path.realpath(path)
    if not target.startswith(root.rstrip(os.sep) + os.sep):
        return sha256(f"link:{target}".encode("utf-8", "surrogateescape")).hexdigest()
    try:
        with os.fdopen(os.open(target, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                return None
            summed, left = sha256(), HASHED_BYTES_MAX
            while left > 0 and (chunk := file.read(min(_CHUNK_BYTES, left))):
                summed.update(chunk)
                left -= len(chunk)
            if left == 0:
                # Nobody reads on for ever; what follows is known by its size and time alone.
                summed.update(f"{status.st_size}:{status.st_mtime_ns}".encode())
    except OSError:
        return None
    return summed.hexdigest()


def _commands(said: Any) -> Iterator[str]:
    """Every text below a key that holds a command, however deep."""
    if isinstance(said, list):
        for entry in cast("list[Any]", said):
            yield from _commands(entry)
    elif isinstance(said, dict):
        for key, value in cast("dict[str, Any]", said).items():
            if key in ("command", "args", "api_key_helper"):
                yield from _texts(value)
            else:
                yield from _commands(value)


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [entry for entry in cast("list[Any]", value) if isinstance(entry, str)] if isinstance(value, list) else []


def _words(command: str) -> list[str]:
    marked = _ROOT.sub(_MARK, command.replace(_MARK, ""))
    quoted = [double or single for double, single in _QUOTED.findall(marked)]
    return [*_WORD.findall(marked.replace('"', "").replace("'", "")), *quoted]
