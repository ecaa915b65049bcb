"""What does the file of an agent type say? Its name, when it is used, what it may use; then its system prompt.

A file only narrows: which tools, how many turns, planning alone. Any other `permissionMode` is passed over, and so are
hooks and servers: a file grants nothing.
"""

import os
import re

from msgspec import Struct

from daedal.config.agent_type import AgentType
from daedal.config.frontmatter import Malformed, Matter
from daedal.config.legible import legible
from daedal.config.markdown_file import MarkdownFile
from daedal.config.one_line import one_line
from daedal.config.skill_file import LINE_CHARS_MAX, require_body, safe_name, said_model
from daedal.protocol.catalogue import say
from daedal.protocol.model import EFFORTS

ENDING = ".md"
TOOLS_MAX = 200
TURNS_DIGITS_MAX = 6

_TOOL = re.compile(r"([A-Za-z0-9_.:*-]{1,128})(\(.*\))?", re.DOTALL)
_ALL = "*"


class ReadType(Struct, frozen=True):
    type: AgentType
    notes: list[str]
    """What of it does not count, and why."""


def read_type(file: MarkdownFile, path: str, source: str) -> ReadType:
    """Raises Malformed."""
    if file.matter is None:
        raise Malformed(say("config.agent.no_matter"))
    require_body(file)
    matter, notes = file.matter, list[str]()
    description = one_line(matter.text("description"), LINE_CHARS_MAX)
    if not description:
        raise Malformed(say("config.agent.no_description"))
    tools = matter.names("tools")
    found = AgentType(
        name=safe_name(matter.text("name") or os.path.basename(path).removesuffix(ENDING)),
        description=description,
        source=source,
        path=legible(path),
        tools=None if tools is None or _ALL in tools else _whole(tools, notes),
        disallowed=[name for name, _ in _tools(matter.names("disallowedTools") or [])],
        model=said_model(matter),
        max_turns=_turns(matter),
        effort=_effort(matter),
        isolation=_isolation(matter),
        plans_only=matter.text("permissionMode") == "plan",
        in_background=matter.flag("background"),
    )
    return ReadType(found, notes)


def _whole(written: list[str], notes: list[str]) -> list[str]:
    """Tools without those that are meant for some inputs only: as a whole they would be more than was said."""
    whole: list[str] = []
    for name, inputs in _tools(written):
        if inputs:
            notes.append(say("config.agent.some_inputs", tool=one_line(name + inputs, LINE_CHARS_MAX)))
        else:
            whole.append(name)
    return whole


def _tools(written: list[str]) -> list[tuple[str, str]]:
    """Names, and for which inputs, once each. Raises Malformed."""
    if len(written) > TOOLS_MAX:
        raise Malformed(say("config.agent.too_many_tools", limit=TOOLS_MAX))
    found: dict[tuple[str, str], None] = {}
    for text in written:
        tool = _TOOL.fullmatch(text)
        if tool is None:
            raise Malformed(say("config.agent.bad_tool", tool=one_line(text, 80)))
        found[tool[1], tool[2] or ""] = None
    return list(found)


def _turns(matter: Matter) -> int | None:
    text = matter.text("maxTurns")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= TURNS_DIGITS_MAX and int(text)):
        raise Malformed(say("config.agent.bad_turns", limit=10**TURNS_DIGITS_MAX - 1))
    return int(text)


def _effort(matter: Matter) -> str | None:
    text = matter.text("effort")
    if text and text not in EFFORTS:
        raise Malformed(say("config.agent.bad_effort", known=", ".join(EFFORTS)))
    return text or None


def _isolation(matter: Matter) -> str:
    text = matter.text("isolation")
    if text not in ("", "none", "worktree"):
        raise Malformed(say("config.agent.bad_isolation"))
    return text if text == "worktree" else ""
