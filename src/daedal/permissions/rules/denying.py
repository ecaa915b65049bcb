"""Does a rule name something in a line of shell, wherever it hides? Read widely: for deny and ask.

One simple command is enough, however it is quoted, wrapped or chained. Where the line leaves open what it would run,
the answer may be that only the shell could know; then nothing lets it pass unasked.
"""

import os
import re
from collections.abc import Sequence
from enum import Enum, auto
from functools import lru_cache

from daedal.permissions.rules.globs import wildcard
from daedal.permissions.rules.rule import Kind, Rule
from daedal.permissions.rules.words import Words, assigned, rule_words, texts
from daedal.permissions.shell import Script

_OPERATOR = re.compile(r"[|;&<>$`=]")
_QUOTES = re.compile(r"[\"'\\]")
_EDGE = r"(?:^|(?<=[\s;&|(){}`/=!<>$]))"
_END = r"(?=$|[\s;&|(){}`<>])"


class Match(Enum):
    NO = auto()
    MAYBE = auto()
    YES = auto()


def told(script: Script, home: str) -> list[list[str | None]]:
    """The words of each command, as far as the line tells."""
    known = assigned(script, home)
    commands = [command.words for command in script.commands if command.words]
    # A program that is a pattern may be any.
    return [
        [None, *texts(words[1:], known)] if words[0].is_pattern else texts(words, known) or [None] for words in commands
    ]


def names(rule: Rule, line: str, commands: Sequence[Words], *, in_doubt: bool) -> Match:
    """Whether the rule names one of the commands of the line, or only the shell could know."""
    if any(_fits(rule, words) for words in commands) or _is_whole(rule, line):
        return Match.YES
    if in_doubt:
        return Match.YES if _stands_in(rule, line) else Match.MAYBE
    return Match.MAYBE if any(_could_fit(rule, words) for words in commands) else Match.NO


def _is_whole(rule: Rule, line: str) -> bool:
    """Whether the rule names several commands at once: `curl * | sh`."""
    if _OPERATOR.search(rule.specifier) is None:
        return False
    plain, wanted = " ".join(line.split()), " ".join(rule.specifier.split())
    match rule.kind:
        case Kind.WILDCARD:
            return wildcard(wanted).match(plain) is not None
        case Kind.PREFIX:
            return plain == wanted or plain.startswith(f"{wanted} ")
        case _:
            return plain == wanted


def names_raw(rule: Rule, line: str) -> bool:
    """For a command that is no line of shell: what its text says."""
    return _stands_in(rule, line)


def _fits(rule: Rule, words: Words) -> bool:
    """Whether the rule names the command. A program that hides is taken for the rule's, if the words after it are."""
    if words[0] is None:
        head = _head(rule)
        if len(head) < 2 or len(words) < 2:
            return False
        words = [head[0], *words[1:]]
    # A blank is never a word, so it can stand for one that is unknown.
    told = [text if text is not None else " " for text in words]
    return any(_says(rule, variant) for variant in _spellings(told))


def _spellings(words: Sequence[str]) -> list[list[str]]:
    """With the program's path, and by its name alone: `/bin/rm` is `rm`."""
    program, rest = words[0], list(words[1:])
    return [[program, *rest], [os.path.basename(program), *rest]] if "/" in program else [[program, *rest]]


def _says(rule: Rule, words: list[str]) -> bool:
    match rule.kind:
        case Kind.PREFIX:
            wanted = rule_words(rule.specifier)
            return tuple(words[: len(wanted)]) == wanted
        case Kind.EXACT:
            return tuple(words) == rule_words(rule.specifier)
        case _:
            return _wildcard(rule.specifier).match(" ".join(words)) is not None


def _could_fit(rule: Rule, words: Words) -> bool:
    """Whether what is unknown could be what the rule names: all before it is as the rule has it."""
    if None not in words:
        return False
    head = _head(rule)
    first = words.index(None)
    before = tuple(os.path.basename(text or "") if at == 0 else text for at, text in enumerate(words[:first]))
    return first < max(len(head), 1) and before == head[:first]


def _head(rule: Rule) -> tuple[str, ...]:
    """The words that the rule begins with, as far as it says them in full or in part."""
    if rule.kind is Kind.WILDCARD:
        return tuple(rule.specifier.partition("*")[0].split())
    return rule_words(rule.specifier)


@lru_cache(maxsize=512)
def _wildcard(specifier: str) -> re.Pattern[str]:
    """A blank and a star at the end may stand for nothing: `git * main *` also names `git push main`."""
    if specifier.endswith(" *"):
        return re.compile(f"(?:{wildcard(specifier).pattern}|{wildcard(specifier[:-2]).pattern})", re.DOTALL)
    return wildcard(specifier)


def _stands_in(rule: Rule, line: str) -> bool:
    """Whether the words stand anywhere in the text, quotes taken away."""
    plain = " ".join(_QUOTES.sub("", line).split())
    wanted = " ".join(_QUOTES.sub("", rule.specifier).split())
    if rule.kind is Kind.WILDCARD:
        head = wanted.partition("*")[0].rstrip()
        return head != "" and re.search(_EDGE + re.escape(head), plain) is not None
    return re.search(_EDGE + re.escape(wanted) + _END, plain) is not None
