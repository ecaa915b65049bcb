"""Does another language say the same as English? Every key, with the same places for values, commands and columns.

That a sentence is translated well is for people to judge; that it is translated at all is seen here.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from string import Formatter

from daedal.cli.main import COMMANDS

CHINESE = re.compile(r"[一-鿿]")
LETTERS = re.compile(r"[A-Za-z]{2,}")
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
PERCENT = re.compile(r"%(?:\(\w+\))?[rs]")
COMMAND = re.compile(rf"daedal (?:{'|'.join(COMMANDS)})\b")

THE_SAME = {
    "app.source.helper": "the name of a setting",
    "app.source.login": "a command",
    "editor.setup": "a command, which editors show as the name of a login",
    "server.not_initialized": "clients written for Codex compare it",
    "server.already_initialized": "clients written for Codex compare it",
    "cli.run.version": "a name and a number",
    "tui.tool_command": "the name of a tool",
}
"""Which sentences are the same in every language, and why. Those without any word, and examples that are nothing but a
command, need no reason here."""


def differences(english: Mapping[str, str], other: Mapping[str, str]) -> Iterator[str]:
    """What is missing, too much, or does not fit."""
    for key in sorted(set(english) - set(other)):
        yield f"{key} is not translated: {english[key]!r}"
    for key in sorted(set(other) - set(english)):
        yield f"{key} is in no English file"
    for key in sorted(set(english) & set(other)):
        for what in _misfits(english[key], other[key]):
            yield f"{key}: {what}"
        if not is_translated(key, english[key], other[key]):
            yield f"{key} is left as it is: {other[key]!r}"
    for key in sorted(key for key in THE_SAME if key in english and english[key] != other.get(key)):
        yield f"{key} is said to be the same ({THE_SAME[key]}), and is not"


def is_translated(key: str, english: str, other: str) -> bool:
    if CHINESE.search(other) or _is_wordless(other):
        return True
    return other == english and (key in THE_SAME or _is_command(key, english))


def _is_wordless(sentence: str) -> bool:
    """Only values, signs and separators."""
    return not LETTERS.search("".join(text for text, *_ in _parsed(sentence)))


def _is_command(key: str, sentence: str) -> bool:
    """An example without a comment or a prompt in words."""
    if not key.endswith(".example"):
        return False
    return "#" not in sentence and all(" " not in quoted for quoted in re.findall(r'"([^"{}]*)"', sentence))


def _misfits(english: str, other: str) -> Iterator[str]:
    for name, found in (
        ("values", _places),
        ("options", lambda text: Counter(set(FLAG.findall(text)))),
        ("commands", lambda text: Counter(set(COMMAND.findall(text)))),
        ("places for argparse", lambda text: Counter(PERCENT.findall(text))),
        ("parts between ·", lambda text: Counter({"·": text.count(" · ")})),
        ("line ends", lambda text: Counter({"end": text.endswith("\n"), "start": text.startswith("\n")})),
    ):
        before, after = found(english), found(other)
        if before != after:
            yield f"its {name} differ: {sorted(before.elements())} in English, {sorted(after.elements())} here"
    if _columns(english) != _columns(other):
        yield f"it has {_columns(other)} columns, in English {_columns(english)}"


def _places(sentence: str) -> Counter[str]:
    """Each value with how it is shown, as `name:<8` or `rule!r`, once."""
    return Counter(
        {
            f"{name}{f'!{how}' if how else ''}{f':{spec}' if spec else ''}"
            for _, name, spec, how in _parsed(sentence)
            if name
        }
    )


def _columns(sentence: str) -> int:
    """Of the headings of a table: they stand side by side with nothing else between them."""
    return sentence.count("|") if " | " not in sentence and "||" not in sentence else 0


def _parsed(sentence: str) -> list[tuple[str, str | None, str | None, str | None]]:
    try:
        return list(Formatter().parse(sentence))
    except ValueError:
        return [(sentence, None, None, None)]
