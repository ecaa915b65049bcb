"""What does text look like that a terminal must not obey? Every character that steers becomes one that shows."""

PICTURES = {code: chr(0x2400 + code) for code in range(32) if code != 10}
"""Control characters have pictures of their own: ␛ for Esc."""
STEERING = [
    *range(0x80, 0xA0),  # further control characters
    *(0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x180E, 0x200B, 0x200E, 0x200F, 0x3164, 0xFEFF, 0xFFA0),
    *range(0x2028, 0x202F),  # line separators; which way text runs, and its overrides
    *range(0x2060, 0x2070),
    *range(0xFFF9, 0xFFFC),
    *range(0xE0000, 0xE0080),  # letters that nobody sees
    *range(0xD800, 0xE000),
]
TABLE = {**PICTURES, 9: "    ", 127: "␡", **{code: f"<U+{code:04X}>" for code in STEERING}}


def visible(text: str) -> str:
    """With its line breaks, and with nothing else in it that a terminal would act upon."""
    if text.isascii() and text.isprintable():
        return text
    return text.replace("\r\n", "\n").translate(TABLE)


def flat(text: str, length_max: int = 1000) -> str:
    """The same on one line."""
    return visible(" ".join(text[: length_max * 2].split()))[:length_max]
