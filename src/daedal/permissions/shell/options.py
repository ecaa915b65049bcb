"""Where do the options of a command line end? Walks them as getopt does, and gives up where it cannot be sure."""

from collections.abc import Generator, Iterator
from typing import NamedTuple

from daedal.permissions.shell.script import Word
from daedal.permissions.shell.wrapper_table import Wrapper


class Opaque(Exception):
    """An option, or a word that only the shell knows, stands where it decides what would be started."""


class Option(NamedTuple):
    name: str
    value: Word | None


def leading(words: list[Word], at: int, wrapper: Wrapper) -> Iterator[Option | int]:
    """The options from `at` on, then the index of the first word that is none."""
    while at < len(words):
        text = words[at].text
        if text is None or words[at].is_pattern:
            raise Opaque(words[at].raw)
        if text == "--":
            at += 1
            break
        if text[:1] not in ("-", "+") or (text in ("-", "+") and text not in wrapper.flags):
            break
        if text.startswith("--"):
            name, given, value = text.partition("=")
            name = _whole(name, wrapper)
            takes = name in wrapper.values or name in wrapper.texts
            if given or not takes:
                yield Option(name, _literal(value) if given else None)
            else:
                at += 1
                yield Option(name, _at(words, at))
        elif text in wrapper.flags:
            yield Option(text, None)
        else:
            at = yield from _cluster(words, at, wrapper)
        at += 1
    yield at


def _cluster(words: list[Word], at: int, wrapper: Wrapper) -> Generator[Option, None, int]:
    """`-xvf value`, `-n5`: letters up to the first that takes a value."""
    text = words[at].text or ""
    sign, letters = text[0], text[1:]
    for place, letter in enumerate(letters):
        name = sign + letter
        if name in wrapper.flags:
            yield Option(name, None)
        elif name in wrapper.values or name in wrapper.texts:
            rest = letters[place + 1 :]
            # The text of `sh -ce` is the next word, not the letters that follow.
            if name in wrapper.texts and all(sign + other in wrapper.flags for other in rest):
                yield from (Option(sign + other, None) for other in rest)
                rest = ""
            yield Option(name, _literal(rest) if rest else _at(words, at + 1))
            return at if rest else at + 1
        elif letter.isdigit() and place == 0:
            return at
        else:
            raise Opaque(name)
    return at


def _whole(name: str, wrapper: Wrapper) -> str:
    """Long options may be cut short where that is unambiguous."""
    known = wrapper.values | wrapper.flags | wrapper.texts
    if name in known:
        return name
    found = [option for option in known if option.startswith(name)]
    if len(found) != 1:
        raise Opaque(name)
    return found[0]


def _at(words: list[Word], at: int) -> Word:
    if at >= len(words):
        raise Opaque("an option without its value")
    return words[at]


def _literal(text: str) -> Word:
    return Word(raw=text, text=text)
