"""What does a rule say? One line such as `Bash(go test:*)`, taken apart and checked."""

import re
from enum import Enum, auto

from msgspec import Struct

from daedal.permissions.rules.globs import glob_matches
from daedal.permissions.rules.names import EDITORS, LEGACY, READERS, SEARCHERS, covered_by, is_mcp
from daedal.protocol.catalogue import say

LENGTH_MAX = 4096
_LITERAL = re.compile(r"(\w+)=(.+)", re.DOTALL)
_SHAPE = re.compile(r"([^()]*)\((.*)\)", re.DOTALL)
_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*")
_MCP_NAME = re.compile(r"mcp__[A-Za-z0-9_.*-]+")
_DOMAIN = re.compile(r"(?:\*\.)?[^\s/:@#?*\\]+|\*")
_URL = re.compile(r"https?://[^\s/@\\#]+(?:/[^\s\\#]*)?", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class Kind(Enum):
    """How the specifier is read."""

    ANY = auto()
    """There is none: every call of the tool."""
    PREFIX = auto()
    """A command that starts with these words."""
    WILDCARD = auto()
    """Text in which `*` stands for anything."""
    EXACT = auto()
    """This very text."""
    PATH = auto()
    """Paths, as `.gitignore` writes them."""
    DOMAIN = auto()
    URL = auto()


class Rule(Struct, frozen=True, kw_only=True):
    text: str
    """As it was written."""
    tools: frozenset[str]
    """Canonical names; for MCP one pattern."""
    kind: Kind
    specifier: str = ""
    source: str = "settings"
    """Who gave it: `managed`, `settings`, `user`, `project`, `flag` or `session`."""

    @property
    def name(self) -> str:
        return self.text.partition("(")[0].strip()


def parse_rule(text: str, *, source: str = "settings") -> Rule:
    """The rule. Raises ValueError whose text says to a person what is wrong with it."""
    line = text.strip()
    if not line:
        raise ValueError(say("permissions.empty"))
    if len(line) > LENGTH_MAX or _CONTROL.search(line):
        raise ValueError(say("permissions.unreadable"))
    literal = _LITERAL.fullmatch(line)
    if literal and literal[1] in LEGACY:
        tools, kind, specifier = covered_by(literal[1]), Kind.EXACT, literal[2].strip()
    elif is_mcp(line):
        tools, kind, specifier = frozenset((_mcp_name(line),)), Kind.ANY, ""
    else:
        tools, kind, specifier = _parts(line)
    return Rule(text=line, tools=tools, kind=kind, specifier=specifier, source=source)


def _mcp_name(line: str) -> str:
    if "(" in line:
        raise ValueError(say("permissions.mcp_specifier"))
    if not _MCP_NAME.fullmatch(line):
        raise ValueError(say("permissions.mcp_name"))
    return line


def _parts(line: str) -> tuple[frozenset[str], Kind, str]:
    if "(" not in line and ")" not in line:
        return covered_by(_tool(line)), Kind.ANY, ""
    shape = _SHAPE.fullmatch(line)
    if shape is None:
        raise ValueError(say("permissions.parentheses"))
    tools, specifier = covered_by(_tool(shape[1].strip())), shape[2].strip()
    if not specifier:
        raise ValueError(say("permissions.no_specifier", tool=shape[1].strip()))
    if specifier == "*":
        return tools, Kind.ANY, ""
    return tools, *_specifier(tools, specifier)


def _tool(name: str) -> str:
    if name in LEGACY or _NAME.fullmatch(name):
        return name
    raise ValueError(say("permissions.tool_name", name=name))


def _specifier(tools: frozenset[str], specifier: str) -> tuple[Kind, str]:
    if "Bash" in tools:
        return _command(specifier)
    if "WebFetch" in tools:
        return _address(specifier)
    if tools & (EDITORS | READERS - SEARCHERS):
        return Kind.PATH, _path(specifier)
    if specifier.endswith((":*", " *")):
        # Of a skill or an agent: this name with whatever follows.
        return Kind.WILDCARD, f"{specifier[:-2].strip()}*"
    return (Kind.WILDCARD if "*" in specifier else Kind.EXACT), specifier


def _command(specifier: str) -> tuple[Kind, str]:
    if specifier.endswith(":*"):
        prefix = specifier[:-2].strip()
        if not prefix:
            raise ValueError(say("permissions.no_prefix"))
        return (Kind.WILDCARD, f"{prefix} *") if "*" in prefix else (Kind.PREFIX, prefix)
    if ":*" in specifier:
        raise ValueError(say("permissions.prefix_inside"))
    if specifier.endswith(" *") and "*" not in specifier[:-2]:
        return Kind.PREFIX, specifier[:-2].strip()
    return (Kind.WILDCARD if "*" in specifier else Kind.EXACT), specifier


def _address(specifier: str) -> tuple[Kind, str]:
    if specifier.startswith("domain:"):
        domain = specifier.removeprefix("domain:").strip().lower()
        if not _DOMAIN.fullmatch(domain):
            raise ValueError(say("permissions.domain"))
        return Kind.DOMAIN, domain
    if _URL.fullmatch(specifier):
        return Kind.URL, specifier
    raise ValueError(say("permissions.address"))


def _path(specifier: str) -> str:
    if specifier.endswith(":*"):
        raise ValueError(say("permissions.prefix_of_path"))
    if specifier.startswith("!"):
        raise ValueError(say("permissions.negation"))
    try:
        glob_matches(specifier.lstrip("/~"), "x")
    except ValueError as error:
        raise ValueError(say("permissions.pattern", reason=error)) from error
    return specifier
