"""How is text replaced in a file without touching any other byte of it?

Its byte order mark, its line ends and whatever is not valid in its encoding stay as they are. Files are searched as
bytes, which any file survives and which needs no copy of a large one; UTF-16 and UTF-32 are searched as UTF-8.
The model sees and writes plain newlines; a file with CRLF keeps them.
"""

import codecs
import re

from msgspec import Struct

from daedal.tools.encodings import bom_of, is_wide
from daedal.tools.errors import Refused
from daedal.tools.files import LOAD_BYTES_MAX
from daedal.tools.sizes import size

WIDE_BYTES_MAX = 8_388_608
"""A file in a wide encoding is held in memory several times over."""

SPANS_MAX = 100_000
"""So many matches are remembered one by one, where line ends make them differ in length."""

CHUNK_BYTES = 1_048_576


class Located(Struct, frozen=True, kw_only=True):
    """Where a text stands in a file."""

    count: int
    line: int
    """Where the first one starts, from 1."""
    content: bytes
    """The file, as UTF-8 where it is wide."""
    old: bytes
    spans: list[tuple[int, int]]
    """From where to where, if not simply wherever `old` stands."""
    inner: str
    """The encoding in which the text was found."""
    bom: bytes = b""
    wide: str = ""

    def replaced(self, new: str) -> bytes:
        """The file with all of them replaced. Raises Refused where that cannot be written."""
        text = encode(new, self.inner)
        if self.content.count(b"\r\n") * 2 > self.content.count(b"\n"):
            text = text.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        dropped = sum(end - start for start, end in self.spans) or self.count * len(self.old)
        total = len(self.content) + self.count * len(text) - dropped
        most = WIDE_BYTES_MAX if self.wide else LOAD_BYTES_MAX
        if total > max(most, len(self.content)):
            raise Refused(f"With that the file would have {size(total)}, above the {size(most)} that it may have here.")
        content = self._joined(text) if self.spans else self.content.replace(self.old, text)
        return self.bom + content.decode().encode(self.wide) if self.wide else content

    def _joined(self, text: bytes) -> bytes:
        view = memoryview(self.content)
        parts: list[bytes | memoryview] = []
        position = 0
        for start, end in self.spans:
            parts += (view[position:start], text)
            position = end
        return b"".join((*parts, view[position:]))


def locate(content: bytes, old: str) -> Located | None:
    """The old text wherever it stands, in the first encoding of the file in which it is found."""
    bom, encoding = bom_of(content)
    if is_wide(encoding):
        return _located(_as_utf_8(content, len(bom), encoding), old, "utf-8", bom, encoding)
    found = _located(content, old, "utf-8")
    # Read shows what is not UTF-8 as Latin-1, so then both are looked for.
    return found if found is not None or _is_utf_8(content) else _located(content, old, "latin-1")


def encode(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        bad = text[error.start : error.start + 1]
        raise Refused(f"The text contains {bad!r}, which cannot be written as {encoding.upper()}.") from error


def _as_utf_8(content: bytes, start: int, encoding: str) -> bytes:
    if len(content) > WIDE_BYTES_MAX:
        raise Refused(
            f"The file has {size(len(content))}, above the {size(WIDE_BYTES_MAX)} that can be changed of one in"
            f" {encoding.upper()}. Use a command instead."
        )
    try:
        return content[start:].decode(encoding).encode()
    except UnicodeDecodeError as error:
        raise Refused(f"The file is not valid {encoding.upper()} and cannot be edited as text.") from error


def _is_utf_8(content: bytes) -> bool:
    """Piece by piece, because decoded text may take four times the memory."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(content), CHUNK_BYTES):
            decoder.decode(content[start : start + CHUNK_BYTES])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _located(content: bytes, text: str, inner: str, bom: bytes = b"", wide: str = "") -> Located | None:
    try:
        old = text.encode(inner)
    except UnicodeEncodeError:
        return None
    spans: list[tuple[int, int]] = []
    if b"\n" in old and b"\r\n" in content:
        spans = _spans(content, old)
        count, first = len(spans), spans[0][0] if spans else 0
    else:
        count, first = content.count(old), content.find(old)
    if not count:
        return None
    line = content.count(b"\n", 0, first) + 1
    return Located(count=count, line=line, content=content, old=old, spans=spans, inner=inner, bom=bom, wide=wide)


def _spans(content: bytes, old: bytes) -> list[tuple[int, int]]:
    """Every match, none overlapping. Where the file has CRLF, a newline stands for either line end."""
    pattern = b"\r?\n".join(re.escape(line) for line in old.replace(b"\r\n", b"\n").split(b"\n"))
    spans: list[tuple[int, int]] = []
    for match in re.finditer(pattern, content):
        spans.append(match.span())
        if len(spans) > SPANS_MAX:
            raise Refused(
                f"The string to replace stands in more than {SPANS_MAX} places. Give a longer one, or use a command."
            )
    return spans
