"""How does an HTML page become Markdown? Token by token, without a tree, into as many characters as there is room for.

For a model to read, not to be rendered again: nothing is escaped, styles are dropped, links are made absolute. Blocks
are written as soon as they end, so nesting costs nothing, however deep it is.
"""

import re
from urllib.parse import urljoin

from msgspec import Struct

from daedal.tools.html_tokens import Closing, Opening, Text, Title, Token
from daedal.tools.markdown_lines import Lines
from daedal.tools.markdown_phrase import Phrase
from daedal.tools.markdown_table import Table

MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "del": "~~", "s": "~~"}
HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
# fmt: off
BLOCKS = frozenset((
    "address", "article", "aside", "body", "caption", "center", "dd", "details", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "head", "header", "hgroup", "html", "legend", "main", "p", "section",
    "summary", "tbody", "tfoot", "thead",
))
# fmt: on
LANGUAGE = re.compile(r"(?:^|\s)(?:lang(?:uage)?|highlight-source|brush:)-?\s*([\w+#-]{1,20})")


class Markdown(Struct, frozen=True):
    title: str
    text: str
    is_cut: bool


class MarkdownWriter:
    """Takes tokens; `finish` gives what they say."""

    def __init__(self, base_url: str, characters_max: int) -> None:
        self._base_url = base_url
        self._lines = Lines(characters_max)
        self._phrase = Phrase()
        self._table: Table | None = None
        self._code: list[str] | None = None
        self._language = ""
        self._lead = ""
        self._title = ""

    @property
    def is_full(self) -> bool:
        return self._lines.is_full

    def take(self, token: Token) -> None:
        match token:
            case Text():
                self._text(token.text)
            case Opening():
                self._open(token)
            case Closing():
                self._close(token.name)
            case Title():
                self._title = self._title or token.text

    def finish(self) -> Markdown:
        self._end_code()
        self._end_block()
        self._end_table()
        return Markdown(self._title, self._lines.text(), self._lines.is_full)

    def _text(self, text: str) -> None:
        if self._code is not None:
            self._code.append(text)
        else:
            self._phrase.add(text)

    def _open(self, tag: Opening) -> None:
        name = tag.name
        if self._code is not None:
            self._open_in_code(tag)
        elif name in MARKS:
            self._phrase.open(name, MARKS[name])
        elif name in ("code", "kbd", "samp", "tt"):
            self._phrase.open(name, "`")
        elif name == "a":
            self._phrase.close("a")
            self._phrase.open("a", "", self._link(tag.attributes.get("href", "")))
        elif name == "img":
            self._image(tag)
        elif name == "br":
            self._phrase.break_line()
        else:
            self._open_block(tag)

    def _open_in_code(self, tag: Opening) -> None:
        if tag.name == "br":
            self._text("\n")
        elif tag.name == "code" and not self._language:
            self._language = _language(tag)

    def _open_block(self, tag: Opening) -> None:
        name = tag.name
        if name in HEADINGS:
            self._end_block()
            self._lead = HEADINGS[name]
        elif name in ("ul", "ol"):
            self._end_block()
            self._lines.open_list(_number(tag.attributes.get("start")) if name == "ol" else None)
        elif name == "li":
            self._end_block()
            self._lines.open_item()
        elif name == "blockquote":
            self._end_block()
            self._lines.open_quote()
        elif name == "pre":
            self._end_block()
            self._end_table(is_layout=True)  # a cell cannot hold it
            self._code, self._language = [], _language(tag)
        elif name == "hr":
            self._end_block()
            self._write(["---"])
        else:
            self._open_part(name)

    def _open_part(self, name: str) -> None:
        if name == "table":
            self._end_block()
            self._end_table(is_layout=True)  # one that holds another
            self._table = Table()
        elif name in ("tr", "td", "th"):
            self._end_block()
            if self._table is not None and self._table.is_long:
                self._end_table()
                self._table = Table()
            if self._table is not None:
                self._table.open(name)
        elif name in BLOCKS:
            self._end_block()
            self._lead = ": " if name == "dd" else ""

    def _close(self, name: str) -> None:
        if name == "pre":
            self._end_code()
        elif self._code is not None:
            return
        elif name in MARKS or name in ("a", "code", "kbd", "samp", "tt"):
            self._phrase.close(name)
        elif name in ("ul", "ol", "li", "blockquote"):
            self._end_block()
            self._lines.close(name)
        elif name == "table":
            self._end_block()
            self._end_table()
        elif name in BLOCKS or name in HEADINGS or name in ("tr", "td", "th"):
            self._end_block()

    def _end_block(self) -> None:
        text = self._phrase.take()
        if not text:
            return
        if self._table is not None and self._table.is_open:
            self._table.add(text)
        else:
            is_heading = self._lead.startswith("#")
            lines = [" ".join(text.split())] if is_heading else text.split("\n")
            self._write([self._lead + lines[0], *lines[1:]])
        self._lead = ""

    def _end_code(self) -> None:
        if self._code is None:
            return
        code = "".join(self._code).replace("\r\n", "\n").strip("\n")
        self._code = None
        if code.strip():
            longest = max((len(run) for run in re.findall("`{3,}", code)), default=2)
            fence = "`" * min(longest + 1, 100)
            self._write([fence + self._language, *code.split("\n"), fence])

    def _end_table(self, *, is_layout: bool = False) -> None:
        if self._table is not None:
            table, self._table = self._table, None
            for block in table.blocks(is_layout=is_layout):
                self._write(block)

    def _write(self, lines: list[str]) -> None:
        self._lines.write(lines)

    def _image(self, tag: Opening) -> None:
        alt = " ".join(tag.attributes.get("alt", "").split())
        if alt:
            source = self._link(tag.attributes.get("src", ""))
            self._phrase.add(f"![{alt}]({source})" if source else f"![{alt}]")

    def _link(self, href: str) -> str:
        """Absolute; empty for what leads nowhere but within the page, or is no address."""
        href = href.strip()
        if not href or href.startswith("#"):
            return ""
        try:
            link = urljoin(self._base_url, href)
        except ValueError:
            return ""
        return re.sub(r"\s", "%20", link) if link.lower().startswith(("http://", "https://", "mailto:")) else ""


def _language(tag: Opening) -> str:
    found = LANGUAGE.search(tag.attributes.get("class", ""))
    return found[1] if found else ""


def _number(text: str | None) -> int:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 7 else 1
