"""Does an image reach the model, and only a whole one of a size that it can take?"""

import struct
import zlib
from base64 import b64decode

import pytest

from daedal.protocol.seams import ImageContent, Outcome
from tests.toolbox.requirement import requirement
from tests.tools.desk import Desk

pytestmark = requirement("SD-16/Read")

JPEG = b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71////m8H////6"
    "/+b9//j/wAARCAACAAMDASIAAhEBAxEB/9oADAMBAAIRAxEAPwCtRRRWR6B//9k="
)
GIF = b64decode("R0lGODdhAwACAIEAAMgeHgAAAAAAAAAAACwAAAAAAwACAAAIBgABCBwYEAA7")
LOSSY = b64decode("UklGRjoAAABXRUJQVlA4IC4AAACwAQCdASoDAAIAAUAmJaACdLoABDAAAP7x3I/4DdfFtMv/vYL/3YL/3YL/WwAA")
LOSSLESS = b64decode("UklGRh4AAABXRUJQVlA4TBEAAAAvAkAAAAdQjyLXo/+BiOh/AAA=")
EXTENDED = b64decode(
    "UklGRlgAAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAABQUFBQUFAFZQOCAqAAAAkAEAnQEqAwACAALATCWgAnS6AAOYAP7tkD+IXext"
    "v/z0z+tv4/8ZAAAA"
)


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(width: int, height: int, *, padding: int = 0) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    rows = chunk(b"IDAT", zlib.compress((b"\0" + b"\x7f" * width) * min(height, 10)))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"teSt", b"x" * padding) + rows + chunk(b"IEND", b"")


IMAGES = [
    (png(3, 2), "image/png"),
    (JPEG, "image/jpeg"),
    (GIF, "image/gif"),
    (LOSSY, "image/webp"),
    (LOSSLESS, "image/webp"),
    (EXTENDED, "image/webp"),
]


@pytest.mark.parametrize(("data", "media_type"), IMAGES)
def test_an_image_is_shown_whatever_its_name(desk: Desk, data: bytes, media_type: str):
    path = desk.put("picture.txt", data)
    assert desk.do("Read", file_path="picture.txt") == Outcome(
        content=f"{media_type}, 3 × 2, {len(data)} bytes",
        images=[ImageContent(media_type, data)],
        touched=[str(path)],
    )


@pytest.mark.parametrize(("data", "media_type"), IMAGES)
def test_what_is_cut_off_is_no_image(desk: Desk, data: bytes, media_type: str):
    async def scenario() -> None:
        for end in range(12, len(data) - 1):
            desk.put("picture", data[:end])
            outcome = await desk.call("Read", file_path="picture")
            assert not outcome.images, end

    desk.run(scenario())


def test_an_image_with_a_wrong_checksum_is_shown_as_bytes(desk: Desk):
    data = png(30, 20)
    desk.put("a.png", data.replace(b"\x7f", b"\x7e").replace(b"IHDR\0\0\0\x1e", b"IHDR\0\0\0\x1f"))
    outcome = desk.do("Read", file_path="a.png")
    assert not outcome.images
    assert outcome.content.startswith("Binary file, ")


@pytest.mark.parametrize("data", [png(8001, 10), png(10, 10, padding=3_800_000), png(10, 10, padding=9_000_000)])
def test_what_is_too_large_is_refused_with_what_to_do(desk: Desk, data: bytes):
    desk.put("a.png", data)
    outcome = desk.do("Read", file_path="a.png")
    assert outcome.is_error
    assert not outcome.images
    assert "too large to be looked at (image/png" in outcome.content
    assert "smaller copy" in outcome.content


def test_an_image_above_what_is_read_of_text_is_whole(desk: Desk):
    data = png(100, 100, padding=400_000)
    desk.put("a.png", data)
    [image] = desk.do("Read", file_path="a.png").images
    assert image.data == data


def test_a_vector_image_is_text(desk: Desk):
    desk.put("a.svg", "<svg/>\n")
    assert desk.do("Read", file_path="a.svg").content == "1\t<svg/>\n(1 line)"
