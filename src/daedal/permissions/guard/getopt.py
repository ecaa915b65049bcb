"""Which words of a command are options, which are their values, which are operands? As GNU getopt reads them."""

from collections.abc import Iterator
from typing import NamedTuple

from daedal.permissions.guard.arguments import Arg
from daedal.permissions.guard.refusal import Refused, Rule


class Syntax(NamedTuple):
    values: frozenset[str]
    """Options that take a value: `-o`, `--output`."""
    flags: frozenset[str] = frozenset()
    is_strict: bool = False
    """Whether an option in neither list is refused."""


class Reading(NamedTuple):
    options: list[tuple[str, Arg | None]]
    operands: list[Arg]

    def value(self, *names: str) -> Arg | None:
        return next((value for name, value in self.options if name in names and value is not None), None)

    def has(self, *names: str) -> bool:
        return any(name in names for name, _ in self.options)


def syntax(values: str = "", flags: str = "", *, is_strict: bool = False) -> Syntax:
    return Syntax(frozenset(values.split()), frozenset(flags.split()), is_strict)


def read(program: str, args: list[Arg], rules: Syntax) -> Reading:
    """Long options may be cut short; a word that only the shell knows is an operand, unless it may be an option."""
    options: list[tuple[str, Arg | None]] = []
    operands: list[Arg] = []
    rest = iter(args)
    for arg in args[: _end_of_options(args)]:
        if arg.may_split:
            refuse_hidden_option(arg)
    for arg in rest:
        text = arg.text if arg.text is not None else arg.known
        if text == "--":
            operands += rest
            break
        if text.startswith("--"):
            name, equals, value = text.partition("=")
            name = _whole(program, name, rules)
            if equals:
                options.append((name, _part(arg, value)))
            else:
                options.append((name, next(rest, None) if name in rules.values else None))
        elif text.startswith("-") and len(text) > 1:
            options += _cluster(program, arg, text, rules, rest)
        else:
            refuse_hidden_option(arg)
            operands.append(arg)
    return Reading(options, operands)


def _end_of_options(args: list[Arg]) -> int:
    return next((at for at, arg in enumerate(args) if arg.text == "--"), len(args))


def refuse_hidden_option(arg: Arg) -> None:
    if arg.text is None and arg.is_computed and (arg.may_split or not arg.starts_as_operand()):
        raise Refused(
            Rule.CONSTRUCT,
            f"{arg.raw} is computed by the line itself and could be an option. Write it out, or put it in quotes after "
            "a literal beginning such as ./",
        )


def _cluster(program: str, arg: Arg, text: str, rules: Syntax, rest: Iterator[Arg]) -> list[tuple[str, Arg | None]]:
    found: list[tuple[str, Arg | None]] = []
    for place, letter in enumerate(text[1:], 1):
        name = f"-{letter}"
        if name in rules.values:
            value = text[place + 1 :]
            found.append((name, _part(arg, value) if value else next(rest, None)))
            return found
        if rules.is_strict and name not in rules.flags:
            raise unknown_option(program, arg.raw)
        found.append((name, None))
    return found


def _part(arg: Arg, value: str) -> Arg:
    if arg.text is None:
        return Arg(arg.raw, None, arg.is_pattern, arg.is_computed, value)
    return Arg(arg.raw, value, arg.is_pattern)


def _whole(program: str, name: str, rules: Syntax) -> str:
    known = rules.values | rules.flags
    if name in known:
        return name
    found = [option for option in known if option.startswith(name)]
    if len(found) == 1:
        return found[0]
    if rules.is_strict or found:
        raise unknown_option(program, name)
    return name


def unknown_option(program: str, option: str) -> Refused:
    return Refused(Rule.OPTION, f"{program} {option} is not allowed here. Use {program} without this option.")
