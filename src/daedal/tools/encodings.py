"""Is a file text, and how is it encoded? Told from its first bytes, the way editors do."""

BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
"""The longer ones stand before those they begin with."""

HEAD_BYTES = 8192

CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b")) + b"\x7f"


def bom_of(head: bytes) -> tuple[bytes, str]:
    """The byte order mark and the encoding it stands for; both empty where there is none."""
    return next(((bom, name) for bom, name in BOMS if head.startswith(bom)), (b"", ""))


def is_wide(encoding: str) -> bool:
    """Whether a character takes several bytes throughout, so that a newline is not one byte."""
    return encoding.startswith(("utf-16", "utf-32"))


def is_binary(head: bytes) -> bool:
    """Whether the bytes a file starts with are no text."""
    head = head[:HEAD_BYTES]
    bom, encoding = bom_of(head)
    if is_wide(encoding):
        return not _decodes(head[: len(head) // 4 * 4], encoding)
    if b"\0" in head or head.startswith(b"%PDF-"):
        return True
    controls = len(head) - len(head.translate(None, CONTROLS))
    return controls * 10 > len(head) - len(bom)


def decode_text(content: bytes) -> tuple[str, str]:
    """Text without wide characters, and the encoding that it came out of: UTF-8 where it is valid, else Latin-1."""
    try:
        return content.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return content.decode("latin-1"), "latin-1"


def whole_characters(content: bytes) -> bytes:
    """UTF-8 that was cut anywhere, without the character that was cut in two."""
    for back in range(1, min(4, len(content)) + 1):
        byte = content[-back]
        if byte >= 0xC0:  # the lead of a character that takes 2, 3 or 4 bytes
            needed = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return content[:-back] if needed > back else content
        if byte < 0x80:
            break
    return content


def _decodes(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except UnicodeDecodeError as error:
        return error.start >= len(content) - 4  # a character was cut in two
    return True
