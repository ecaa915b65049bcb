"""What is a word made of while it is being read? Atoms, joined into words by the shell's own expansions."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from daedal.permissions.shell.script import Piece, Word

WORDS_MAX = 256
"""Of one brace expansion; more than that is refused as unreadable."""

_UNITS_MAX = 2000
"""Letters of a word with braces: finding what belongs together takes more than one look."""


class Unreadable(Exception):
    """The text cannot be read with certainty; the message says where the certainty ended."""


class Atom(NamedTuple):
    raw: str
    text: str | None = None
    variable: str | None = None
    is_quoted: bool = False
    """Quoted text means itself; unquoted text may be a pattern, a brace or a tilde."""


def words_of(atoms: list[Atom], *, braces: bool = True) -> list[Word]:
    """The words that the atoms of one written word become; only brace expansion makes several."""
    if braces and any(atom.text and not atom.is_quoted and "{" in atom.text for atom in atoms):
        # A brace that makes nothing makes no word: `{,x}` is the one word `x`.
        return [_word(each) for each in _braces(atoms) if each]
    return [_word(atoms)]


def _word(atoms: list[Atom]) -> Word:
    atoms = _tilde(atoms)
    raw = "".join(atom.raw for atom in atoms)
    pattern = any(atom.text and not atom.is_quoted and _PATTERN(atom.text) for atom in atoms) and _is_pattern(atoms)
    if all(atom.text is not None for atom in atoms):
        return Word(raw=raw, text="".join(atom.text or "" for atom in atoms), is_pattern=pattern)
    pieces = tuple(Piece(text=atom.text, variable=atom.variable, is_quoted=atom.is_quoted) for atom in atoms)
    return Word(raw=raw, text=None, is_pattern=pattern, pieces=pieces)


_PATTERN = re.compile(r"[*?\[]").search


def _is_pattern(atoms: list[Atom]) -> bool:
    """A bracket that is never closed means itself, as in the command `[`."""
    unquoted = "".join(atom.text or "" for atom in atoms if not atom.is_quoted)
    return "*" in unquoted or "?" in unquoted or "]" in unquoted.partition("[")[2]


def _tilde(atoms: list[Atom]) -> list[Atom]:
    """`~` and `~/x` are the home folder; `~name`, `~+` and `name=~` are only known to the shell."""
    first = atoms[0] if atoms else None
    if first is None or first.text is None or first.is_quoted or "~" not in first.text:
        return atoms
    head, _, rest = first.text.partition("~")
    if head == "":
        name, slash, tail = rest.partition("/")
        if name:
            return [Atom(first.raw), *atoms[1:]]
        if not slash and len(atoms) > 1:
            return [Atom(first.raw), *atoms[1:]]
        home = Atom("~", variable="HOME", is_quoted=True)
        return [home, Atom(slash + tail, slash + tail), *atoms[1:]] if slash else [home, *atoms[1:]]
    if _ASSIGNED(head):
        return [Atom(first.raw), *atoms[1:]]
    return atoms


def _braces(atoms: list[Atom]) -> list[list[Atom]]:
    """Bash expands braces first and as text; quoted parts and expansions are opaque to it."""
    units = list(_units(atoms))
    if len(units) > _UNITS_MAX:
        raise Unreadable("a brace in a very long word")
    opening = next((at for at, unit in enumerate(units) if _is(unit, "{")), None)
    while opening is not None:
        closing, commas = _closing(units, opening)
        if closing is not None:
            inner = units[opening + 1 : closing]
            choices = _choices(inner, [comma - opening - 1 for comma in commas])
            if choices is not None:
                return _spread(units[:opening], choices, units[closing + 1 :])
        opening = next((at for at in range(opening + 1, len(units)) if _is(units[at], "{")), None)
    return [units]


def _spread(head: list[Atom], choices: list[list[Atom]], tail: list[Atom]) -> list[list[Atom]]:
    tails = _braces(tail) if any(_is(unit, "{") for unit in tail) else [tail]
    found: list[list[Atom]] = []
    for choice in choices:
        for inner in _braces(choice) if any(_is(unit, "{") for unit in choice) else [choice]:
            found += [head + inner + each for each in tails]
            if len(found) > WORDS_MAX:
                raise Unreadable("a brace expansion makes too many words")
    return found


def _units(atoms: list[Atom]) -> Iterator[Atom]:
    for atom in atoms:
        if atom.text is None or atom.is_quoted:
            yield atom
        else:
            yield from (Atom(letter, letter) for letter in atom.text)


def _is(unit: Atom, letter: str) -> bool:
    return unit.text == letter and not unit.is_quoted


def _closing(units: list[Atom], opening: int) -> tuple[int | None, list[int]]:
    depth, commas = 0, list[int]()
    for at in range(opening, len(units)):
        unit = units[at]
        if _is(unit, "{"):
            depth += 1
        elif _is(unit, "}"):
            depth -= 1
            if depth == 0:
                return at, commas
        elif depth == 1 and _is(unit, ","):
            commas.append(at)
    return None, []


def _choices(inner: list[Atom], commas: list[int]) -> list[list[Atom]] | None:
    if commas:
        edges = [-1, *commas, len(inner)]
        return [inner[left + 1 : right] for left, right in pairwise(edges)]
    if any(atom.text is None for atom in inner):
        return None
    written = "".join(atom.text or "" for atom in inner)
    return _sequence(written) if ".." in written else None


_ASSIGNED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=(.*:)?", re.DOTALL).fullmatch
_NUMBER = re.compile(r"0|[1-9][0-9]{0,3}").fullmatch


def _sequence(written: str) -> list[list[Atom]] | None:
    """`{1..3}` is counted out; letters, steps and padding are rare enough to refuse."""
    first, _, last = written.partition("..")
    if not (_NUMBER(first) and _NUMBER(last)):
        if len(first) == 1 or ".." in last or first.lstrip("-").isdigit():
            raise Unreadable("a brace sequence that only the shell can count out")
        return None
    low, high = int(first), int(last)
    if abs(high - low) >= WORDS_MAX:
        raise Unreadable("a brace expansion makes too many words")
    step = 1 if high >= low else -1
    return [[Atom(str(number), str(number))] for number in range(low, high + step, step)]
