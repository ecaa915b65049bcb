"""What does a SKILL.md say? Its name, when it is used, and how it runs; then instructions for the model.

`allowed-tools` and other keys are passed over: a file grants nothing.
"""

import os
import re

from daedal.config.frontmatter import Malformed, Matter
from daedal.config.legible import legible
from daedal.config.markdown_file import MarkdownFile
from daedal.config.one_line import one_line
from daedal.config.skill_info import SkillInfo
from daedal.protocol.catalogue import say

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}")
LINE_CHARS_MAX = 500
MODEL_CHARS_MAX = 200


def skill_info(file: MarkdownFile, path: str, source: str) -> SkillInfo:
    """Raises Malformed."""
    matter = file.matter or Matter()
    require_body(file)
    # The folder's name is part of what the model is told, even where the file says another.
    folder = safe_name(os.path.basename(os.path.dirname(path)))
    return SkillInfo(
        name=safe_name(matter.text("name") or folder),
        description=one_line(matter.text("description") or _first_line(file.body), LINE_CHARS_MAX),
        source=source,
        path=legible(path),
        argument_hint=one_line(matter.text("argument-hint"), LINE_CHARS_MAX),
        runs_as_subagent=matter.text("context") == "fork" or matter.text("runAs") == "subagent",
        agent=safe_name(agent) if (agent := matter.text("agent")) else "",
        model=said_model(matter),
        only_for_people=matter.flag("disable-model-invocation"),
    )


def safe_name(name: str) -> str:
    """Raises Malformed."""
    if not NAME.fullmatch(name):
        raise Malformed(say("config.kept.bad_name", name=one_line(name, 80)))
    return name


def require_body(file: MarkdownFile) -> None:
    """Raises Malformed."""
    if not file.body.strip():
        raise Malformed(say("config.command.empty"))


def said_model(matter: Matter) -> str:
    """Raises Malformed where it is no name: shown on one line it would be another one than is asked for."""
    model = matter.text("model")
    if one_line(model, MODEL_CHARS_MAX) != model:
        raise Malformed(say("config.kept.bad_model"))
    return model


def _first_line(body: str) -> str:
    return body.strip().partition("\n")[0].lstrip("#")
