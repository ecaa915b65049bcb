"""Is all of a line of shell allowed? Read narrowly: every simple command in it needs a rule.

Substitutions, doubts, programs that only the shell could name, redirections out of the workspace and variables that
change how programs run are covered by no rule about a command. Only a rule that is the very line, and a rule for the
tool as a whole, cover such a line.
"""

from collections.abc import Sequence

from daedal.permissions.baseline import steers
from daedal.permissions.rules.globs import wildcard
from daedal.permissions.rules.place import Place
from daedal.permissions.rules.rule import Kind, Rule
from daedal.permissions.rules.words import expanded, rule_words
from daedal.permissions.shell import Command, Redirect, Script, Word

HARMLESS_VARIABLES = frozenset(
    "CI COLUMNS COLORTERM CGO_ENABLED DEBUG FORCE_COLOR GO111MODULE GOARCH GOOS LANG LC_ALL"  # noqa: SIM905 - reads better
    " LC_CTYPE LINES NODE_ENV NO_COLOR PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED RUST_BACKTRACE RUST_LOG TERM TZ".split()
)
"""What may be set for one command without making it another: nothing that names a program, a library or a file."""

TRANSPARENT = frozenset(("nice", "nohup", "stdbuf", "time", "timeout"))
"""Programs that only start another one: their command is as allowed as the one they start."""

MOVERS = frozenset(("cd", "chdir", "popd", "pushd"))


def covering(rules: Sequence[Rule], line: str, script: Script, cwd: str, place: Place) -> Rule | None:
    """A rule that allows the line, or the first of several that do so together; None where something stays open."""
    whole = next((rule for rule in rules if rule.kind is Kind.ANY or _is_the_line(rule, line)), None)
    if whole:
        return whole
    if script.doubts or not script.commands or any(_is_substituted(command) for command in script.commands):
        return None
    moves = any(command.words and command.words[0].text in MOVERS for command in script.commands)
    used: list[Rule] = []
    for position, command in enumerate(script.commands):
        if _only_counts(command):
            continue
        if not _is_contained(command, cwd, place, moves=moves):
            return None
        if _only_starts_another(command, script.commands[position + 1 :]):
            continue
        rule = next((rule for rule in rules if _covers(rule, command)), None)
        if rule is None:
            return None
        used.append(rule)
    return used[0] if used else None


def _is_the_line(rule: Rule, line: str) -> bool:
    return rule.kind is Kind.EXACT and line.strip() == rule.specifier


def _is_substituted(command: Command) -> bool:
    return any("substitution" in around or "function" in around for around in command.within)


def _only_counts(command: Command) -> bool:
    """Whether it is a loop's own variable, by a name that no program looks for."""
    names = [name for name, _ in command.assignments]
    is_loop = not command.words and not command.redirects and command.within[-1:] == ("for",)
    return is_loop and all(name.islower() and "proxy" not in name for name in names)


def _only_starts_another(command: Command, following: Sequence[Command]) -> bool:
    program = command.words[0].text if command.words else None
    return program in TRANSPARENT and any(f"wrapper:{program}" in other.within for other in following)


def _covers(rule: Rule, command: Command) -> bool:
    words = command.words
    if not words or words[0].text is None or words[0].is_pattern:
        return False
    told = [word.text for word in words]
    match rule.kind:
        case Kind.PREFIX:
            wanted = rule_words(rule.specifier)
            return tuple(told[: len(wanted)]) == wanted and not _hides(words[: len(wanted)])
        case Kind.EXACT:
            return tuple(told) == rule_words(rule.specifier) and not _hides(words)
        case Kind.WILDCARD:
            # What is unknown can only be covered by a star.
            text = " ".join("\0" if part is None else part for part in told)
            return wildcard(rule.specifier).match(text) is not None
        case _:
            return False


def _hides(words: Sequence[Word]) -> bool:
    """Whether the shell may put other words in the place of one that a rule names."""
    return any(word.is_pattern for word in words)


def _is_contained(command: Command, cwd: str, place: Place, *, moves: bool) -> bool:
    if not all(name in HARMLESS_VARIABLES and value.text is not None for name, value in command.assignments):
        return False
    return all(_stays_inside(redirect, cwd, place, moves=moves) for redirect in command.redirects)


def _stays_inside(redirect: Redirect, cwd: str, place: Place, *, moves: bool) -> bool:
    if redirect.operator.startswith("<<"):
        return True
    target = expanded(redirect.target, {"HOME": place.home})
    if target is None or redirect.target.is_pattern or not target:
        return False
    if redirect.operator.endswith("&") and not redirect.writes:
        return target.isdigit() or target == "-"
    if target == "/dev/null":
        return True
    if moves and not target.startswith("/"):
        return False
    path = place.resolve(place.absolute(target, cwd))
    return place.is_home(path) and not (redirect.writes and steers(path))
