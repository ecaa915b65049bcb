"""What is in an HTML page, in order? Texts and tags, as a browser would tell them apart, in one pass.

Pages are hostile: whatever they hold, every character is looked at a bounded number of times, so that the time grows
with the length and no faster. (`html.parser` of the standard library needs 17 s for 70 KB of `<a foo=`.)
"""

import re
from collections.abc import Iterator
from html import unescape

from msgspec import Struct

VALUE_CHARACTERS_MAX = 4096
KEPT = frozenset(("href", "src", "alt", "class", "start"))
"""The attributes that anybody asks for."""

RAW = frozenset(("script", "style", "title", "textarea", "iframe", "noembed", "noframes", "xmp"))
"""Elements in which there are no tags."""
LEFT_OUT = RAW - {"title"} | {"svg", "template", "nav", "button", "select", "canvas", "audio", "video", "object"}
"""Elements in which there is nothing to read."""

_NAME = re.compile(r"</?([A-Za-z][^\s/>]*)")
_ATTRIBUTE = re.compile(r"[\s/]*(?:(>)|([^\s/>][^\s/>=]*)(\s*=\s*)?)")
_BARE = re.compile(r"[^\s>]*")
_HUGE_NUMBER = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{8,});?")


class Text(Struct, frozen=True):
    text: str


class Opening(Struct, frozen=True):
    name: str
    attributes: dict[str, str]


class Closing(Struct, frozen=True):
    name: str


class Title(Struct, frozen=True):
    text: str


Token = Text | Opening | Closing | Title


def tokens(page: str) -> Iterator[Token]:
    return Tokens(page).all()


class Tokens:
    def __init__(self, page: str) -> None:
        self._page = page.replace("\0", "")
        self._at = 0
        self._unclosed: set[str] = set()
        """Elements of which no closing tag comes any more."""

    def all(self) -> Iterator[Token]:
        page = self._page
        while self._at < len(page):
            start = page.find("<", self._at)
            end = len(page) if start < 0 else start
            if end > self._at:
                yield Text(plain(page[self._at : end]))
            self._at = end
            if start >= 0:
                yield from self._markup()

    def _markup(self) -> Iterator[Token]:
        page, start = self._page, self._at
        if page.startswith("<!--", start):
            self._pass("-->", start + 4)
        elif name := _NAME.match(page, start):
            self._at = name.end()
            yield from self._tag(name[1].lower(), is_closing=page[start + 1] == "/")
        elif page[start + 1 : start + 2] in ("!", "?", "/"):
            self._pass(">", start + 2)
        else:
            self._at = start + 1
            yield Text("<")

    def _pass(self, end: str, start: int) -> None:
        found = self._page.find(end, start)
        self._at = len(self._page) if found < 0 else found + len(end)

    def _tag(self, name: str, *, is_closing: bool) -> Iterator[Token]:
        attributes = self._attributes()
        if attributes is None:
            return
        if is_closing:
            yield Closing(name)
        elif name in LEFT_OUT or name in RAW:
            yield from self._without_tags(name)
        else:
            yield Opening(name, attributes)

    def _attributes(self) -> dict[str, str] | None:
        """Up to the end of the tag. None where the page ends before: then what is left of it is no tag, and no text."""
        kept: dict[str, str] = {}
        while (found := _ATTRIBUTE.match(self._page, self._at)) is not None:
            self._at = found.end()
            if found[1]:
                return kept
            value = self._value() if found[3] else ""
            if value is None:
                break
            key = found[2].lower()
            if key in KEPT:
                kept.setdefault(key, plain(value[:VALUE_CHARACTERS_MAX]))
        self._at = len(self._page)
        return None

    def _value(self) -> str | None:
        page, start = self._page, self._at
        quote = page[start : start + 1]
        if quote in ('"', "'"):
            end = page.find(quote, start + 1)
            if end < 0:
                return None
            self._at = end + 1
            return page[start + 1 : end]
        bare = _BARE.match(page, start)
        self._at = start if bare is None else bare.end()
        return page[start : self._at]

    def _without_tags(self, name: str) -> Iterator[Token]:
        """An element whose inside is passed over, unless it is the title, or one that is left open by mistake."""
        start = self._at
        end = self._end_of(name)
        if end is None and name not in RAW:
            return
        self._at = len(self._page) if end is None else end
        if name == "title":
            yield Title(" ".join(plain(self._page[start : self._at][:VALUE_CHARACTERS_MAX]).split()))

    def _end_of(self, name: str) -> int | None:
        if name in self._unclosed:
            return None
        found = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(self._page, self._at)
        if found is None:
            self._unclosed.add(name)
            return None
        return found.start()


def plain(text: str) -> str:
    """With the characters that `&amp;` and its like stand for."""
    if "&" not in text:
        return text
    return unescape(_HUGE_NUMBER.sub("\ufffd", text))
