"""What does a Markdown file say about itself? What stands between two lines of `---`, and then its body.

People write YAML there. Read of it are plain keys with a text or a list, however that is written: as it is, in quotes,
over several lines, in brackets or with dashes. A table within is only known to be one. What could be read in two ways
is refused: a list of tools that is guessed wrong would give more than was meant.
"""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from daedal.protocol.catalogue import say

FENCE = "---"

_KEY = re.compile(r"([^\s:#\-\"'\[\]{}][^\s:]*)[ \t]*:(?:[ \t]+(.*)|$)")
_BLOCK = re.compile(r"([|>])[-+0-9]*(?:\s+#.*)?")
_DASH = re.compile(r"-(?:[ \t]+(.*)|$)")
_COMMENT = re.compile(r"(?:^|[ \t])#.*")
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^']|'')*)'", re.DOTALL)
_PIECE = re.compile(r"\\.|[,'\"()]", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0"}
_NOTHING = ("", "~", "null", "Null", "NULL")
_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class Malformed(Exception):
    """The file is not what it should be; the text says why, for the person."""


class Said(Struct, frozen=True):
    """What stands at one key."""

    text: str = ""
    names: list[str] | None = None
    """Where it is written as a list."""
    is_table: bool = False


class Matter(Struct, frozen=True):
    """What a file says about itself, by key."""

    said: dict[str, Said] = {}

    def text(self, key: str) -> str:
        """Empty where nothing is said. Raises Malformed."""
        said = self._said(key)
        return "" if said is None or said.text in _NOTHING else said.text

    def names(self, key: str) -> list[str] | None:
        """A list, or what stands between commas; None where the key is not there. Raises Malformed."""
        said = self._said(key)
        if said is None:
            return None
        if said.names is not None:
            return said.names
        if said.text in _NOTHING:
            raise Malformed(say("config.matter.no_names", key=key))
        return separated(said.text)

    def flag(self, key: str) -> bool:
        """Raises Malformed."""
        text = self.text(key).lower()
        if text and text not in _FLAGS:
            raise Malformed(say("config.matter.no_flag", key=key))
        return _FLAGS.get(text, False)

    def _said(self, key: str) -> Said | None:
        said = self.said.get(key)
        if said is not None and said.is_table:
            raise Malformed(say("config.matter.table", key=key))
        return said


def divided(text: str) -> tuple[str | None, str]:
    """The lines between the fences, None where it does not begin with one, and the body. Raises Malformed."""
    lines = text.split("\n")
    if lines[0].rstrip() != FENCE:
        return None, text
    end = next((at for at, line in enumerate(lines) if at and line.rstrip() == FENCE), None)
    if end is None:
        raise Malformed(say("config.command.unclosed"))
    return "\n".join(lines[1:end]), "\n".join(lines[end + 1 :])


def parsed(matter: str) -> Matter:
    """Raises Malformed."""
    found: dict[str, Said] = {}
    for key, inline, below in _keys(matter.split("\n")):
        if key in found:
            raise Malformed(say("config.matter.twice", key=key))
        found[key] = _value(key, inline, below)
    return Matter(found)


def separated(text: str) -> list[str]:
    """What stands between commas, but for those in quotes and in brackets of its own."""
    ends: list[int] = []
    quote, depth = "", 0
    for piece in _PIECE.finditer(text):
        mark = piece[0]
        if quote:
            quote = "" if mark == quote else quote
        elif mark in ("'", '"'):
            quote = mark
        elif mark == "," and not depth:
            ends.append(piece.start())
        else:
            depth = max(0, depth + (mark == "(") - (mark == ")"))
    parts = zip([0, *(end + 1 for end in ends)], [*ends, len(text)], strict=True)
    names = (text[start:end].strip() for start, end in parts)
    return [_unquoted(name) for name in names if name]


def _keys(lines: list[str]) -> Iterator[tuple[str, str, list[str]]]:
    """Each key, what follows it on its line, and the lines that belong to it."""
    at = 0
    while at < len(lines):
        line = lines[at].rstrip()
        at += 1
        if not line or line.startswith("#"):
            continue
        key = _KEY.fullmatch(line)
        if key is None:
            # The first line of the file is the fence.
            raise Malformed(say("config.matter.no_key", line=at + 1))
        first, inline = at, (key[2] or "").strip()
        is_open = not inline or inline.startswith("#")
        while at < len(lines) and _belongs(lines[at], is_open=is_open):
            at += 1
        yield key[1], inline, lines[first:at]


def _belongs(line: str, *, is_open: bool) -> bool:
    """A list may stand as far to the left as its key."""
    return not line.strip() or line[0] in " \t" or (is_open and _DASH.fullmatch(line.rstrip()) is not None)


def _value(key: str, inline: str, below: list[str]) -> Said:
    if block := _BLOCK.fullmatch(inline):
        lines = _dedented(below)
        return Said("\n".join(lines).strip() if block[1] == "|" else _folded(lines))
    if inline[:1] in ("'", '"'):
        return Said(_quoted(key, _folded([inline, *below])))
    if not _plain(inline):
        return _nested([line for line in _dedented(below) if _plain(line)])
    text = _folded([_plain(line) for line in (inline, *below)])
    if text.startswith("[") and text.endswith("]"):
        return Said(text, separated(text[1:-1]))
    return Said(text, is_table=text.startswith("{"))


def _nested(lines: list[str]) -> Said:
    if not lines:
        return Said()
    if _DASH.fullmatch(lines[0]):
        items = [_DASH.fullmatch(line) for line in lines]
        names = [_unquoted(_plain(item[1] or "")) for item in items if item]
        is_table = not all(items) or "" in names
        return Said(", ".join(names), names, is_table)
    if _KEY.fullmatch(lines[0]):
        return Said(is_table=True)
    return Said(_folded([_plain(line) for line in lines]))


def _dedented(lines: list[str]) -> list[str]:
    depth = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [line[depth:].rstrip() for line in lines]


def _folded(lines: Iterable[str]) -> str:
    """Lines become one; an empty one between them ends a line."""
    return "\n".join(" ".join(part.split("\n")) for part in "\n".join(map(str.strip, lines)).strip().split("\n\n"))


def _plain(text: str) -> str:
    """Without a comment."""
    return (_COMMENT.sub("", text, count=1) if "#" in text else text).strip()


def _quoted(key: str, text: str) -> str:
    found = _QUOTED.match(text)
    if found is None or _plain(text[found.end() :]):
        raise Malformed(say("config.matter.quote", key=key))
    return _unquoted(found[0])


def _unquoted(text: str) -> str:
    found = _QUOTED.fullmatch(text)
    if found is None:
        return text
    return _ESCAPE.sub(_character, found[1]) if text[0] == '"' else found[2].replace("''", "'")


def _character(escape: re.Match[str]) -> str:
    letter, digits = escape[1][0], escape[1][1:]
    if not digits:
        return _ESCAPED.get(letter, letter)
    number = int(digits, 16)
    return chr(number) if number < 0xD800 or 0xDFFF < number <= 0x10FFFF else "\ufffd"
