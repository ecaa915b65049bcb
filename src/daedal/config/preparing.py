"""What does a prompt that may hold a command, a skill or references become?"""

import os
import re
from collections.abc import Callable, Sequence

from msgspec import Struct

from daedal.config.command_folders import command_folders
from daedal.config.command_template import Rendered, as_typed, render
from daedal.config.commands import find, listed
from daedal.config.fences import Fences
from daedal.config.mentions import next_mention
from daedal.config.references import References
from daedal.config.skill_settings import SkillSettings
from daedal.config.skills import SkillShelf
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


class Ground(Struct, frozen=True, kw_only=True):
    """Where a prompt is typed, and what it may reach from there."""

    workspace: str
    cwd: str
    skills: SkillSettings
    closed: Sequence[str]
    is_denied: Callable[[str], bool]


def prepared(text: str, ground: Ground) -> Prepared:
    """Raises UsageError."""
    notices: list[str] = []
    called = _CALL.match(text)
    prompt = None
    if called is not None:
        prompt = _rendered(called[1], text[called.end() :].strip(), ground, notices)
    if prompt is None:
        prompt = as_typed(text)
    references = References(prompt, cwd=ground.cwd, fences=Fences(ground.workspace, ground.closed, ground.is_denied))
    references.resolve()
    return Prepared(text=prompt.text, attachments=references.attachments, notices=[*notices, *references.notices])


def _rendered(name: str, arguments: str, ground: Ground, notices: list[str]) -> Rendered | None:
    """What the command or the skill says; None where it is but a path, as in `/tmp is full`. Raises UsageError."""
    folders = command_folders(ground.workspace)
    found = find(name, folders)
    if found.file is not None:
        notices += found.problems
        return render(found.file.body, arguments)
    if found.problems:
        raise UsageError(say("config.command.unusable", problem=found.problems[0]))
    shelf = SkillShelf(ground.workspace, ground.skills)
    skills = [skill.name for skill in shelf.listed()]
    if name in skills:
        return Rendered(shelf.load(name, arguments).text, [])
    if os.path.lexists(f"/{name}"):
        return None
    raise UsageError(_unknown(name, [*(info.name for info in listed(folders).data), *skills]))


def _unknown(name: str, known: list[str]) -> str:
    from difflib import get_close_matches

    if not known:
        return say("config.command.unknown_none", name=name)
    near = get_close_matches(name, known, n=3)
    told = ", ".join(f"/{one}" for one in [*near, *(one for one in known if one not in near)][:KNOWN_MAX])
    if near:
        return say("config.command.unknown_near", name=name, near=near[0], known=told)
    return say("config.command.unknown", name=name, known=told)
