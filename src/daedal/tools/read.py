"""How does the model read a file?"""

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.sandbox import Walls
from daedal.tools.encodings import bom_of, decode_text, is_binary, is_wide
from daedal.tools.errors import TRUNCATED, Refused
from daedal.tools.file_tool import FileTool
from daedal.tools.files import open_file, read_up_to
from daedal.tools.lines import Collector, Page, chunks, whole_page
from daedal.tools.read_log import ReadLog
from daedal.tools.sizes import amount, size
from daedal.tools.tool import written

if TYPE_CHECKING:
    from daedal.tools.pdf import Quarters

READ_BYTES_MAX = 262_144
"""Of a file that is read without `limit`, and of every answer."""

SHOWN_BYTES_MAX = READ_BYTES_MAX - 1024
"""Of the numbered lines; the rest is for the closing line."""

DUMP_BYTES = 256


class ReadInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    file_path: str
    offset: Annotated[int, Meta(ge=0)] | None = None
    limit: Annotated[int, Meta(ge=1)] | None = None
    pages: str | None = None
    allow_large: bool | None = None


class Read(FileTool[ReadInput]):
    def __init__(self, spec: ToolSpec, walls: Walls, log: ReadLog, quarters: "Callable[[], Quarters]") -> None:
        """`quarters` is where the program works that takes text out of PDF files."""
        super().__init__(spec, ReadInput, walls)
        self._log = log
        self._quarters = quarters

    def names(self, arguments: Mapping[str, Any]) -> list[str]:
        return written(arguments, "file_path")

    async def act(self, call: ReadInput, bench: Bench) -> Outcome:
        path = self.place_to_read(call.file_path, bench)
        descriptor, stat = open_file(path, bench.cwd)
        try:
            head = read_up_to(descriptor, READ_BYTES_MAX + 1)
            file = _File(path, descriptor, stat, head, max(stat.st_size, len(head)))  # those in /proc say 0
            outcome = await self._as_what_it_is(call, file) or await self._as_text(call, file)
            return replace(outcome, touched=[path])
        finally:
            os.close(descriptor)

    async def _as_what_it_is(self, call: ReadInput, file: "_File") -> Outcome | None:
        """A PDF, an image, a notebook, or any other binary file; None for text."""
        if is_binary(file.head) and (outcome := _image(file)) is not None:
            return outcome
        if b"%PDF-" in file.head[:1024]:
            from daedal.tools.pdf import is_pdf, pdf_text

            if is_pdf(file.head, is_binary=is_binary(file.head)):
                return Outcome(
                    content=await pdf_text(file.path, file.descriptor, file.size, call.pages, self._quarters)
                )
        if call.pages is not None:
            raise Refused(f"`pages` is for PDF files, and {file.path} is none. Leave it out.")
        if is_binary(file.head):
            return Outcome(content=_dump(file.head, file.size))
        return self._notebook(call, file) if file.path.endswith(".ipynb") and file.head.strip() else None

    def _notebook(self, call: ReadInput, file: "_File") -> Outcome | None:
        from daedal.tools.notebook import NOTEBOOK_BYTES_MAX, Malformed, parse, refusal
        from daedal.tools.notebook_view import Viewer

        content = file.head
        try:
            if file.size > NOTEBOOK_BYTES_MAX:
                raise Malformed(f"it has {size(file.size)}, above the {size(NOTEBOOK_BYTES_MAX)} that are read of one")
            content += read_up_to(file.descriptor, NOTEBOOK_BYTES_MAX - len(file.head))
            notebook = parse(content)
        except Malformed as malformed:
            if call.limit is None:
                raise refusal(file.path, malformed) from malformed
            os.lseek(file.descriptor, len(file.head), os.SEEK_SET)
            return None
        view = Viewer(SHOWN_BYTES_MAX).view(notebook, call.offset or 1, call.limit)
        self._log.note(file.path, file.stat, content)
        return Outcome(content=view.content, images=view.images)

    async def _as_text(self, call: ReadInput, file: "_File") -> Outcome:
        is_whole = len(file.head) <= READ_BYTES_MAX
        if not is_whole and call.limit is None and not call.allow_large:
            raise Refused(
                f"{file.path} has {size(file.size)}, above the {size(READ_BYTES_MAX)} that are read at once."
                " Give `limit` (and `offset`) to read some of its lines, or find what you need with Grep."
            )
        content = await _text(call, file.descriptor, file.head, file.size)
        self._log.note(file.path, file.stat, file.head if is_whole else None)
        return Outcome(content=content)


class _File(Struct, frozen=True):
    """A file that is open, and its beginning."""

    path: str
    descriptor: int
    stat: os.stat_result
    head: bytes
    size: int


def _image(file: _File) -> Outcome | None:
    from daedal.tools.images import IMAGE_BYTES_MAX, media_type_of, shown, too_large

    media_type = media_type_of(file.head)
    if media_type is None:
        return None
    if file.size > IMAGE_BYTES_MAX:
        raise too_large(file.path, f"{media_type}, {size(file.size)}")
    rest = read_up_to(file.descriptor, IMAGE_BYTES_MAX + 1 - len(file.head))
    found = shown(file.head + rest, file.path)
    return None if found is None else Outcome(content=found[0], images=[found[1]])


async def _text(call: ReadInput, descriptor: int, head: bytes, file_size: int) -> str:
    if not head:
        return "(the file is empty: 0 lines)"
    first = call.offset or 1
    bom, encoding = bom_of(head)
    page = None
    if first == 1 and call.limit is None and len(head) <= READ_BYTES_MAX and not is_wide(encoding):
        page = whole_page(head, SHOWN_BYTES_MAX)
    if page is None:
        page = await _page(call, descriptor, head, first, encoding if is_wide(encoding) else "")
    if not page.lines and page.total is not None and first > page.total:
        return f"(offset {first} is past the end: the file has {amount(page.total, 'line')})"
    if first == 1 and bom and page.lines:
        page.lines[0] = page.lines[0].removeprefix(b"\xef\xbb\xbf")
    text, decoded = decode_text(b"\n".join(page.lines))
    lines = text.split("\n") if page.lines else []
    if decoded != "utf-8":
        page = _fitting(page, lines)
        del lines[len(page.lines) :]
    crlf = sum(line.endswith("\r") for line in lines)
    notes = _notes(bom, encoding, decoded, crlf, len(lines))
    numbered = [f"{number}\t{line.removesuffix(chr(13))}" for number, line in enumerate(lines, first)]
    return "\n".join((*numbered, _closing(page, first, file_size, notes)))


async def _page(call: ReadInput, descriptor: int, head: bytes, first: int, encoding: str) -> Page:
    collector = Collector(first, call.limit, SHOWN_BYTES_MAX)
    is_whole = True
    async for chunk in chunks(descriptor, head, encoding):
        if not collector.take(chunk):
            is_whole = False
            break
    return collector.page(is_whole=is_whole)


def _fitting(page: Page, lines: list[str]) -> Page:
    """As many lines as may be shown: what is not ASCII takes more bytes in the answer than in a Latin-1 file."""
    room = SHOWN_BYTES_MAX
    for index, line in enumerate(lines):
        room -= len(line.encode()) + 8
        if room < 0:
            return replace(page, lines=page.lines[:index], is_full=True)
    return page


def _notes(bom: bytes, encoding: str, decoded: str, crlf: int, shown: int) -> list[str]:
    notes: list[str] = []
    if is_wide(encoding):
        notes.append(encoding.upper())
    elif bom:
        notes.append("UTF-8 with BOM")
    elif decoded != "utf-8":
        notes.append("not UTF-8, shown as Latin-1")
    if crlf:
        notes.append("CRLF line ends" if crlf == shown else f"CRLF at the end of {amount(crlf, 'line')}")
    return notes


def _closing(page: Page, first: int, file_size: int, notes: list[str]) -> str:
    """The last line: what was shown, of how much, and how to go on."""
    last = first + len(page.lines) - 1
    if page.total is None:
        span = f"lines {first}-{last}; the file goes on, it has {size(file_size)} and was not counted to its end"
    elif first == 1 and last == page.total:
        span = amount(page.total, "line")
    else:
        span = f"lines {first}-{last} of {page.total}"
    if page.total == last and not page.ends_with_newline:
        notes = [*notes, "no newline at the end"]
    closing = f"({', '.join((span, *notes))})"
    return f"{closing} {TRUNCATED} go on with offset {last + 1}" if page.is_full else closing


def _dump(head: bytes, file_size: int) -> str:
    """What a binary file looks like: its size and its first bytes, in hexadecimal and as characters."""
    rows: list[str] = []
    for start in range(0, min(len(head), DUMP_BYTES), 16):
        row = head[start : min(start + 16, DUMP_BYTES)]
        printable = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        rows.append(f"{start:08x}  {row.hex(' '):<47}  |{printable}|")
    more = f"\n({size(file_size)}, the first {DUMP_BYTES} shown)" if file_size > DUMP_BYTES else ""
    return f"Binary file, {size(file_size)}\n" + "\n".join(rows) + more
