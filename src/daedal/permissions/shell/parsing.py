"""What does a text run, read by two readers and seen through wrappers? Pure: nothing is looked up, nothing runs."""

import re
from collections.abc import Iterator

from daedal.permissions.shell.atoms import Unreadable
from daedal.permissions.shell.reader import Reader
from daedal.permissions.shell.script import Command, Script, Word
from daedal.permissions.shell.second_reader import disagreement
from daedal.permissions.shell.wrappers import unwrapped

TEXT_MAX = 200_000
CONTINUATIONS_MAX = 1000
DEPTH_MAX = 5
"""Of shells within shells (`sh -c "sh -c …"`)."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_INTEGER = re.compile(r"[ \t]*[-+]?[0-9]*[ \t]*")
_SUBSTITUTION = re.compile(r"\$\(|`|\$\{")
_ASSIGNING = frozenset(
    ["read", "mapfile", "readarray", "getopts", "declare", "typeset", "local", "export", "readonly", "let"]
)
_UNKNOWN = Word(raw="", text=None)
_COUNTING_TESTS = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})


def parse(text: str) -> Script:
    """Every simple command of the text, and whatever stays unknown as a doubt."""
    return _parse(text, 0)


def _parse(text: str, depth: int) -> Script:
    if len(text) > TEXT_MAX or depth > DEPTH_MAX or text.count("\\\n") > CONTINUATIONS_MAX:
        return Script(commands=[], doubts=["more shell text than can be checked"])
    reader = Reader(text)
    doubts = ["control characters"] if _CONTROL.search(text) else []
    try:
        reader.read()
    except Unreadable as unreadable:
        doubts.append(str(unreadable))
    except RecursionError:
        doubts.append("commands nested too deeply")
    doubts += reader.doubts
    if not doubts and (otherwise := disagreement(reader.text, reader.starts, reader.literal)):
        doubts.append(otherwise)
    doubts += _evaluations(reader)
    commands: list[Command] = []
    for command in reader.commands:
        commands.append(command)
        inner, unknown = unwrapped(command, lambda text: _parse(text, depth + 1))
        commands += inner
        doubts += unknown
    return Script(commands=commands, doubts=list(dict.fromkeys(doubts)))


def _evaluations(reader: Reader) -> list[str]:
    """Arithmetic and tests evaluate names and the values of variables, and a subscript in them can run a command."""
    doubts: list[str] = []
    tests = False
    for command in reader.commands:
        head = command.words[0].text if command.words else None
        if head in ("test", "[", "[["):
            tests = True
            doubts += _tests(command.words[1:], reader.counted, arithmetic=head == "[[")
        elif head in _ASSIGNING:
            reader.assigned += [(word.text or "", _UNKNOWN) for word in command.words[1:]] or [("REPLY", _UNKNOWN)]
    if tests and any(_SUBSTITUTION.search(text.partition("[")[2]) for text in _literals(reader)):
        doubts.append("a subscript in text beside a test that may evaluate it")
    for name, value in reader.assigned:
        if name.partition("=")[0] in reader.counted and not _is_number(value):
            doubts.append(f"arithmetic on {name}, whose value is not a number")
    return doubts


def _literals(reader: Reader) -> Iterator[str]:
    words = [word for command in reader.commands for word in command.words]
    for word in words + [value for _, value in reader.assigned]:
        yield word.text or ""
        yield from (piece.text or "" for piece in word.pieces)


def _is_number(value: Word) -> bool:
    if value.text is not None:
        return bool(_INTEGER.fullmatch(value.text))
    return value.raw.startswith("$((") and value.raw.endswith("))") and value.raw.count("$") == 1


def _tests(words: list[Word], counted: set[str], *, arithmetic: bool) -> list[str]:
    doubts: list[str] = []
    for at, word in enumerate(words):
        if word.text in ("-v", "-R") and not _is_name(words, at + 1):
            doubts.append(f"`{word.text}`, which evaluates what it is given")
        elif arithmetic and word.text in _COUNTING_TESTS and not word.pieces:
            for operand in words[max(0, at - 1) : at] + words[at + 1 : at + 2]:
                doubts += _operand(operand, counted)
    return doubts


def _operand(operand: Word, counted: set[str]) -> list[str]:
    if operand.text is not None and _INTEGER.fullmatch(operand.text):
        return []
    names = [piece.variable for piece in operand.pieces if piece.text != ""]
    if len(names) == 1 and names[0]:
        counted.add(names[0])
        return []
    return ["a comparison that evaluates more than numbers and variables"]


def _is_name(words: list[Word], at: int) -> bool:
    return at >= len(words) or (words[at].text or "").isidentifier()
