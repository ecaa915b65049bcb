"""How does the model read a PDF? Page by page as text, taken out of the file by a process that may do nothing else."""

import os
import re
import sys
from collections.abc import Callable, Mapping
from typing import Protocol

import msgspec
from msgspec import Struct

from daedal.protocol.seams import Finish, Job
from daedal.tools.errors import INTERNAL, TRUNCATED, Refused
from daedal.tools.sizes import amount, size

PDF_BYTES_MAX = 268_435_456
PAGES_MAX = 20
"""In one call."""
WHOLE_PAGES_MAX = 10
"""So many are shown where `pages` does not say which."""
TEXT_BYTES_MAX = 250_000
TIMEOUT_S = 30.0
OUTPUT_BYTES_MAX = 4_194_304
"""Of the program's JSON, in which a character may take twelve bytes."""

RANGE = re.compile(r"\s*([0-9]{1,9})\s*(?:-\s*([0-9]{1,9})\s*)?")


class Quarters(Protocol):
    """Where a program works that reads what strangers wrote."""

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]: ...

    async def run(self, job: Job) -> Finish: ...


class _Line(Struct, frozen=True):
    pages: int = 0
    page: int = 0
    text: str = ""
    cut: bool = False
    wrong: str = ""


def is_pdf(head: bytes, *, is_binary: bool) -> bool:
    """Some start with other bytes; a text that merely has the mark in it is a text."""
    return head.startswith(b"%PDF-") or (is_binary and b"%PDF-" in head[:1024])


def page_range(written: str | None) -> tuple[int, int]:
    """The first and the last page that are asked for; 0 as the last stands for all. Raises Refused."""
    if written is None or not written.strip():
        return 1, 0
    found = RANGE.fullmatch(written)
    first = int(found[1]) if found else 0
    last = int(found[2] or first) if found else 0
    if first < 1 or last < first:
        raise Refused(f"`pages` must be one page or a range with the lower one first, as 3 or 1-5, not {written!r}.")
    if last - first >= PAGES_MAX:
        raise Refused(f"At most {PAGES_MAX} pages are read at once, and {written} are more. Read them in parts.")
    return first, last


async def pdf_text(
    path: str, descriptor: int, file_size: int, pages: str | None, quarters: Callable[[], Quarters]
) -> str:
    """The text of some pages, as it is shown. Raises Refused where there is none to show."""
    first, last = page_range(pages)
    if file_size > PDF_BYTES_MAX:
        raise Refused(
            f"{path} has {size(file_size)}, above the {size(PDF_BYTES_MAX)} that are read of a PDF."
            " Take out the pages that you need with a command."
        )
    program = os.path.join(os.path.dirname(__file__), "pdf_pages.py")
    numbers = map(str, (descriptor, first, last, WHOLE_PAGES_MAX, TEXT_BYTES_MAX))
    place = quarters()
    finish = await place.run(
        Job(
            argv=[sys.executable, "-I", "-B", program, *numbers],
            cwd="/",
            env=place.environment(),
            timeout_s=TIMEOUT_S,
            output_bytes_max=OUTPUT_BYTES_MAX,
            pass_fds=(descriptor,),
        )
    )
    lines = _lines(finish)
    if not lines:
        raise Refused(f"{path} could not be read as a PDF: {_end(finish)}.")
    _refuse_what_is_wrong(path, lines[0], first, last)
    total = lines[0].pages
    return _shown(path, lines, first, min(last or total, total), finish)


def _lines(finish: Finish) -> list[_Line]:
    """What was printed whole."""
    lines: list[_Line] = []
    for line in finish.stdout.split(b"\n")[:-1]:
        try:
            lines.append(msgspec.json.decode(line, type=_Line))
        except (msgspec.DecodeError, UnicodeDecodeError):
            break
    return lines


def _refuse_what_is_wrong(path: str, head: _Line, first: int, last: int) -> None:
    match head.wrong:
        case "":
            pass
        case "missing":
            raise Refused(f"{INTERNAL}PDF files cannot be read here: the package pypdfium2 is not installed.")
        case "password":
            raise Refused(f"{path} is a PDF that asks for a password. Ask the user for a copy without one.")
        case _:
            raise Refused(f"{path} is no PDF that could be read: it is damaged, or was cut off.")
    if not last and head.pages > WHOLE_PAGES_MAX:
        raise Refused(
            f'{path} has {amount(head.pages, "page")}. Say with `pages` which to read, as "1-5"; at most {PAGES_MAX}'
            " at once."
        )
    if first > head.pages:
        raise Refused(f"{path} has {amount(head.pages, 'page')}, so there is no page {first}.")


def _shown(path: str, lines: list[_Line], first: int, last: int, finish: Finish) -> str:
    total = lines[0].pages
    room = TEXT_BYTES_MAX
    parts: list[str] = []
    for line in lines[1:]:
        text = _tidy(line).encode()
        is_cut = line.cut or len(text) > room
        parts.append(f"--- page {line.page} of {total} ---\n{text[:room].decode('utf-8', 'ignore')}")
        room -= len(text)
        if is_cut or room <= 0:
            parts.append(TRUNCATED)
            return "\n".join((*parts, _closing(first, line.page, last, total)))
    read = first + len(parts) - 1
    if read < last and not parts:
        raise Refused(f"Page {first} of {path} could not be read: {_end(finish)}.")
    if read < last:
        parts.append(f"(page {read + 1} could not be read: {_end(finish)})")
    return "\n".join((*parts, _closing(first, read + (read < last), last, total)))


def _closing(first: int, read: int, last: int, total: int) -> str:
    """What was shown, of how much, and how to go on."""
    closing = f"(pages {first}-{read} of {total})" if total > 1 else "(1 page)"
    return f"{closing} {TRUNCATED} go on with pages {read + 1}-{last}" if read < last else closing


def _tidy(line: _Line) -> str:
    if line.wrong:
        return "(this page is damaged)"
    text = line.text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").replace("\ufffe", "-").strip("\n")
    return text if text.strip() else "(no text on this page; it may be a picture)"


def _end(finish: Finish) -> str:
    if finish.timed_out:
        return f"it takes longer than {TIMEOUT_S:g} s"
    if finish.exit_code > 128:
        return "it takes too much memory or time, or makes the reader fail"
    return "it takes too much memory, or makes the reader fail"
