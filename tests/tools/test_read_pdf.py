"""Does the model read the pages of a PDF, and can no PDF do harm?"""

import asyncio
import time
import zlib
from collections.abc import Sequence

import pytest

from daedal.tools.pdf import page_range
from tests.toolbox.requirement import requirement
from tests.tools.desk import Desk

pytestmark = requirement("SD-16/Read")


def written(objects: Sequence[bytes]) -> bytes:
    """A PDF of these objects, which are numbered from 1; the first is the catalogue."""
    out = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
    places: list[int] = []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    return (
        out
        + head
        + table
        + b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n"
        % (
            len(objects) + 1,
            len(out),
        )
    )


def stream(content: bytes, extra: bytes = b"") -> bytes:
    return b"<</Length %d%b>>\nstream\n%b\nendstream" % (len(content), extra, content)


def pdf(*pages: bytes) -> bytes:
    """One page for each content stream."""
    kids = b" ".join(b"%d 0 R" % (4 + 2 * index) for index in range(len(pages)))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%b]/Count %d>>" % (kids, len(pages)),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for index, page in enumerate(pages):
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents %d 0 R>>"
            % (5 + 2 * index)
        )
        objects.append(page)
    return written(objects)


def saying(*lines: str) -> bytes:
    shown = b"".join(b"(%b) Tj 0 -20 Td " % line.encode("latin-1") for line in lines)
    return stream(b"BT /F1 12 Tf 50 700 Td " + shown + b"ET")


def test_a_short_pdf_is_read_whole(desk: Desk):
    path = desk.put("a.pdf", pdf(saying("Hello, world", "second line"), saying("the end")))
    outcome = desk.do("Read", file_path="a.pdf")
    assert (outcome.is_error, outcome.touched) == (False, [str(path)])
    assert outcome.content == (
        "--- page 1 of 2 ---\nHello, world\nsecond line\n--- page 2 of 2 ---\nthe end\n(pages 1-2 of 2)"
    )


def test_a_long_pdf_needs_pages(desk: Desk):
    desk.put("a.pdf", pdf(*(saying(f"this is {number}") for number in range(1, 41))))

    async def scenario() -> None:
        refused = await desk.call("Read", file_path="a.pdf")
        assert refused.is_error
        assert 'has 40 pages. Say with `pages` which to read, as "1-5"' in refused.content
        some = await desk.call("Read", file_path="a.pdf", pages="7-8")
        shown = "--- page 7 of 40 ---\nthis is 7\n--- page 8 of 40 ---\nthis is 8\n(pages 7-8 of 40)"
        assert some.content == shown
        last = await desk.call("Read", file_path="a.pdf", pages="39-50")
        assert last.content.endswith("this is 40\n(pages 39-40 of 40)")
        past = await desk.call("Read", file_path="a.pdf", pages="41")
        assert past.is_error
        assert "has 40 pages, so there is no page 41" in past.content

    desk.run(scenario())


@pytest.mark.parametrize("pages", ["0", "5-2", "x", "1-21", "-3", "1,2", "1-5-7", "²", "9" * 5000])
def test_pages_that_are_none_are_refused_before_anything_runs(desk: Desk, pages: str):
    desk.put("a.pdf", pdf(saying("x")))
    outcome = desk.do("Read", file_path="a.pdf", pages=pages)
    assert outcome.is_error
    assert "pages" in outcome.content


def test_pages_can_be_written_with_blanks():
    assert [page_range(text) for text in (" 3 ", "1 - 5", None, "")] == [(3, 3), (1, 5), (1, 0), (1, 0)]


def test_a_page_without_text_says_so(desk: Desk):
    desk.put("a.pdf", pdf(stream(b"0 0 100 100 re f")))
    content = desk.do("Read", file_path="a.pdf").content
    assert content == "--- page 1 of 1 ---\n(no text on this page; it may be a picture)\n(1 page)"


@pytest.mark.parametrize("content", [b"%PDF-1.7\n%some text\n", b"%PDF-", pdf(saying("x"))[:60]])
def test_a_damaged_pdf_is_told(desk: Desk, content: bytes):
    desk.put("a.pdf", content)
    outcome = desk.do("Read", file_path="a.pdf")
    assert outcome.is_error
    assert "damaged" in outcome.content


def test_text_about_pdf_files_is_text(desk: Desk):
    desk.put("a.py", 'MARK = b"%PDF-"\n')
    assert desk.do("Read", file_path="a.py").content == '1\tMARK = b"%PDF-"\n(1 line)'


def test_a_page_with_endless_text_is_cut(desk: Desk):
    desk.put("a.pdf", pdf(saying(*(f"{number} " + "word " * 20 for number in range(8000))), saying("end")))
    outcome = desk.do("Read", file_path="a.pdf")
    assert not outcome.is_error
    assert len(outcome.content.encode()) <= 262_144
    assert outcome.content.endswith("[SDLC_TRUNCATED]\n(pages 1-1 of 2) [SDLC_TRUNCATED] go on with pages 2-2")


def test_a_page_that_unpacks_to_gigabytes_does_not_fill_the_memory(desk: Desk):
    packer = zlib.compressobj(1)
    packed = b"".join(packer.compress(b" " * 1_048_576) for _ in range(600)) + packer.flush()
    packed = zlib.compress(packed, 9)
    desk.put("a.pdf", pdf(stream(packed, b"/Filter[/FlateDecode/FlateDecode]"), saying("x")))

    async def scenario() -> str:
        outcome = await asyncio.wait_for(desk.call("Read", file_path="a.pdf", pages="1"), 60)
        return outcome.content

    assert "page 1" in desk.run(scenario()).lower()


def test_reading_a_pdf_that_takes_long_ends_with_the_call(desk: Desk):
    # Forms that draw each other: every level doubles the work.
    levels = 40
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>/Contents 4 0 R>>",
        stream(b"/X Do"),
    ]
    for number in range(5, 5 + levels):
        extra = b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>>>" % (number + 1)
        objects.append(stream(b"/X Do " * 2, extra))
    objects.append(stream(b"", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]"))
    desk.put("a.pdf", written(objects))

    async def scenario() -> float:
        call = asyncio.create_task(desk.call("Read", file_path="a.pdf"))
        await asyncio.wait([call], timeout=0.5)
        started = time.monotonic()
        call.cancel()
        await asyncio.wait([call])
        return time.monotonic() - started

    assert desk.run(scenario()) < 5
