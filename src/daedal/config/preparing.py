"""What does a prompt that may hold a command or references become?"""

import os
import re
from collections.abc import Callable, Sequence

from daedal.config.command_folders import CommandFolder, command_folders
from daedal.config.command_template import Rendered, as_typed, render
from daedal.config.commands import find, listed
from daedal.config.fences import Fences
from daedal.config.mentions import next_mention
from daedal.config.references import References
from daedal.protocol.catalogue import say
from daedal.protocol.errors import UsageError
from daedal.protocol.seams import Prepared

KNOWN_MAX = 10
"""Names that an error tells."""
SHORT_CHARS = 65_536
"""A text of that length is looked through at once."""

_CALL = re.compile(r"/(\w[\w.:-]{0,200})(?!\S)")


def is_plain(text: str) -> bool:
    """Whether there is certainly nothing to do, told in no time."""
    return len(text) <= SHORT_CHARS and _CALL.match(text) is None and next_mention(text) is None


def prepared(
    text: str, *, workspace: str, cwd: str, closed: Sequence[str], is_denied: Callable[[str], bool]
) -> Prepared:
    """Raises UsageError."""
    notices: list[str] = []
    called = _CALL.match(text)
    prompt = None
    if called is not None:
        prompt = _rendered(called[1], text[called.end() :].strip(), command_folders(workspace), notices)
    if prompt is None:
        prompt = as_typed(text)
    references = References(prompt, cwd=cwd, fences=Fences(workspace, closed, is_denied))
    references.resolve()
    return Prepared(text=prompt.text, attachments=references.attachments, notices=[*notices, *references.notices])


def _rendered(name: str, arguments: str, folders: list[CommandFolder], notices: list[str]) -> Rendered | None:
    """What the command says; None where it is none but a path, as in `/tmp is full`. Raises UsageError."""
    found = find(name, folders)
    if found.file is not None:
        notices += found.problems
        return render(found.file.body, arguments)
    if found.problems:
        raise UsageError(say("config.command.unusable", problem=found.problems[0]))
    if os.path.lexists(f"/{name}"):
        return None
    raise UsageError(_unknown(name, [info.name for info in listed(folders).data]))


def _unknown(name: str, known: list[str]) -> str:
    from difflib import get_close_matches

    if not known:
        return say("config.command.unknown_none", name=name)
    near = get_close_matches(name, known, n=3)
    told = ", ".join(f"/{one}" for one in [*near, *(one for one in known if one not in near)][:KNOWN_MAX])
    if near:
        return say("config.command.unknown_near", name=name, near=near[0], known=told)
    return say("config.command.unknown", name=name, known=told)
