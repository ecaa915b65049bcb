"""Is a file text, and what is it otherwise? Told from its bytes."""

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "PNG image"),
    (b"\xff\xd8\xff", "JPEG image"),
    (b"GIF8", "GIF image"),
    (b"%PDF-", "PDF document"),
    (b"PK\x03\x04", "ZIP archive, or a format made of one"),
    (b"\x1f\x8b", "gzip archive"),
    (b"\xfd7zXZ\0", "xz archive"),
    (b"\x28\xb5\x2f\xfd", "zstd archive"),
    (b"BZh", "bzip2 archive"),
    (b"\x7fELF", "ELF program"),
    (b"MZ", "Windows program"),
    (b"\xca\xfe\xba\xbe", "Java class or Mach-O program"),
    (b"SQLite format 3\0", "SQLite database"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
)
_HEAD_BYTES = 8_192
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b")) + b"\x7f"


def binary_kind(data: bytes) -> str | None:
    """What the bytes are where they are no text."""
    head = data[:_HEAD_BYTES]
    controls = len(head) - len(head.translate(None, _CONTROLS))
    if b"\0" not in data and not head.startswith(b"%PDF-") and controls * 10 <= len(head):
        return None
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "WebP image"
    return next((kind for signature, kind in _SIGNATURES if head.startswith(signature)), "binary data")


def as_text(data: bytes) -> str:
    """UTF-8, of which the last character may be cut in two; else Latin-1, which every byte is."""
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        if error.start >= len(data) - 3 and error.reason == "unexpected end of data":
            return data[: error.start].decode("utf-8").removeprefix("\ufeff")
        return data.decode("latin-1")
