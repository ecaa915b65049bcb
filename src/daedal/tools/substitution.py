"""How is text replaced in a file without touching any other byte of it?

Its byte order mark, its line ends and whatever is not valid in its encoding stay as they are. Byte-wise encodings are
searched as bytes, each taken for one character, which any file survives; UTF-16 and UTF-32 are searched decoded.
The model sees and writes plain newlines; a file with CRLF keeps them.
"""

import re
from collections.abc import Callable

from msgspec import Struct

from daedal.tools.encodings import bom_of, is_wide
from daedal.tools.errors import Refused

BYTEWISE = "latin-1"


class Substitution(Struct, frozen=True, kw_only=True):
    count: int
    """How often the old text was found."""
    line: int
    """Where the first one starts, from 1."""
    content: bytes
    """The file with all of them replaced."""


def substitute(content: bytes, old: str, new: str) -> Substitution:
    """Replaces the old text wherever it stands, in the first encoding of the file in which it is found."""
    bom, encoding = bom_of(content)
    if is_wide(encoding):
        try:
            text = content[len(bom) :].decode(encoding)
        except UnicodeDecodeError as error:
            raise Refused(f"The file is not valid {encoding.upper()} and cannot be edited as text.") from error
        count, line, text = _replace(text, old, lambda: new)
        return Substitution(count=count, line=line, content=bom + encode(text, encoding))
    text = content.decode(BYTEWISE)
    for inner in _encodings(content):
        try:
            sought = old.encode(inner).decode(BYTEWISE)
        except UnicodeEncodeError:
            continue
        count, line, replaced = _replace(text, sought, lambda inner=inner: encode(new, inner).decode(BYTEWISE))
        if count:
            return Substitution(count=count, line=line, content=replaced.encode(BYTEWISE))
    return Substitution(count=0, line=0, content=content)


def encode(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        bad = text[error.start : error.start + 1]
        raise Refused(f"The text contains {bad!r}, which cannot be written as {encoding.upper()}.") from error


def _encodings(content: bytes) -> tuple[str, ...]:
    """What the old text may be encoded in. Read shows what is not UTF-8 as Latin-1, so then both are looked for."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return ("utf-8", "latin-1")
    return ("utf-8",)


def _replace(text: str, old: str, new: Callable[[], str]) -> tuple[int, int, str]:
    """How often the old text stands there, on which line first, and the text with the new in its places."""
    spans = _find(text, old)
    if not spans:
        return 0, 0, text
    replacement = new()
    if text.count("\r\n") * 2 > text.count("\n"):
        replacement = replacement.replace("\r\n", "\n").replace("\n", "\r\n")
    parts: list[str] = []
    position = 0
    for start, end in spans:
        parts += (text[position:start], replacement)
        position = end
    return len(spans), text.count("\n", 0, spans[0][0]) + 1, "".join((*parts, text[position:]))


def _find(text: str, old: str) -> list[tuple[int, int]]:
    """Every match, none overlapping. Where the file has CRLF, a newline stands for either line end."""
    pattern = re.escape(old)
    if "\n" in old and "\r\n" in text:
        pattern = "\r?\n".join(re.escape(line) for line in old.replace("\r\n", "\n").split("\n"))
    return [match.span() for match in re.finditer(pattern, text)]
