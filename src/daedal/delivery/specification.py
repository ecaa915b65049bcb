"""Is there something to deliver, and a place for its state? SPEC.md as text, and a `.daedal` of the project's own."""

import os

from daedal.config import read_ordinary
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError

NAME = "SPEC.md"
BYTES_MAX = 4 * 1024 * 1024
"""More than any session could read, let alone keep in mind."""


def check_specification(project: str) -> None:
    """Raises UsageError."""
    path = os.path.join(project, NAME)
    try:
        contents = read_ordinary(path, bytes_max=BYTES_MAX)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UsageError(say("delivery.no_specification", project=project)) from error
    except OSError as error:
        raise UsageError(say("delivery.unreadable_specification", path=path, why=error.strerror or error)) from error
    if contents.size > BYTES_MAX:
        raise UsageError(say("delivery.huge_specification", path=path, limit=BYTES_MAX // 1024**2))
    try:
        text = contents.data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = contents.data.count(b"\n", 0, error.start) + 1
        raise UsageError(say("delivery.foreign_specification", path=path, line=line)) from error
    if not text.strip("\ufeff \t\r\n"):
        raise UsageError(say("delivery.empty_specification", path=path))


def check_state_folder(project: str) -> None:
    """A repository can bring links along; through them we would read or write somewhere else. Raises UsageError."""
    for name in (".daedal", ".daedal/run", ".daedal/status.json", ".daedal/run/journal.json", ".daedal/run/lock"):
        path = os.path.join(project, name)
        if os.path.islink(path):
            raise UsageError(say("delivery.linked_state", path=path))
