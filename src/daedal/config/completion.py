"""How may a reference go on? One level of one folder at a time, never a walk."""

import os
from itertools import islice

from daedal.config.legible import legible
from daedal.config.mentions import written
from daedal.protocol.prompts import Completion, ReferenceCompleteResponse

SHOWN_MAX = 200
SCANNED_MAX = 10_000


def complete(prefix: str, cwd: str) -> ReferenceCompleteResponse:
    """What stands behind the `@` so far may have an open quote, or one that is closed already."""
    so_far = prefix.removeprefix('"').removesuffix('"') if prefix.startswith('"') else prefix
    if so_far == "~":
        return ReferenceCompleteResponse(data=[Completion(text="~/", kind="folder")])
    above, slash, beginning = so_far.rpartition("/")
    above += slash
    try:
        entries, is_cut = _entries(_folder(above, cwd), beginning)
    except (OSError, ValueError):
        return ReferenceCompleteResponse(data=[])
    found = [one for entry in entries if (one := _completion(above, entry)) is not None]
    found.sort(key=lambda one: (one.kind != "folder", one.text))
    return ReferenceCompleteResponse(data=found[:SHOWN_MAX], is_cut=is_cut or len(found) > SHOWN_MAX)


def _folder(above: str, cwd: str) -> str:
    return os.path.join(cwd, os.path.expanduser(above) if above.startswith("~/") else above)


def _entries(folder: str, beginning: str) -> tuple[list[os.DirEntry[str]], bool]:
    wanted, is_hidden_wanted = beginning.casefold(), beginning.startswith(".")
    with os.scandir(folder) as scanned:
        found = list(islice(scanned, SCANNED_MAX + 1))
    kept = [
        entry
        for entry in found[:SCANNED_MAX]
        if entry.name.casefold().startswith(wanted) and (is_hidden_wanted or not entry.name.startswith("."))
    ]
    return kept, len(found) > SCANNED_MAX


def _completion(above: str, entry: os.DirEntry[str]) -> Completion | None:
    """None for what no reference can lead to."""
    try:
        is_folder = entry.is_dir()
        if not is_folder and not entry.is_file():
            return None
    except OSError:
        return None
    path = f"{above}{entry.name}/" if is_folder else above + entry.name
    # A folder that is called `~` is not what `~/` means.
    is_other = path.startswith("~/") and not above
    text = written(path)
    if text is None or is_other or legible(path) != path:
        return None
    return Completion(text=text, kind="folder" if is_folder else "file")
