"""In which characters is a page written? Its byte order mark, its head, itself, or its looks tell."""

import codecs
import re

from daedal.tools.encodings import bom_of

SNIFFED_BYTES = 1024

_IN_HEADER = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_IN_PAGE = re.compile(
    rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w.:-]{1,40})|<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([\w.:-]{1,40})",
    re.IGNORECASE,
)
_TEXT = re.compile(
    r"utf-(?:8|16|32)(?:-[bl]e)?|iso8859-\d+|cp\d+|koi8[-_]\w+|gb\w+|big5\w*|euc_\w+|shift_jis\w*|iso2022_\w+|mac[-_]\w+"
)
"""Python knows codecs that are no character sets, and some that take ages on hostile input."""


def charset_in(content_type: str) -> str | None:
    """What a Content-Type says, as Python's name."""
    found = _IN_HEADER.search(content_type)
    return _known(found[1]) if found else None


def decoded(body: bytes, declared: str | None, *, is_markup: bool) -> str:
    """The text; what is wrong in it is replaced. `declared` is what the Content-Type said."""
    bom, marked = bom_of(body)
    if bom:
        return body[len(bom) :].decode(marked, "replace")
    named = declared or (_in_page(body) if is_markup else None)
    if named is not None:
        return body.decode(named, "replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        # A body that was cut may end within a character.
        return body.decode("utf-8" if error.start > len(body) - 4 else "cp1252", "replace")


def _in_page(body: bytes) -> str | None:
    found = _IN_PAGE.search(body[:SNIFFED_BYTES])
    name = _known((found[1] or found[2]).decode("ascii", "replace")) if found else None
    # Whoever could be read so far does not use wide characters, whatever it says.
    return "utf-8" if name is not None and name.startswith(("utf-16", "utf-32")) else name


def _known(name: str) -> str | None:
    try:
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
    if found in ("ascii", "iso8859-1"):
        return "cp1252"  # what browsers do: those who write one of the two mean this
    return found if _TEXT.fullmatch(found) else None
