"""What of a tool call do rules look at? Found out once per call, and only when a rule asks."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from daedal.permissions.rules.names import SEARCHERS, canonical
from daedal.permissions.rules.place import Place
from daedal.protocol.verdict import ToolRequest

if TYPE_CHECKING:
    from daedal.permissions.rules.denying import Match
    from daedal.permissions.rules.rule import Rule
    from daedal.permissions.shell import Script

PATH_KEYS = (
    "file_path notebook_path path source destination source_path"  # noqa: SIM905 - reads better
    " destination_path old_path new_path src dst dest from to".split()
)
"""Where tools are told about files; a move is told of two."""
SUBJECTS = {"WebFetch": "url", "WebSearch": "query", "Skill": "skill", "Agent": "subagent_type"}
SUBJECT_KEYS = ("command", "path", "file_path", "pattern", "url", "query", "name")
"""Where the subject of any other tool may stand."""


class Call:
    def __init__(self, request: ToolRequest, place: Place) -> None:
        self.request = request
        self.place = place
        self.tool = canonical(request.tool)
        self.matches: dict[Rule, Match] = {}
        """What rules were found to say about the line, so that no rule reads it twice."""

    @property
    def cwd(self) -> str:
        return self.request.cwd

    @cached_property
    def line(self) -> str | None:
        """The line of shell; None where the call has none that a shell could read."""
        command = self.request.input.get("command")
        return command if isinstance(command, str) else None

    @cached_property
    def script(self) -> "Script":
        from daedal.permissions.shell import parse

        return parse(self.line or "")

    @cached_property
    def commands(self) -> "list[list[str | None]]":
        """The words of each command in the line; None stands for what only the shell could know."""
        from daedal.permissions.rules.denying import told

        return told(self.script, self.place.home)

    @cached_property
    def resolved(self) -> list[str]:
        """Where the call's paths really lead."""
        return self.request.paths

    @cached_property
    def written(self) -> list[str]:
        """The call's paths as they were written, made absolute."""
        given = self.request.input
        found = [self.place.absolute(text, self.cwd) for text in told_paths(given)]
        if self.tool in SEARCHERS:
            start = found[0] if found else self.cwd
            found += [self.place.absolute(text, start) for key in ("glob", "pattern") if (text := _named(given, key))]
        return found

    @cached_property
    def has_odd_path(self) -> bool:
        """Whether something stands where a path should that is none."""
        given = self.request.input
        return any(given.get(key) is not None and _text(given, key) is None for key in PATH_KEYS)

    @cached_property
    def subject(self) -> str | None:
        """What the call is about, where that is no command, file or address."""
        given = self.request.input
        if self.tool == "Agent":
            return _text(given, "subagent_type") if given.get("subagent_type") is not None else "general-purpose"
        if self.tool == "Skill":
            skill = _text(given, "skill")
            return skill.removeprefix("/") if skill is not None else None
        keys = [SUBJECTS[self.tool]] if self.tool in SUBJECTS else SUBJECT_KEYS
        return next((text for key in keys if (text := _text(given, key)) is not None), None)


def told_paths(given: Mapping[str, Any]) -> list[str]:
    """What stands in the input where paths stand, as far as it is text."""
    single = [text for key in PATH_KEYS if (text := _text(given, key)) is not None]
    several = given.get("attachments")
    if not isinstance(several, list):
        return single
    return single + [text for text in cast("list[object]", several) if isinstance(text, str) and "\0" not in text]


def _text(given: Mapping[str, Any], key: str) -> str | None:
    value = given.get(key)
    return value if isinstance(value, str) and "\0" not in value else None


def _named(given: dict[str, Any], key: str) -> str | None:
    """A pattern that names files rather than text within them."""
    text = _text(given, key)
    return text if text and (key == "glob" or "/" in text or "." in text) else None
