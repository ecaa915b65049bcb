"""Which tools is a model told about at first, and which only by name?

Some are needed in most tasks and are described in every request. The others are deferred: ToolSearch lists their names
and describes them when asked. A deferred tool can be called all the same.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from daedal.protocol.catalogue import say
from daedal.protocol.errors import ConfigurationError
from daedal.protocol.model import ToolSpec
from daedal.tools.settings import ToolSettings
from daedal.tools.specs import NAMES, bash_spec, spec_of
from daedal.tools.worlds import Listing, Worlds

AT_FIRST = frozenset(
    ("Read", "Write", "Edit", "Bash", "Glob", "Grep", "AskUserQuestion", "TodoWrite", "Agent", "Skill", "ToolSearch")
)
"""Agent and Skill only where there is an agent or a skill."""
LISTED_CHARACTERS_MAX = 3000
"""Of all names and descriptions in one list, since the list is in every request."""
LINE_CHARACTERS_MAX = 200


def offered(settings: ToolSettings, worlds: Worlds) -> list[ToolSpec]:
    """The built-in tools that are enabled. Raises ConfigurationError for names that no tool has."""
    for name in settings.enabled:
        if name not in NAMES:
            raise ConfigurationError(say("tools.unknown", name=name, known=", ".join(NAMES)))
    enabled = [name for name in NAMES if not settings.enabled or name in settings.enabled]
    types, skills = worlds.agents.types(), worlds.skills.listed()
    empty = {name for name, listings in (("Agent", types), ("Skill", skills)) if not listings}
    # Without ToolSearch nobody would find what is deferred.
    at_first = AT_FIRST - empty if settings.defer and "ToolSearch" in enabled else frozenset(NAMES)
    later = [name for name in enabled if name not in at_first]
    further = [spec.name for spec in worlds.tools() if spec.is_deferred] if "ToolSearch" in enabled else []
    texts = {
        "Agent": ("{types}", _listed("Types", types)),
        "Skill": ("{skills}", _listed("Skills", skills)),
        "ToolSearch": ("{names}", _named([*later, *further])),
    }
    specs = [bash_spec(settings) if name == "Bash" else spec_of(name) for name in enabled]
    return [
        replace(
            spec,
            description=spec.description.replace(*texts[spec.name]) if spec.name in texts else spec.description,
            is_deferred=spec.name in later,
        )
        for spec in specs
    ]


def _listed(heading: str, listings: list[Listing]) -> str:
    if not listings:
        return "None are configured here."
    return f"{heading}:" + _within(f"\n- {_line(f'{listing.name}: {listing.description}')}" for listing in listings)


def _named(names: list[str]) -> str:
    if not names:
        return "All tools are described to you already."
    return "There are:" + _within(f" {name}," for name in names).rstrip(",")


def _within(entries: Iterable[str]) -> str:
    """As many as there is room for, and how many more there are."""
    shown, room, left_out = "", LISTED_CHARACTERS_MAX, 0
    for entry in entries:
        room -= len(entry)
        if room >= 0:
            shown += entry
        else:
            left_out += 1
    return f"{shown} and {left_out} more" if left_out else shown


def _line(text: str) -> str:
    flat = " ".join(text[: LINE_CHARACTERS_MAX * 4].split())
    return flat if len(flat) <= LINE_CHARACTERS_MAX else f"{flat[: LINE_CHARACTERS_MAX - 1]}…"
