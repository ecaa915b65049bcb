"""What could a person allow, so as not to be asked again? Rules for a call, the narrowest first."""

from msgspec import Struct

from daedal.permissions.rules.call import Call
from daedal.permissions.rules.globs import escaped
from daedal.permissions.rules.matching import permitting
from daedal.permissions.rules.names import EDITORS, READERS, is_mcp
from daedal.permissions.rules.place import Place
from daedal.permissions.rules.rule import Rule, parse_rule
from daedal.protocol.verdict import ToolRequest

HARMLESS = frozenset(
    "basename cat cut date df diff dirname du echo eslint file grep head jest ls mypy pwd pyright"  # noqa: SIM905 - reads better
    " pytest rg ruff sort stat tail tree tsc uniq vitest wc which".split()
)
"""Programs of which any call may be allowed at once: they look, compare and check."""
WITH_SUBCOMMAND = frozenset(
    ("bundle", "cargo", "composer", "gh", "git", "go", "npm", "pip", "pnpm", "poetry", "uv", "yarn")
)
OPEN_ENDED = frozenset(
    ("alias", "api", "auth", "bisect", "config", "dlx", "exec", "filter-branch", "rebase", "submodule", "x")
)
"""Subcommands that run whatever they are given."""


class Suggestions(Struct, frozen=True):
    for_session: list[str]
    always: list[str]


def suggested(request: ToolRequest, *, workspace: str, home: str) -> Suggestions:
    """Rules that would allow the call: for the session, and to be written down. Each keeps its promise."""
    call = Call(request, Place(workspace=workspace, home=home))
    if call.tool in EDITORS:
        return Suggestions(["Edit"], _paths("Edit", call))
    if call.tool in READERS:
        return Suggestions(_paths("Read", call), _paths("Read", call))
    rules = [rule.text for rule in _parsed(_others(call)) if permitting([rule], call)]
    return Suggestions(rules, rules)


def _paths(family: str, call: Call) -> list[str]:
    """One rule for each path, or none at all: a name with odd characters may not fit into a rule."""
    if any(path != path.strip() for path in call.resolved):
        return []
    rules = _parsed([f"{family}(/{escaped(path)})" for path in call.resolved])
    return [rule.text for rule in rules] if permitting(rules, call) else []


def _others(call: Call) -> list[str]:
    if call.tool == "Bash":
        return _commands(call)
    if is_mcp(call.request.tool):
        return [call.request.tool]
    if call.tool == "WebFetch":
        from daedal.permissions.rules.addresses import read_address

        address = read_address(call.subject)
        return [f"WebFetch(domain:{address.host})"] if address and address.is_plain else []
    if call.tool in ("Agent", "Skill") and call.subject:
        return [f"{call.tool}({call.subject})"]
    return [call.tool]


def _commands(call: Call) -> list[str]:
    line = (call.line or "").strip()
    # A star would turn the command into a pattern, and a colon before it into a prefix.
    exact = [f"Bash({line})"] if line and "*" not in line and "\n" not in line else []
    script = call.script
    if script.doubts or len(script.commands) != 1 or script.commands[0].within:
        return exact
    words = [word.text for word in script.commands[0].words if not word.is_pattern]
    prefix = _prefix([word or "" for word in words])
    return [*exact, f"Bash({prefix}:*)"] if prefix else exact


def _prefix(words: list[str]) -> str | None:
    """The beginning of the command that says what it is for; None where that would allow too much."""
    program, subcommand, script = (*words, "", "", "")[:3]
    if program in HARMLESS:
        return program
    if program not in WITH_SUBCOMMAND or not _is_name(subcommand) or subcommand in OPEN_ENDED:
        return None
    if subcommand != "run":
        return f"{program} {subcommand}"
    return f"{program} run {script}" if _is_name(script) else None


def _is_name(word: str) -> bool:
    return word[:1].isalpha() and word.replace("-", "").replace(":", "").replace("_", "").isalnum()


def _parsed(texts: list[str]) -> list[Rule]:
    rules: list[Rule] = []
    for text in dict.fromkeys(texts):
        try:
            rules.append(parse_rule(text))
        except ValueError:
            continue
    return rules
