"""How does something get into a file of the person's own? Never over another one without a yes."""

import os

from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.tui.face import Face
from daedal.tui.overlays.asking import Asking
from daedal.tui.overlays.choosing import Choosing, Option

PRIVATE = 0o600
OVERWRITE, OTHER = "overwrite", "other"


async def keep(face: Face, path: str, text: str) -> str | None:
    """Where it is now; None where the person thought better of it. Raises UsageError where it cannot be written."""
    path = os.path.join(face.view.folder or os.getcwd(), os.path.expanduser(path))
    while os.path.lexists(path):
        chosen = await face.show(Choosing(say("tui.keep_exists", path=path), _options()))
        if chosen == OVERWRITE:
            break
        name = await face.show(Asking(say("tui.keep_name"), text=path)) if chosen == OTHER else None
        if not name:
            return None
        path = os.path.join(face.view.folder or os.getcwd(), os.path.expanduser(name))
    else:
        write(path, text.encode(), flags=os.O_EXCL)
        return path
    write(path, text.encode(), flags=os.O_TRUNC)
    return path


def write(path: str, raw: bytes, *, flags: int) -> None:
    """For its owner alone: what was said in a session is nobody else's to read."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | flags, PRIVATE)
        with open(descriptor, "wb") as file:
            file.write(raw)
    except OSError as error:
        raise UsageError(say("tui.keep_failed", path=path, error=error.strerror or error)) from error


def _options() -> list[Option]:
    return [
        Option(say("tui.keep_other"), OTHER, letter="n"),
        Option(say("tui.keep_overwrite"), OVERWRITE, letter="o"),
    ]
