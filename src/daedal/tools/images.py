"""Is a file an image that a model can look at, and how large is it? Told from its own structure, without decoding it.

Only what is whole counts: a model's endpoint refuses a request with a broken image in it, and would refuse every later
request of that conversation too.
"""

from collections.abc import Callable

from msgspec import Struct

from daedal.protocol.seams import ImageContent
from daedal.tools.errors import Refused
from daedal.tools.sizes import size

IMAGE_BYTES_MAX = 3_750_000
"""Takes 5 MB once it is written as base64, which is what endpoints accept."""

SIDE_PIXELS_MAX = 8000

PNG = b"\x89PNG\r\n\x1a\n"
JPEG = b"\xff\xd8\xff"
GIFS = (b"GIF87a", b"GIF89a")


class Measured(Struct, frozen=True):
    """An image by its kind and its sides in pixels."""

    media_type: str
    width: int
    height: int


def media_type_of(head: bytes) -> str | None:
    """What a file claims to be with its first bytes; None for what is no image that models take."""
    if head.startswith(PNG):
        return "image/png"
    if head.startswith(JPEG):
        return "image/jpeg"
    if head.startswith(GIFS):
        return "image/gif"
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "image/webp"
    return None


def measure(data: bytes) -> Measured | None:
    """The image, where it is one from beginning to end."""
    media_type = media_type_of(data)
    if media_type is None:
        return None
    try:
        sides = SIDES[media_type](data)
    except IndexError:  # it ends in the middle
        return None
    return Measured(media_type, *sides) if sides is not None and min(sides) > 0 else None


def shown(data: bytes, name: str) -> tuple[str, ImageContent] | None:
    """A line about the image, and the image. None where it is no whole image; raises Refused where it is too large."""
    found = measure(data)
    if found is None:
        return None
    about = f"{found.media_type}, {found.width} × {found.height}, {size(len(data))}"
    if len(data) > IMAGE_BYTES_MAX or max(found.width, found.height) > SIDE_PIXELS_MAX:
        raise too_large(name, about)
    return about, ImageContent(found.media_type, data)


def too_large(name: str, about: str) -> Refused:
    return Refused(
        f"{name} is too large to be looked at ({about}); at most {size(IMAGE_BYTES_MAX)} and {SIDE_PIXELS_MAX} pixels"
        " a side can be. Make a smaller copy with a command, for instance"
        " `magick <image> -resize 1568x1568 <copy>`, and read that."
    )


def _number(data: bytes, start: int, count: int) -> int:
    """Most significant byte first. Raises IndexError past the end."""
    if start + count > len(data):
        raise IndexError(start)
    return int.from_bytes(data[start : start + count], "big")


def _little(data: bytes, start: int, count: int) -> int:
    if start + count > len(data):
        raise IndexError(start)
    return int.from_bytes(data[start : start + count], "little")


def _png(data: bytes) -> tuple[int, int] | None:
    """Its chunks follow each other, each with a checksum, from IHDR to IEND."""
    from zlib import crc32

    place = len(PNG)
    has_pixels = False
    while True:
        length, kind = _number(data, place, 4), data[place + 4 : place + 8]
        end = place + 8 + length
        if place == len(PNG) and (kind != b"IHDR" or length != 13):
            return None
        if _number(data, end, 4) != crc32(data[place + 4 : end]):
            return None
        has_pixels = has_pixels or kind == b"IDAT"
        if kind == b"IEND":
            return (_number(data, 16, 4), _number(data, 20, 4)) if has_pixels else None
        place = end + 4


def _jpeg(data: bytes) -> tuple[int, int] | None:
    """Segments up to the pixels; one of them is the frame. After the pixels comes an end mark."""
    place = 2
    sides = None
    while True:
        while data[place] == 0xFF and data[place + 1] == 0xFF:
            place += 1  # any number of these may stand before a marker
        if data[place] != 0xFF:
            return None
        marker = data[place + 1]
        if marker == 0xDA:  # the pixels
            return sides if data.find(b"\xff\xd9", place) > 0 else None
        if marker in (0xD9, 0x00):
            return None
        if marker == 0x01 or 0xD0 <= marker <= 0xD7:  # stand alone
            place += 2
            continue
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            sides = _number(data, place + 7, 2), _number(data, place + 5, 2)
        place += 2 + max(2, _number(data, place + 2, 2))


def _gif(data: bytes) -> tuple[int, int] | None:
    """Blocks after the screen and its colours, with at least one picture, up to a trailer."""
    place = 13 + _colours(data[10])
    has_picture = False
    while data[place] != 0x3B:
        if data[place] == 0x21:  # an extension
            place += 2
        elif data[place] == 0x2C:  # a picture
            has_picture = True
            place += 11 + _colours(data[place + 9])
        else:
            return None
        while data[place]:
            place += 1 + data[place]
        place += 1
    return (_little(data, 6, 2), _little(data, 8, 2)) if has_picture else None


def _colours(flags: int) -> int:
    """How many bytes a table of colours takes."""
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _webp(data: bytes) -> tuple[int, int] | None:
    """Three ways to say it: lossy, lossless, extended."""
    if _little(data, 4, 4) + 8 > len(data):
        return None
    kind = data[12:16]
    if kind == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        return _little(data, 26, 2) & 0x3FFF, _little(data, 28, 2) & 0x3FFF
    if kind == b"VP8L" and data[20] == 0x2F:
        bits = _little(data, 21, 4)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8X":
        return _little(data, 24, 3) + 1, _little(data, 27, 3) + 1
    return None


SIDES: dict[str, Callable[[bytes], tuple[int, int] | None]] = {
    "image/png": _png,
    "image/jpeg": _jpeg,
    "image/gif": _gif,
    "image/webp": _webp,
}
