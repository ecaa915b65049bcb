"""Does a rule speak about a call? Widely for a deny or an ask, narrowly for an allow."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from daedal.permissions.rules.addresses import domain_matches, read_address, url_matches
from daedal.permissions.rules.call import Call
from daedal.permissions.rules.globs import wildcard
from daedal.permissions.rules.names import EDITORS, READERS, is_mcp
from daedal.permissions.rules.place import path_matches
from daedal.permissions.rules.rule import Kind, Rule

if TYPE_CHECKING:
    from daedal.permissions.rules.denying import Match

_FILE_TOOLS = EDITORS | READERS


def forbids(rule: Rule, call: Call) -> bool:
    """Whether a deny or ask rule speaks about the call."""
    if call.tool == "Bash" and rule.kind is Kind.PATH:
        return _names_files_of(rule, call)
    if not _is_about(rule, call):
        return False
    if call.tool == "Bash" and rule.kind is not Kind.ANY:
        from daedal.permissions.rules.denying import Match

        return _in_line(rule, call) is Match.YES
    return _matches(rule, call, widely=True)


def may_forbid(rule: Rule, call: Call) -> bool:
    """Whether only the shell could know if a deny or ask rule speaks about the call."""
    if call.tool != "Bash" or call.line is None or not _is_about(rule, call) or rule.kind is Kind.ANY:
        return False
    from daedal.permissions.rules.denying import Match

    return _in_line(rule, call) is Match.MAYBE


def permitting(rules: Sequence[Rule], call: Call) -> Rule | None:
    """The allow rule that covers the call, or the first of those that do so together."""
    about = [rule for rule in rules if _is_about(rule, call)]
    if call.tool != "Bash" or all(rule.kind is Kind.ANY for rule in about):
        single = next((rule for rule in about if _matches(rule, call, widely=False)), None)
        return single or _together(about, call)
    if call.line is None:
        return next((rule for rule in about if rule.kind is Kind.ANY), None)
    from daedal.permissions.rules.covering import covering

    return covering(about, call.line, call.script, call.cwd, call.place)


def _together(rules: Sequence[Rule], call: Call) -> Rule | None:
    """Several rules may cover the several paths of one call, as of a move."""
    if len(call.resolved) < 2 or call.has_odd_path:
        return None
    paths = [rule for rule in rules if rule.kind is Kind.PATH]
    used = [
        next((rule for rule in paths if path_matches(rule.specifier, [path], call.place, widely=False)), None)
        for path in call.resolved
    ]
    return used[0] if all(used) else None


def _is_about(rule: Rule, call: Call) -> bool:
    if call.tool in rule.tools:
        return True
    if is_mcp(call.tool):
        return any(_is_server(name, call.tool) for name in rule.tools if is_mcp(name))
    return False


def _is_server(name: str, tool: str) -> bool:
    """`mcp__github` and `mcp__github__*` mean every tool of that server, not of another that begins alike."""
    if "*" in name:
        return wildcard(name).match(tool) is not None
    return "__" not in name.removeprefix("mcp__") and tool.startswith(f"{name}__")


def _in_line(rule: Rule, call: Call) -> "Match":
    from daedal.permissions.rules.denying import Match, names, names_raw

    if call.line is None:
        given = call.request.input.get("command")
        text = " ".join(map(str, given)) if isinstance(given, list | tuple) else str(given or "")  # type: ignore[arg-type]
        return Match.YES if names_raw(rule, text) else Match.NO
    if rule not in call.matches:
        call.matches[rule] = names(rule, call.line, call.commands, in_doubt=bool(call.script.doubts))
    return call.matches[rule]


def _names_files_of(rule: Rule, call: Call) -> bool:
    """What may not be read or edited may not be so by a command either, as far as that is plain to see."""
    if call.line is None:
        return False
    from daedal.permissions.rules.writing import shown, written

    paths: list[str] = []
    if "Read" in rule.tools:
        paths += shown(call.script, call.cwd, call.place)
    if rule.tools & EDITORS:
        paths += written(call.script, call.cwd, call.place)
    return path_matches(rule.specifier, paths, call.place, widely=True)


def _matches(rule: Rule, call: Call, *, widely: bool) -> bool:
    match rule.kind:
        case Kind.ANY:
            return True
        case Kind.PATH:
            return names_paths(rule, call, widely=widely)
        case Kind.DOMAIN | Kind.URL:
            address = read_address(call.subject)
            fits = domain_matches if rule.kind is Kind.DOMAIN else url_matches
            return address is not None and fits(rule.specifier, address, widely=widely)
        case Kind.EXACT if call.tool in _FILE_TOOLS and call.written:
            return _is_path(rule.specifier, call, widely=widely)
        case Kind.EXACT:
            return call.subject == rule.specifier
        case _:
            return call.subject is not None and wildcard(rule.specifier).match(call.subject) is not None


def names_paths(rule: Rule, call: Call, *, widely: bool) -> bool:
    if widely:
        paths = [*call.resolved, *call.written]
        below = call.tool in READERS and call.tool != "Read"
        return path_matches(rule.specifier, paths, call.place, widely=True, below=below)
    # Every path must be named where it really leads; one that could not be found out is not.
    if not call.resolved or call.has_odd_path:
        return False
    return all(path_matches(rule.specifier, [path], call.place, widely=False) for path in call.resolved)


def _is_path(specifier: str, call: Call, *, widely: bool) -> bool:
    wanted = call.place.absolute(specifier, call.place.workspace)
    if widely:
        return wanted in (*call.resolved, *call.written) or call.subject == specifier
    return bool(call.resolved) and all(path == wanted for path in call.resolved)
