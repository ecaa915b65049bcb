"""What do the words of a command say, with the variables of the line put in where they are known?"""

import re
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from daedal.permissions.shell import Command, Word

_PRINTED = (
    r"\$\((?:pwd|git (?:rev-parse|merge-base|describe|symbolic-ref|branch)(?: (?:--abbrev-ref|--short|--verify|--quiet"
    r"|-q|--show-toplevel|--tags|--abbrev=0|--always|--show-current|--git-dir|--fork-point|--exact-match"
    r"|--symbolic-full-name|[\w./~^@{}][\w./~^@{}-]*))*)\)"
)
_REVISION = re.compile(rf'(?:[\w./~^@{{}}:"]|{_PRINTED})+')
"""Revisions and folders as git itself prints them, which are never options."""
_SHELLS_OWN = re.compile(r"_|IFS|BASH\w*")
_SPLITTING = re.compile(r"[\s*?\[]")
_COMBINATIONS_MAX = 32
_CONDITIONAL = frozenset({"condition", "branch", "loop", "function"})
_ASSIGNING = frozenset({"read", "export", "unset", "mapfile", "readarray", "declare", "typeset", "local", "readonly"})


class Arg(NamedTuple):
    raw: str
    text: str | None
    """None where only the shell knows; otherwise the word, or the pattern, that the command would get."""
    is_pattern: bool = False
    is_computed: bool = False
    """Unknown, and made by this line itself: it may be anything, an option as well."""
    known: str = ""
    """Of an unknown word, what is known: its parts with a NUL for each unknown one."""
    may_split: bool = False
    """Unknown and unquoted: it may become several words, options among them."""

    def starts_as_operand(self) -> bool:
        """Whether it cannot be an option, although the whole is unknown."""
        return bool(self.known) and self.known[0] not in "-\0"


class _Value(NamedTuple):
    texts: tuple[tuple[str, bool], ...]
    """Each possible text, and whether it is a pattern. Empty where the line itself made it unknown."""
    scope: tuple[int, ...]
    is_plain: bool = False
    """Unknown, but a revision or a folder for certain."""


Chosen = dict[str, tuple[str, bool]]
"""One possible value for each variable that may have several."""


class Variables:
    """What the line has assigned so far, in the order in which it is read."""

    def __init__(self, commands: list[Command], home: str) -> None:
        self._home = home
        self._values: dict[str, _Value] = {}
        self._unsteady = {
            name
            for command in commands
            if "loop" in command.within and command.within[-1] != "for"
            for name in _assigned(command)
        }
        """Assigned inside a loop: the commands before that assignment see it as well, one round later."""

    def take(self, command: Command) -> None:
        """Takes in what the command assigns. Assignments in front of a program hold only for that program."""
        by_name: dict[str, list[Word]] = {}
        for name, word in command.assignments:
            by_name.setdefault(name, []).append(word)
        is_for = command.within[-1:] == ("for",)
        certain = not command.words and (is_for or (command.joined == ";" and _CONDITIONAL.isdisjoint(command.within)))
        for name in _assigned(command):
            words = by_name.get(name, [])
            texts = tuple((word.text, word.is_pattern) for word in words if word.text is not None)
            known = certain and texts and len(texts) == len(words) and name not in self._unsteady
            is_plain = bool(words) and all(_REVISION.fullmatch(word.raw) for word in words)
            self._values[name] = _Value(texts if known else (), command.scope, is_plain)

    def choices(self, command: Command) -> Iterator[Chosen]:
        """Every combination of values that the variables of the command's words may have."""
        words = command.words + [redirect.target for redirect in command.redirects]
        names = sorted({name for word in words for name in self._ambiguous(word, command.scope)})
        choices = [self._values[name].texts for name in names]
        combinations = 1
        for choice in choices:
            combinations *= len(choice)
        if combinations > _COMBINATIONS_MAX:
            names, choices = [], []
        for chosen in product(*choices):
            yield dict(zip(names, chosen, strict=True))

    def _ambiguous(self, word: Word, scope: tuple[int, ...]) -> Iterator[str]:
        for piece in word.pieces:
            value = self._values.get(piece.variable or "")
            if value is not None and len(value.texts) > 1 and _is_seen(value, scope):
                yield piece.variable or ""

    def arg(self, word: Word, scope: tuple[int, ...], cwd: str | None, fixed: Chosen | None = None) -> Arg:
        if word.text is not None:
            return Arg(word.raw, word.text, word.is_pattern)
        parts: list[str] = []
        is_pattern, is_unknown, is_computed = word.is_pattern, not word.pieces, not word.pieces
        may_split = not word.pieces
        for piece in word.pieces:
            if piece.text is not None:
                parts.append(piece.text)
                continue
            found = self._value(piece.variable, scope, cwd, fixed or {})
            if found is not None and (piece.is_quoted or not _SPLITTING.search(found[0]) or found[1]):
                parts.append(found[0])
                is_pattern = is_pattern or found[1]
            else:
                parts.append("\0")
                is_unknown = True
                may_split = may_split or not piece.is_quoted
                is_computed = is_computed or self._is_computed(piece.variable)
        known = "".join(parts)
        is_computed = is_computed and not _REVISION.fullmatch(word.raw)
        if not is_unknown:
            return Arg(word.raw, known, is_pattern)
        return Arg(word.raw, None, is_pattern, is_computed, known, may_split)

    def _is_computed(self, name: str | None) -> bool:
        """Whether the line itself may have made the value, rather than whoever started the shell."""
        if name in self._values:
            return not self._values[name].is_plain
        return name is None or bool(_SHELLS_OWN.fullmatch(name))

    def _value(
        self, name: str | None, scope: tuple[int, ...], cwd: str | None, fixed: Chosen
    ) -> tuple[str, bool] | None:
        if name is None:
            return None
        if name in fixed:
            return fixed[name]
        if name in self._values:
            value = self._values[name]
            return value.texts[0] if _is_seen(value, scope) and len(value.texts) == 1 else None
        if name == "HOME":
            return self._home, False
        return (cwd, False) if name == "PWD" and cwd is not None else None


def _is_seen(value: _Value, scope: tuple[int, ...]) -> bool:
    """What a subshell assigns stays inside it."""
    return scope[: len(value.scope)] == value.scope


def _assigned(command: Command) -> set[str]:
    """The names that the command gives a value: by assignment, and by the builtins that assign."""
    names = {name for name, _ in command.assignments}
    head = command.words[0].text if command.words else None
    if head in _ASSIGNING:
        names |= {(word.text or "").partition("=")[0] for word in command.words[1:]} | {"REPLY"}
    return names
